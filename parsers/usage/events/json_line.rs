//! Logs that keep each line in a JSON object: Docker's json-file, `journalctl -o json`, structured loggers.
//!
//! Layout: `{"log", "stream", "time"}` (confirmed: Docker's documentation); `MESSAGE`, `_HOSTNAME`,
//! `SYSLOG_IDENTIFIER`, `__REALTIME_TIMESTAMP` in microseconds (confirmed: systemd's documentation);
//! `message` or `msg` beside `time`, `timestamp` or `ts` (inferred: what loggers usually write).

use std::fmt::Write as _;

use serde_json::{Map, Value};

const MESSAGES: [&str; 4] = ["log", "message", "msg", "MESSAGE"];
const TIMES: [&str; 5] = ["time", "timestamp", "@timestamp", "ts", "__REALTIME_TIMESTAMP"];

/// The line that an object stands for, as a plain log has it; `None` if it is no line of a log.
pub(super) fn plain(line: &str) -> Option<String> {
    let object: Map<String, Value> = serde_json::from_str(line).ok()?;
    let find = |any: &[&str]| any.iter().find_map(|key| object.get(*key));
    let message = find(&MESSAGES)?.as_str()?;
    let mut text = match find(&TIMES)? {
        Value::String(time) => match time.parse::<u64>() {
            Ok(micros) => format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000),
            Err(_) => time.clone(),
        },
        number => number.as_f64()?.to_string(),
    };
    let word = |key: &str| object.get(key).and_then(Value::as_str);
    if let Some(host) = word("_HOSTNAME") {
        // A string is written to without fail.
        let _ = write!(text, " {host} {}:", word("SYSLOG_IDENTIFIER").unwrap_or("log"));
    }
    let _ = write!(text, " {}", message.trim_end());
    Some(text)
}
