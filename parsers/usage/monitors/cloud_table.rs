//! Tables of a cloud's monitor: a row a point, with the instance, the time and a metric or several.
//!
//! No vendor documents the table that its console downloads: the layout is inferred from the names of the
//! API (Alibaba's `timestamp`, `instanceId`, `gpuId`, `Average`, `Maximum`; Tencent's `InstanceId`,
//! `minorNumber`, `GpuUtil`), and each column is found by its name. Where no column names the metric, the
//! file's name must.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use rustc_hash::FxHashMap;

use super::super::clock::Clock;
use super::super::label::stem;
use super::super::log::Log;
use super::super::sample::Sample;
use super::card::Card;
use super::cell;
use super::feed::Feed;
use super::lines::{Lines, cells, header, separator};
use super::measure::{Measure, What};
use super::series::nothing;
use super::{alibaba, tencent};
use crate::error::Result;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Column {
    Time,
    Instance,
    Card,
    Metric,
    Mean,
    Most,
    Of(Measure),
    Other,
}

fn column(name: &str) -> Column {
    let folded: String = name.to_lowercase().chars().filter(|c| !matches!(c, ' ' | '_' | '-')).collect();
    let folded = folded.split(['(', '（', '[']).next().unwrap_or_default();
    match folded {
        "timestamp" | "time" | "时间" | "采集时间" | "监控时间" | "datetime" => Column::Time,
        "instanceid" | "uninstanceid" | "实例id" | "实例" => Column::Instance,
        "gpuid" | "minornumber" | "gpuindex" | "gpu" | "gpu编号" | "gpu序号" => Column::Card,
        "metricname" | "metric" | "指标" | "指标名" | "指标名称" | "监控项" => Column::Metric,
        "average" | "avg" | "value" | "平均值" | "值" => Column::Mean,
        "maximum" | "max" | "最大值" => Column::Most,
        _ => of_metric(name).map_or(Column::Other, Column::Of),
    }
}

/// The measure of a metric of any cloud, by its API's name.
fn of_metric(name: &str) -> Option<Measure> {
    let bare = name.split(['(', '（', '[']).next().unwrap_or_default().trim();
    tencent::measure(bare).or_else(|| alibaba::measure(bare))
}

/// Whether a text begins as such a table.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let columns: Vec<Column> = header(head).iter().map(|c| column(c)).collect();
    let has = |is: fn(&Column) -> bool| columns.iter().any(is);
    has(|c| *c == Column::Time)
        && (has(|c| *c == Column::Instance) && has(|c| *c == Column::Mean) || has(|c| matches!(c, Column::Of(_))))
}

/// Reads a table.
pub(in crate::usage) fn read(reader: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let (mut mark, mut columns, mut row_cells) = (',', Vec::new(), Vec::<String>::new());
    let mut places: FxHashMap<(String, String), usize> = FxHashMap::default();
    let named = of_metric(stem(input.file));
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            mark = separator(line);
            cells(line, mark, &mut row_cells);
            columns = row_cells.iter().map(|c| column(c)).collect();
            continue;
        }
        if line.is_empty() {
            continue;
        }
        cells(line, mark, &mut row_cells);
        let at = |wanted: Column| {
            let at = columns.iter().position(|c| *c == wanted)?;
            row_cells.get(at).map(String::as_str).filter(|c| !c.is_empty())
        };
        let Some((time, _)) = at(Column::Time).and_then(|c| clock.read(c.as_bytes())) else {
            log.leave("line without a time");
            continue;
        };
        let (host, card) = (at(Column::Instance), at(Column::Card));
        let read = |cell: &str, measure: Measure| measure.sample(cell::read(cell, mark != ','));
        let mut sample = None::<Sample>;
        let mut weighs = false;
        let mut join = |read: Option<Sample>, what: What| {
            if let Some(read) = read {
                sample.get_or_insert_with(Sample::default).join(&read);
                weighs |= what == What::Util;
            }
        };
        for (of, cell) in columns.iter().zip(&row_cells) {
            if let Column::Of(measure) = of {
                join(read(cell, *measure), measure.what);
            }
        }
        let metric = at(Column::Metric).and_then(of_metric).or(named.filter(|_| at(Column::Metric).is_none()));
        let mut most = None;
        if let Some(measure) = metric {
            join(at(Column::Mean).and_then(|c| read(c, measure)), measure.what);
            most = at(Column::Most).and_then(|c| read(c, measure));
        }
        if sample.is_none() && most.is_none() {
            log.leave(
                at(Column::Metric)
                    .map_or_else(|| "row without a metric".to_owned(), |m| format!("series of {m}"))
                    .as_str(),
            );
            continue;
        }
        let key = (host.unwrap_or_default().to_owned(), card.unwrap_or_default().to_owned());
        let place = *places.entry(key).or_insert_with(|| {
            Card { host, index: card, ..Card::default() }.place(input.devices, input.file, input.label)
        });
        if let Some(most) = most {
            input.devices.peak(place, time, &most);
        }
        if let Some(sample) = sample {
            feed.take(input.devices, place, time, row, sample, weighs);
        }
    }
    log.samples = feed.finish(input.devices);
    log.local = clock.local;
    if !columns.contains(&Column::Card) {
        log.notes
            .push("does not tell the cards of a machine apart: if it has several, they count as one device".to_owned());
    }
    if log.samples == 0 {
        return Err(nothing(
            input.file,
            &log,
            "name the metric in a column or in the file's name: gpu_gpu_usedutilization, GpuUtil",
        ));
    }
    Ok(log)
}
