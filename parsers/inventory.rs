//! What exists on the platforms: images, snapshots, disks, instances.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::error::Origin;

/// One thing that exists, from an inventory CSV
/// (`platform, account, kind, resource, size_gb, created_at, last_used_at, source, released_at, state`).
#[derive(Clone, Debug)]
pub struct Asset {
    /// The row it was read from.
    pub origin: Origin,
    /// The platform's name.
    pub platform: String,
    /// The account's id.
    pub account: Option<String>,
    /// `image`, `snapshot`, `disk` or `instance`.
    pub kind: AssetKind,
    /// The platform's id.
    pub resource: String,
    /// Size in GB.
    pub size_gb: Option<Decimal>,
    /// When it was made.
    pub created_at: Option<DateTime<Utc>>,
    /// When it last served.
    pub last_used_at: Option<DateTime<Utc>>,
    /// What it was made from, or the instance it belongs to.
    pub source: Option<String>,
    /// When it was released.
    pub released_at: Option<DateTime<Utc>>,
    /// `running`, `stopped` …, as the platform says.
    pub state: Option<String>,
}

/// What an asset is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// A machine or container image.
    Image,
    /// A snapshot.
    Snapshot,
    /// A disk or volume.
    Disk,
    /// An instance.
    Instance,
}
