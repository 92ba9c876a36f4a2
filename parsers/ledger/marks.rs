//! Marks of a currency beside an amount, and which currencies each can mean.

use super::money::blank;

/// The currencies that the marks beside an amount can mean; any where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Currencies(u64);

impl Currencies {
    /// What an amount without a mark can mean.
    pub const ANY: Self = Self(u64::MAX);

    /// Whether an amount so marked can be one of a currency; an ISO 4217 code in capital letters.
    pub fn fits(self, currency: &str) -> bool {
        self.0 & bit(currency) != 0
    }

    /// The one currency that is meant; `None` if it may be several, or none can be.
    pub fn only(self) -> Option<&'static str> {
        let at = self.0.trailing_zeros() as usize;
        if self.0.is_power_of_two() { CODES.get(at).copied() } else { None }
    }

    /// What both can mean.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether no currency has all of these marks.
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// The currencies that are told apart; each has a bit, in this order.
const CODES: [&str; 36] = [
    "CNY", "JPY", "USD", "HKD", "EUR", "GBP", "SGD", "TWD", "AUD", "CAD", "NZD", "KRW", "INR", "CHF", "SEK", "NOK",
    "DKK", "PLN", "CZK", "HUF", "RON", "TRY", "ILS", "AED", "SAR", "ZAR", "BRL", "MXN", "THB", "MYR", "IDR", "PHP",
    "VND", "RUB", "MOP", "UAH",
];

/// Whether a text is written as a code of ISO 4217 is; in small letters it would meet no line, and
/// neither would `RMB`, which stands for CNY in bills and is none.
pub fn is_code(text: &str) -> bool {
    text.len() == 3 && text != "RMB" && text.bytes().all(|b| b.is_ascii_uppercase())
}

/// The bit of every currency that is not told apart.
const OTHER: u64 = 1 << 63;

fn bit(currency: &str) -> u64 {
    CODES.iter().position(|code| *code == currency).map_or(OTHER, |at| 1 << at)
}

/// The bits of codes.
const fn of<const N: usize>(codes: [&str; N]) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while at < N {
        let (mut place, code) = (0, codes[at].as_bytes());
        while place < CODES.len() {
            let known = CODES[place].as_bytes();
            if known[0] == code[0] && known[1] == code[1] && known[2] == code[2] {
                bits |= 1 << place;
            }
            place += 1;
        }
        at += 1;
    }
    bits
}

/// Marks and what they mean, beside the codes themselves; one that another ends with comes after it.
///
/// A bare `$` may be any dollar or peso, `¥` yuan or yen; 元 is said of every Chinese money.
const MARKS: [(&str, u64); 54] = [
    ("RMB", of(["CNY"])),
    ("CN¥", of(["CNY"])),
    ("CN￥", of(["CNY"])),
    ("JP¥", of(["JPY"])),
    ("US$", of(["USD"])),
    ("HK$", of(["HKD"])),
    ("SG$", of(["SGD"])),
    ("NT$", of(["TWD"])),
    ("AU$", of(["AUD"])),
    ("CA$", of(["CAD"])),
    ("NZ$", of(["NZD"])),
    ("MX$", of(["MXN"])),
    ("MOP$", of(["MOP"])),
    ("S$", of(["SGD"])),
    ("A$", of(["AUD"])),
    ("C$", of(["CAD"])),
    ("R$", of(["BRL"])),
    ("$", of(["USD", "HKD", "SGD", "TWD", "AUD", "CAD", "NZD", "MXN", "MOP"]) | OTHER),
    ("＄", of(["USD", "HKD", "SGD", "TWD", "AUD", "CAD", "NZD", "MXN", "MOP"]) | OTHER),
    ("¥", of(["CNY", "JPY"])),
    ("￥", of(["CNY", "JPY"])),
    ("€", of(["EUR"])),
    ("£", of(["GBP"])),
    ("￡", of(["GBP"])),
    ("₩", of(["KRW"])),
    ("₹", of(["INR"])),
    ("฿", of(["THB"])),
    ("₫", of(["VND"])),
    ("₱", of(["PHP"])),
    ("₺", of(["TRY"])),
    ("₽", of(["RUB"])),
    ("₪", of(["ILS"])),
    ("₴", of(["UAH"])),
    ("人民币元", of(["CNY"])),
    ("人民币", of(["CNY"])),
    ("新加坡元", of(["SGD"])),
    ("新台币", of(["TWD"])),
    ("台币", of(["TWD"])),
    ("美元", of(["USD"])),
    ("美金", of(["USD"])),
    ("港元", of(["HKD"])),
    ("港币", of(["HKD"])),
    ("港幣", of(["HKD"])),
    ("欧元", of(["EUR"])),
    ("日元", of(["JPY"])),
    ("日圆", of(["JPY"])),
    ("英镑", of(["GBP"])),
    ("加元", of(["CAD"])),
    ("澳元", of(["AUD"])),
    ("新元", of(["SGD"])),
    ("韩元", of(["KRW"])),
    ("円", of(["JPY"])),
    ("元", of(["CNY", "HKD", "TWD", "MOP"])),
    ("圆", of(["CNY", "HKD", "TWD", "MOP"])),
];

/// An amount without the marks at its ends and the blanks around them; what they mean is told.
pub(super) fn strip<'t>(text: &'t str, currencies: &mut Currencies) -> &'t str {
    let mut text = text.trim_matches(blank);
    while let Some((rest, bits)) = first(text).or_else(|| last(text)) {
        currencies.0 &= bits;
        text = rest.trim_matches(blank);
    }
    text
}

/// What the marks right before and right after a part of a text say of it.
pub(crate) fn around(text: &str, part: std::ops::Range<usize>) -> Currencies {
    let before = text.get(..part.start).unwrap_or_default().trim_end_matches(blank);
    let after = text.get(part.end..).unwrap_or_default().trim_start_matches(blank);
    let mut currencies = Currencies::ANY;
    // A code is one only where its letters are no part of a longer word.
    let in_word = |mark: Option<char>, beside: Option<char>| {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        letter(mark) && letter(beside)
    };
    if let Some((rest, bits)) = last(before)
        && !in_word(before[rest.len()..].chars().next(), rest.chars().next_back())
    {
        currencies.0 &= bits;
    }
    if let Some((rest, bits)) = first(after)
        && !in_word(after[..after.len() - rest.len()].chars().next_back(), rest.chars().next())
    {
        currencies.0 &= bits;
    }
    currencies
}

/// The mark that a text begins with: what follows it, and what it means.
fn first(text: &str) -> Option<(&str, u64)> {
    // Nearly every amount begins and ends with a digit or a sign.
    if text.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation() && c != '$') {
        return None;
    }
    let mark = MARKS.iter().find_map(|(mark, bits)| Some((text.strip_prefix(mark)?, *bits)));
    mark.or_else(|| {
        let code = text.get(..3).filter(|code| CODES.contains(code))?;
        Some((&text[3..], bit(code)))
    })
}

/// The mark that a text ends with: what is before it, and what it means.
fn last(text: &str) -> Option<(&str, u64)> {
    if text.ends_with(|c: char| c.is_ascii_digit() || c.is_ascii_punctuation() && c != '$') {
        return None;
    }
    let mark = MARKS.iter().find_map(|(mark, bits)| Some((text.strip_suffix(mark)?, *bits)));
    mark.or_else(|| {
        let at = text.len().checked_sub(3)?;
        let code = text.get(at..).filter(|code| CODES.contains(code))?;
        Some((&text[..at], bit(code)))
    })
}
