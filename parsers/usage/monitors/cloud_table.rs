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
use super::series::end;
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
    let mut table = Table { named: of_metric(stem(input.file)), mark: ',', ..Table::default() };
    let (mut log, mut feed, mut clock) = (Log::default(), Feed::default(), Clock::new(input.options.zone));
    let mut lines = Lines::new(&mut *reader, input.file);
    while let Some((row, line)) = lines.next()? {
        if row == 1 {
            table.header(line);
            continue;
        }
        if line.is_empty() {
            continue;
        }
        cells(line, table.mark, &mut table.cells);
        let Some((at, _)) = table.at(Column::Time).and_then(|c| clock.read(c.as_bytes())) else {
            log.leave("line without a time");
            continue;
        };
        let (sample, most, weighs) = table.row();
        if sample.is_none() && most.is_none() {
            log.leave(&format!("row of {}", table.at(Column::Metric).unwrap_or("no metric")));
            continue;
        }
        let place = table.place(input);
        if let Some(most) = most {
            input.devices.peak(place, at, row, most);
        }
        if let Some(sample) = sample {
            feed.take(input.devices, place, at, row, sample, weighs);
        }
    }
    if !table.columns.contains(&Column::Card) {
        log.notes.push(MIXED.to_owned());
    }
    end(
        input,
        log,
        feed,
        clock.local,
        "name the metric in a column or in the file's name: gpu_gpu_usedutilization, GpuUtil",
    )
}

const MIXED: &str = "does not tell the cards of a machine apart: if it has several, they count as one device";

/// A table on its way into samples, at one of its rows.
#[derive(Default)]
struct Table {
    columns: Vec<Column>,
    cells: Vec<String>,
    mark: char,
    /// What the file's name says that the values are.
    named: Option<Measure>,
    places: FxHashMap<(String, String), usize>,
}

impl Table {
    fn header(&mut self, line: &str) {
        self.mark = separator(line);
        cells(line, self.mark, &mut self.cells);
        self.columns = self.cells.iter().map(|c| column(c)).collect();
    }

    /// The cell of a column in this row.
    fn at(&self, wanted: Column) -> Option<&str> {
        let at = self.columns.iter().position(|c| *c == wanted)?;
        self.cells.get(at).map(String::as_str).filter(|c| !c.is_empty())
    }

    /// What the row says: its values, the highest ones, and whether utilization is among the first.
    fn row(&self) -> (Option<Sample>, Option<Sample>, bool) {
        let read = |cell: &str, measure: Measure| measure.sample(cell::read(cell, self.mark != ','));
        let (mut sample, mut weighs) = (None::<Sample>, false);
        let mut join = |read: Option<Sample>, what: What| {
            if let Some(read) = read {
                sample.get_or_insert_with(Sample::default).join(&read);
                weighs |= what == What::Util;
            }
        };
        for (of, cell) in self.columns.iter().zip(&self.cells) {
            if let Column::Of(measure) = of {
                join(read(cell, *measure), measure.what);
            }
        }
        let mut most = None;
        if let Some(measure) = self.at(Column::Metric).map_or(self.named, of_metric) {
            join(self.at(Column::Mean).and_then(|c| read(c, measure)), measure.what);
            most = self.at(Column::Most).and_then(|c| read(c, measure));
        }
        (sample, most, weighs)
    }

    /// The place of the card that the row is of.
    fn place(&mut self, input: &mut Input<'_>) -> usize {
        let cell = |column| self.at(column).unwrap_or_default().to_owned();
        let (host, index) = (cell(Column::Instance), cell(Column::Card));
        let card = Card { host: Some(&host), index: Some(&index), ..Card::default() };
        if let Some(place) = self.places.get(&(host.clone(), index.clone())) {
            return *place;
        }
        let place = card.place(input.devices, input.file, input.label);
        self.places.insert((host, index), place);
        place
    }
}
