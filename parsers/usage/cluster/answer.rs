//! What the HTTP API of Prometheus answers.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::usage::labelled::Labels;
use crate::usage::metric::micros;

/// An answer: data, or why there is none.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    /// The data.
    pub outcome: Result<T, Refused>,
    /// What the server says is missing from it, as Thanos does when a store does not answer.
    pub warnings: Vec<String>,
}

/// Why a server gives no data.
#[derive(Clone, Debug, Default)]
pub struct Refused {
    /// Its word for it: `bad_data`, `execution`, `timeout` …
    pub kind: String,
    /// The sentence.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<T> {
    status: String,
    #[serde(default = "Option::default")]
    data: Option<T>,
    #[serde(default)]
    error_type: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    warnings: Option<Vec<String>>,
}

impl<T: DeserializeOwned> Answer<T> {
    /// Reads an answer.
    ///
    /// # Errors
    /// If it is no answer of that API, or cut short, with what is wrong.
    pub fn parse(body: &[u8]) -> Result<Self, serde_json::Error> {
        let read: Envelope<T> = serde_json::from_slice(body)?;
        let outcome = match read.data {
            Some(data) if read.status == "success" => Ok(data),
            _ => Err(Refused { kind: read.error_type, message: read.error }),
        };
        Ok(Self { outcome, warnings: read.warnings.unwrap_or_default() })
    }
}

/// Series with a value for each hour.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Matrix {
    pub(super) result: Vec<Hourly>,
}

/// A series with a value for each hour, at the hour's end.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Hourly {
    pub(super) metric: Labels,
    #[serde(default)]
    values: Vec<(serde_json::Number, String)>,
}

/// Microseconds in an hour.
const HOUR: i64 = 3_600_000_000;

impl Hourly {
    /// The begin of each hour in UTC microseconds, and the text of its value.
    pub(super) fn values(&self) -> impl Iterator<Item = (i64, &str)> {
        self.values.iter().filter_map(|(at, value)| Some((micros(at)? - HOUR, value.as_str())))
    }
}
