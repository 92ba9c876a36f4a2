//! The columns of money and of quantity: taken over only where the arithmetic of the bill holds.

use super::bench::Candidate;
use super::choose::Chooser;
use super::identities::Tally;
use super::lexicon::Word;
use super::wants::Sort;

/// Why an amount is not taken over that may well be one.
const UNCHECKED: &str = "there is no catalogue amount to check it against";

impl Chooser<'_> {
    /// Chooses cost, list cost, what is taken off, quantity, prices and the balance.
    pub(super) fn amounts(&mut self) {
        self.pick("balance", |_| true);
        self.pick("cost", |_| true);
        self.unnamed_amounts();
        let cost = self.column("cost").filter(|at| *at != usize::MAX);
        if let Some(cost) = cost {
            self.list_cost(cost);
            self.off(cost);
        }
        self.pick("quantity", |_| true);
        if let Some(cost) = cost {
            self.prices(cost);
        }
        self.lists();
        for ledger in ["paid", "tax", "cards"] {
            self.pick(ledger, |_| true);
        }
    }

    /// Lists of credits within a cell are money that no column of numbers has.
    fn lists(&mut self) {
        let bench = self.bench;
        let is_list = |at: &usize| {
            let name = &bench.names[*at];
            let money = [Word::Voucher, Word::Discount, Word::Deduct].iter().any(|w| name.has(*w));
            money
                && bench
                    .sample
                    .cells(*at)
                    .any(|cell| cell.starts_with(['[', '{']) && cell.contains(|c: char| c.is_ascii_digit()))
        };
        let names = (0..bench.names.len()).filter(is_list).map(|at| &bench.sample.names[at]);
        let notes = names.map(|name| {
            format!("\"{name}\" holds amounts within lists, which no source of a mapping reads: if the vendor takes them off, the total lacks them")
        });
        self.notes.extend(notes);
    }

    /// A catalogue amount is not below what is charged.
    fn list_cost(&mut self, cost: usize) {
        let bench = self.bench;
        let covers = |c: &Candidate| {
            let (below, all) = bench.numbers.below(c.at, cost);
            // Before tax it may be below, if its name leaves no doubt.
            below * 50 <= all || c.score >= 88
        };
        self.pick("list_cost", covers);
    }

    /// Discounts and vouchers: only those with which list − off = cost holds.
    fn off(&mut self, cost: usize) {
        if self.chosen.contains_key("discount") || self.chosen.contains_key("voucher") {
            return;
        }
        let (discounts, vouchers) = (self.free("discount"), self.free("voucher"));
        if discounts.is_empty() && vouchers.is_empty() {
            return;
        }
        let Some(list) = self.column("list_cost").filter(|at| *at != usize::MAX) else {
            for c in discounts.iter().chain(&vouchers) {
                self.left.insert(c.at, UNCHECKED.to_owned());
            }
            return;
        };
        let (discount, voucher) = self.taken_off(list, cost, &discounts, &vouchers);
        let why = "catalogue amount − this is not the amount payable: a means of payment, or a part of another column";
        for c in discounts.iter().chain(&vouchers) {
            self.left.entry(c.at).or_insert_with(|| why.to_owned());
        }
        for (ledger, candidate) in [("discount", discount), ("voucher", voucher)] {
            if let Some(mut candidate) = candidate.filter(|_| !self.is_settled(ledger)) {
                candidate.proven = true;
                candidate.why.push("catalogue amount − what is taken off = amount payable in the rows".to_owned());
                self.left.remove(&candidate.at);
                self.take(ledger, candidate);
            }
        }
    }

    /// The discount and the voucher with which list − off = cost holds in most rows; of columns of
    /// noughts, which decide nothing, the best named.
    fn taken_off(
        &self,
        list: usize,
        cost: usize,
        discounts: &[Candidate],
        vouchers: &[Candidate],
    ) -> (Option<Candidate>, Option<Candidate>) {
        let mut best = (0, None, None);
        for discount in discounts.iter().take(3).map(Some).chain([None]) {
            for voucher in vouchers.iter().take(3).map(Some).chain([None]) {
                let off: Vec<usize> = discount.iter().chain(&voucher).map(|c| c.at).collect();
                if off.is_empty() || off.len() == 2 && off[0] == off[1] {
                    continue;
                }
                let tally = self.bench.numbers.difference(list, &off, cost);
                if tally.agrees() && tally.held + off.len() > best.0 {
                    best = (tally.held + off.len(), discount, voucher);
                }
            }
        }
        (best.1.cloned(), best.2.cloned())
    }

    /// Prices: only those that times the quantity make the amount.
    fn prices(&mut self, cost: usize) {
        let Some(quantity) = self.column("quantity").filter(|at| *at != usize::MAX) else { return };
        let list = self.column("list_cost").filter(|at| *at != usize::MAX);
        for (ledger, amount) in [("price", Some(cost)), ("list_price", list)] {
            if self.is_settled(ledger) {
                continue;
            }
            match amount {
                Some(amount) => self.price(ledger, quantity, amount),
                None => {
                    let named = self.free(ledger).into_iter().filter(|c| c.score >= 64);
                    for c in named {
                        self.left.entry(c.at).or_insert_with(|| UNCHECKED.to_owned());
                    }
                }
            }
        }
    }

    fn price(&mut self, ledger: &'static str, quantity: usize, amount: usize) {
        let mut refused: Vec<(usize, Tally)> = Vec::new();
        for mut candidate in self.free(ledger) {
            let tally = self.bench.numbers.product(candidate.at, quantity, amount);
            if tally.agrees() {
                candidate.proven = true;
                self.left.remove(&candidate.at);
                self.take(ledger, candidate);
                break;
            }
            refused.push((candidate.at, tally));
        }
        let name = |at: usize| self.bench.sample.names.get(at).map_or("", String::as_str);
        let (quantity, amount) = (name(quantity).to_owned(), name(amount).to_owned());
        for (at, Tally { tried, held, .. }) in refused {
            if tried > 0 && !self.is_used(at, Sort::Money) {
                let why = format!("times \"{quantity}\" it makes \"{amount}\" in {held} of {tried} rows only");
                self.left.entry(at).or_insert(why);
            }
        }
    }
}
