//! Units of quantity, as the ledger spells them.

use rust_decimal::Decimal;

/// The ledger's spelling of a unit that a bill prints; `None` keeps the bill's own text.
pub fn canonical(text: &str) -> Option<&'static str> {
    let folded: String = text.trim().to_lowercase().replace([' ', '_'], "-");
    Some(match folded.as_str() {
        "毫秒" | "ms" | "millisecond" | "milliseconds" => "millisecond",
        "秒" | "s" | "sec" | "second" | "seconds" => "second",
        "分" | "分钟" | "min" | "minute" | "minutes" => "minute",
        "小时" | "时" | "h" | "hr" | "hrs" | "hour" | "hours" | "1-hour" => "hour",
        "天" | "日" | "day" | "days" => "day",
        "周" | "week" | "weeks" => "week",
        "月" | "个月" | "month" | "months" | "mo" => "month",
        "年" | "year" | "years" => "year",
        "卡时" | "card-hour" | "gpu-hour" | "gpu-hours" => "card_hour",
        "byte" | "bytes" | "字节" => "byte",
        "kb" | "kib" => "kb",
        "mb" => "mb",
        "gb" => "gb",
        "gib" | "gibibyte" => "gib",
        "tb" => "tb",
        "gb-小时" | "gb*小时" | "gb·小时" | "gb-hour" | "gb-hours" | "gb/hour" => "gb_hour",
        "gb-天" | "gb*天" | "gb-day" | "gb-days" | "gb/day" => "gb_day",
        "gb-月" | "gb*月" | "gb-mo" | "gb-month" | "gb-months" | "gb/month" => "gb_month",
        "次" | "request" | "requests" => "request",
        "token" | "tokens" => "token",
        "个" | "张" | "台" | "piece" | "count" | "unit" | "units" => "piece",
        _ => return None,
    })
}

/// Hours in one unit of time, where it has a fixed length.
pub fn hours(unit: &str) -> Option<(Decimal, Decimal)> {
    // Numerator and denominator, so that a second stays exact.
    let (up, down) = match unit {
        "millisecond" => (1, 3_600_000),
        "second" => (1, 3600),
        "minute" => (1, 60),
        "hour" | "card_hour" => (1, 1),
        "day" => (24, 1),
        "week" => (168, 1),
        _ => return None,
    };
    Some((Decimal::from(up), Decimal::from(down)))
}
