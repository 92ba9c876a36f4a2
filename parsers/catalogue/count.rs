//! How many cards a text says.

use std::sync::OnceLock;

use regex::Regex;
use rust_decimal::Decimal;

/// Decimals that a share of a card is kept with: those of the ledger.
const SHARE_DECIMALS: u32 = 18;

/// A whole number, a decimal or a fraction of at most three digits a part: a model number such as
/// 4090 never counts.
const NUMBER: &str = r"(\d{1,3}(?:[./]\d{1,4})?)";

/// Finds how many cards a text speaks of: `* 1卡`, `x8`, `8*`, `1颗`, `8 GPUs`, `* 1/6`.
///
/// A number with a counter (卡, 颗, 张, 块, GPU) wins over one with a times sign, and a times sign
/// before the number over one behind it. None where the text says nothing, or zero.
pub fn count_in(text: &str) -> Option<Decimal> {
    for (word, count) in [("单卡", 1), ("双卡", 2), ("四卡", 4), ("八卡", 8)] {
        if text.contains(word) {
            return Some(Decimal::from(count));
        }
    }
    patterns().iter().find_map(|pattern| {
        let found = pattern.captures(text)?;
        // `2xlarge` is a size.
        let rest = found.get(2).map_or("", |rest| rest.as_str());
        if rest.eq_ignore_ascii_case("large") { None } else { share(found.get(1)?.as_str()) }
    })
}

/// Reads `8`, `0.5` or `1/6`, rounded to the ledger's decimals; zero is nothing.
pub(super) fn share(text: &str) -> Option<Decimal> {
    let value = match text.split_once('/') {
        None => text.parse::<Decimal>().ok()?,
        Some((upper, lower)) => {
            let (upper, lower) = (upper.parse::<Decimal>().ok()?, lower.parse::<Decimal>().ok()?);
            upper.checked_div(lower)?.round_dp(SHARE_DECIMALS)
        }
    };
    (value > Decimal::ZERO).then(|| value.normalize())
}

fn patterns() -> &'static [Regex] {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        [
            format!(r"(?i)(?:^|[^0-9A-Za-z.]){NUMBER}\s*(?:卡|颗|张|块|枚|gpus?\b|cards?\b)"),
            format!(r"(?i)[*×x]\s*{NUMBER}(?:$|[^0-9A-Za-z./*])"),
            format!(r"(?i)(?:^|[^0-9A-Za-z./]){NUMBER}\s*[*×x]\s*(large|[0-9a-z])"),
        ]
        .iter()
        .filter_map(|pattern| Regex::new(pattern).ok())
        .collect()
    })
}
