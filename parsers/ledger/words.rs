//! The closed vocabularies of the ledger.

/// Declares an enum whose variants have one spelling each, in files and in reports.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every word, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The spelling in a ledger.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads the spelling in a ledger.
            pub fn from_word(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What kind of movement a line is.
    Kind {
        /// Metered use of something.
        Usage = "usage",
        /// A package bought for a time (day, week, month, year).
        Subscription = "subscription",
        /// Money paid in advance; not a cost.
        TopUp = "top_up",
        /// Money given back for something bought earlier.
        Refund = "refund",
        /// A credit, voucher or discount booked as a line of its own.
        Credit = "credit",
        /// Tax as a line of its own.
        Tax = "tax",
        /// A fee that is not use: service plan, return fee, top-up fee.
        Fee = "fee",
        /// The difference between exact lines and the rounded charge.
        Rounding = "rounding",
        /// A later change of an earlier bill.
        Correction = "correction",
    }
}

words! {
    /// What was charged for.
    Category {
        /// A GPU, or an instance whose price is that of its GPUs.
        Gpu = "gpu",
        /// An instance without a GPU, or its CPU and memory alone.
        Compute = "compute",
        /// Disks, object and file storage.
        Storage = "storage",
        /// Machine and container images.
        Image = "image",
        /// Snapshots and backups.
        Snapshot = "snapshot",
        /// Traffic.
        Egress = "egress",
        /// Public addresses.
        Ip = "ip",
        /// What a platform itself charges for holding something that does not run.
        Idle = "idle",
        /// Managed services, API calls, support.
        Service = "service",
        /// A product that kashi does not know.
        Other = "other",
    }
}

words! {
    /// On which terms it was bought.
    Terms {
        /// Pay as you go.
        OnDemand = "on_demand",
        /// Interruptible.
        Spot = "spot",
        /// A day's package.
        Daily = "daily",
        /// A week's package.
        Weekly = "weekly",
        /// A month's package.
        Monthly = "monthly",
        /// A year's package.
        Yearly = "yearly",
        /// Covered by a commitment (reserved instance, savings plan).
        Committed = "committed",
        /// Free of charge.
        Free = "free",
    }
}

impl Terms {
    /// Whether the time is paid for in advance, used or not.
    pub const fn is_package(self) -> bool {
        matches!(self, Self::Daily | Self::Weekly | Self::Monthly | Self::Yearly | Self::Committed)
    }
}
