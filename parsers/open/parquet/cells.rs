//! Values of Parquet columns as the text that the same export has in CSV.

use std::io::Write as _;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DecimalType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType,
    Time64MicrosecondType, Time64NanosecondType, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use chrono::{DateTime, NaiveTime};

use super::nested;
use crate::ledger::money;

/// Writes the value of a row.
type Write = Box<dyn Fn(usize, &mut Vec<u8>) -> Result<(), String>>;

/// The values of an array, ready to be written.
pub(super) struct Cell {
    array: ArrayRef,
    write: Write,
}

impl Cell {
    pub(super) fn new(array: &ArrayRef, write: Write) -> Self {
        Self { array: array.clone(), write }
    }

    /// Writes the value of a row; nothing for null.
    pub(super) fn write(&self, row: usize, out: &mut Vec<u8>) -> Result<(), String> {
        if self.is_null(row) { Ok(()) } else { (self.write)(row, out) }
    }

    /// Whether a row has no value.
    pub(super) fn is_null(&self, row: usize) -> bool {
        self.array.is_null(row)
    }

    /// Whether the values are numbers or truth values, which JSON writes without quotes.
    pub(super) fn is_bare(&self) -> bool {
        self.array.data_type().is_numeric() || *self.array.data_type() == DataType::Boolean
    }

    /// Whether the values are JSON already.
    pub(super) fn is_json(&self) -> bool {
        self.array.data_type().is_nested()
    }
}

/// Whether values of a type that holds no others have a text.
pub(super) fn is_printable(kind: &DataType) -> bool {
    use DataType as T;
    kind.is_integer()
        || kind.is_decimal()
        || kind.is_string()
        || kind.is_binary()
        || matches!(kind, T::Null | T::Boolean | T::Float32 | T::Float64 | T::Date32 | T::Date64 | T::Timestamp(..))
        || matches!(kind, T::Time32(TimeUnit::Millisecond) | T::Time64(_) | T::FixedSizeBinary(_))
}

/// The values of an array of any type.
pub(super) fn cell(array: &ArrayRef) -> Result<Cell, String> {
    use DataType as T;
    let write = match array.data_type() {
        T::Null => Box::new(|_: usize, _: &mut Vec<u8>| Ok(())),
        T::Boolean => {
            let values = array.as_boolean().clone();
            text(move |row| if values.value(row) { "true" } else { "false" }.to_owned())
        }
        kind if kind.is_integer() => integer(array)?,
        kind if kind.is_decimal() => decimal(array)?,
        T::Float32 => {
            let values = array.as_primitive::<Float32Type>().clone();
            text(move |row| shortest(values.value(row).to_string()))
        }
        T::Float64 => {
            let values = array.as_primitive::<Float64Type>().clone();
            text(move |row| shortest(values.value(row).to_string()))
        }
        kind if kind.is_string() || kind.is_binary() => bytes(array)?,
        T::FixedSizeBinary(_) => {
            let values = array.as_fixed_size_binary().clone();
            fallible(move |row, out| utf8(values.value(row), out))
        }
        T::Date32 | T::Date64 | T::Time32(_) | T::Time64(_) | T::Timestamp(..) => time(array)?,
        kind if kind.is_nested() => return nested::cell(array),
        other => return Err(format!("has a column of type {other}, which has no text")),
    };
    Ok(Cell::new(array, write))
}

fn fallible(write: impl Fn(usize, &mut Vec<u8>) -> Result<(), String> + 'static) -> Write {
    Box::new(write)
}

fn text(text: impl Fn(usize) -> String + 'static) -> Write {
    Box::new(move |row, out| {
        out.extend_from_slice(text(row).as_bytes());
        Ok(())
    })
}

fn integer(array: &ArrayRef) -> Result<Write, String> {
    fn of<T: ArrowPrimitiveType<Native: std::fmt::Display>>(array: &ArrayRef) -> Write {
        let values = array.as_primitive::<T>().clone();
        // Writing to memory does not fail.
        fallible(move |row, out| write!(out, "{}", values.value(row)).map_err(|e| e.to_string()))
    }
    Ok(match array.data_type() {
        DataType::Int8 => of::<Int8Type>(array),
        DataType::Int16 => of::<Int16Type>(array),
        DataType::Int32 => of::<Int32Type>(array),
        DataType::Int64 => of::<Int64Type>(array),
        DataType::UInt8 => of::<UInt8Type>(array),
        DataType::UInt16 => of::<UInt16Type>(array),
        DataType::UInt32 => of::<UInt32Type>(array),
        DataType::UInt64 => of::<UInt64Type>(array),
        other => return Err(format!("has a column of type {other}, which has no text")),
    })
}

fn decimal(array: &ArrayRef) -> Result<Write, String> {
    fn of<T: DecimalType>(array: &ArrayRef) -> Write {
        let values = array.as_primitive::<T>().clone();
        text(move |row| plain(values.value_as_string(row)))
    }
    Ok(match array.data_type() {
        DataType::Decimal32(..) => of::<Decimal32Type>(array),
        DataType::Decimal64(..) => of::<Decimal64Type>(array),
        DataType::Decimal128(..) => of::<Decimal128Type>(array),
        DataType::Decimal256(..) => of::<Decimal256Type>(array),
        other => return Err(format!("has a column of type {other}, which has no text")),
    })
}

/// A decimal without the zeros that only its type gives it.
fn plain(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The shortest decimal of a binary number, rounded at the ledger's last decimal: what is beyond is
/// less than such a number can tell.
fn shortest(text: String) -> String {
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if decimals <= money::SCALE as usize {
        return text;
    }
    match money::rounded(&text).ok().and_then(money::to_decimal) {
        Some(rounded) => rounded.normalize().to_string(),
        None => text,
    }
}

fn bytes(array: &ArrayRef) -> Result<Write, String> {
    macro_rules! each {
        ($($kind:ident => $of:expr),+) => {
            match array.data_type() {
                $(DataType::$kind => {
                    let values = $of.clone();
                    fallible(move |row, out| utf8(values.value(row).as_ref(), out))
                })+
                other => return Err(format!("has a column of type {other}, which has no text")),
            }
        };
    }
    Ok(each! {
        Utf8 => array.as_string::<i32>(), LargeUtf8 => array.as_string::<i64>(), Utf8View => array.as_string_view(),
        Binary => array.as_binary::<i32>(), LargeBinary => array.as_binary::<i64>(), BinaryView => array.as_binary_view()
    })
}

/// Older writers do not say that their bytes are text.
fn utf8(value: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
    std::str::from_utf8(value).map_err(|_| "bytes that are no text".to_owned())?;
    out.extend_from_slice(value);
    Ok(())
}

fn time(array: &ArrayRef) -> Result<Write, String> {
    /// Values, and what a unit of theirs is in nanoseconds.
    fn of<T: ArrowPrimitiveType<Native: Into<i64>>>(array: &ArrayRef, unit: i64, format: &'static str) -> Write {
        let values = array.as_primitive::<T>().clone();
        fallible(move |row, out| moment(values.value(row).into(), unit, format, out))
    }
    const DAY: i64 = 86_400_000_000_000;
    const CLOCK: &str = "%H:%M:%S%.f";
    let stamp = |zone: &Option<_>| if zone.is_some() { "%Y-%m-%dT%H:%M:%S%.fZ" } else { "%Y-%m-%d %H:%M:%S%.f" };
    Ok(match array.data_type() {
        DataType::Date32 => of::<Date32Type>(array, DAY, "%Y-%m-%d"),
        DataType::Date64 => of::<Date64Type>(array, 1_000_000, "%Y-%m-%d"),
        DataType::Time32(TimeUnit::Millisecond) => of::<Time32MillisecondType>(array, 1_000_000, CLOCK),
        DataType::Time64(TimeUnit::Microsecond) => of::<Time64MicrosecondType>(array, 1_000, CLOCK),
        DataType::Time64(TimeUnit::Nanosecond) => of::<Time64NanosecondType>(array, 1, CLOCK),
        DataType::Timestamp(TimeUnit::Second, zone) => of::<TimestampSecondType>(array, 1_000_000_000, stamp(zone)),
        DataType::Timestamp(TimeUnit::Millisecond, zone) => {
            of::<TimestampMillisecondType>(array, 1_000_000, stamp(zone))
        }
        DataType::Timestamp(TimeUnit::Microsecond, zone) => of::<TimestampMicrosecondType>(array, 1_000, stamp(zone)),
        DataType::Timestamp(TimeUnit::Nanosecond, zone) => of::<TimestampNanosecondType>(array, 1, stamp(zone)),
        other => return Err(format!("has a column of type {other}, which has no text")),
    })
}

fn moment(value: i64, unit: i64, format: &str, out: &mut Vec<u8>) -> Result<(), String> {
    let beyond = || format!("the time {value}, which is beyond any calendar");
    let nanos = i128::from(value) * i128::from(unit);
    let seconds = i64::try_from(nanos.div_euclid(1_000_000_000)).map_err(|_| beyond())?;
    let rest = u32::try_from(nanos.rem_euclid(1_000_000_000)).map_err(|_| beyond())?;
    let time = DateTime::from_timestamp(seconds, rest).ok_or_else(beyond)?;
    if format == "%H:%M:%S%.f" && time.date_naive().and_time(NaiveTime::MIN).and_utc().timestamp() != 0 {
        return Err(beyond());
    }
    write!(out, "{}", time.format(format)).map_err(|e| e.to_string())
}
