//! The ledger as Parquet, read exactly by DuckDB, pyarrow and Spark.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::Compression;
use ::parquet::file::properties::WriterProperties;
use anyhow::{Context, Result};
use arrow::array::{ArrayRef, Decimal128Builder, RecordBatch, StringBuilder, TimestampMicrosecondBuilder, UInt32Array};
use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use kashi_parsers::ledger::money::{PRECISION, SCALE, from_decimal};
use kashi_parsers::ledger::{Ledger, MoneyColumn, TextColumn, TimeColumn};
use kashi_parsers::message;
use kashi_rules::JoinRow;
use rust_decimal::Decimal;

use super::{JOINED, ROW, joined};

/// Lines that are turned into columns at once.
const BATCH: usize = 65_536;
/// Lines whose encoded columns are held until they are written.
const GROUP: usize = 4 * BATCH;

const UTC: &str = "UTC";

/// Writes the ledger in batches.
pub(super) fn parquet(ledger: &Ledger, join: Option<&[JoinRow]>, file: &mut File) -> Result<()> {
    let schema = Arc::new(schema(join.is_some()));
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    let mut writer = ArrowWriter::try_new(file, schema.clone(), Some(properties))?;
    for from in (0..ledger.len()).step_by(BATCH) {
        let lines = from..(from + BATCH).min(ledger.len());
        writer.write(&RecordBatch::try_new(schema.clone(), columns(ledger, join, lines)?)?)?;
    }
    writer.close()?;
    Ok(())
}

fn decimal() -> DataType {
    DataType::Decimal128(PRECISION as u8, SCALE as i8)
}

fn schema(join: bool) -> Schema {
    let time = || DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into()));
    let mut fields: Vec<Field> =
        TextColumn::ALL.iter().map(|(_, name)| Field::new(*name, DataType::Utf8, true)).collect();
    fields.insert(ROW, Field::new("row", DataType::UInt32, false));
    fields.extend(TimeColumn::ALL.iter().map(|(_, name)| Field::new(*name, time(), true)));
    fields.extend(MoneyColumn::ALL.iter().map(|(_, name)| Field::new(*name, decimal(), true)));
    if join {
        fields.extend(JOINED.iter().map(|name| Field::new(*name, decimal(), true)));
    }
    Schema::new(fields)
}

fn columns(ledger: &Ledger, join: Option<&[JoinRow]>, lines: Range<usize>) -> Result<Vec<ArrayRef>> {
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (column, _) in TextColumn::ALL {
        let mut builder = StringBuilder::new();
        lines.clone().for_each(|at| builder.append_option(ledger.line(at).text(column)));
        columns.push(Arc::new(builder.finish()));
    }
    columns.insert(ROW, Arc::new(UInt32Array::from_iter_values(lines.clone().map(|at| ledger.line(at).row()))));
    for (column, _) in TimeColumn::ALL {
        let mut builder = TimestampMicrosecondBuilder::new().with_timezone(UTC);
        lines.clone().for_each(|at| builder.append_option(ledger.line(at).time(column).map(|t| t.timestamp_micros())));
        columns.push(Arc::new(builder.finish()));
    }
    for (column, name) in MoneyColumn::ALL {
        columns.push(numbers(lines.clone().map(|at| ledger.line(at).money(column)), name)?);
    }
    if let Some(join) = join {
        for (at, name) in JOINED.into_iter().enumerate() {
            columns.push(numbers(lines.clone().map(|line| joined(join, line)[at]), name)?);
        }
    }
    Ok(columns)
}

/// Exact numbers as mantissas at the ledger's scale.
fn numbers(values: impl Iterator<Item = Option<Decimal>>, name: &str) -> Result<ArrayRef> {
    let mut builder = Decimal128Builder::new().with_data_type(decimal());
    for value in values {
        let mantissa = value
            .map(|v| from_decimal(v).with_context(|| message!("{name}: {v} has more digits than a ledger holds")))
            .transpose()?;
        builder.append_option(mantissa);
    }
    Ok(Arc::new(builder.finish()))
}
