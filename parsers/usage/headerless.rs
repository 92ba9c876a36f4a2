//! A log without a header: what its columns seem to hold, said so that the user can name them.

use crate::error::{Error, Kind, Origin};
use crate::message::Message;

/// The error for a log whose first line is a sample already; `None` if it does not look like one.
pub(super) fn refused(line: &str, file: &str, row: u32) -> Option<Error> {
    let cells: Vec<&str> = line.split(',').map(str::trim).collect();
    let shapes: Vec<Shape> = cells.iter().map(|c| shape(c)).collect();
    let speaks = [Shape::Percent, Shape::Memory, Shape::Watt, Shape::Uuid, Shape::Bus];
    let of_cards = shapes.iter().any(|s| speaks.contains(s))
        || shapes.iter().all(|s| matches!(s, Shape::Time | Shape::Number | Shape::Text));
    if cells.len() > 60 || !shapes.contains(&Shape::Time) || !of_cards || !shapes.iter().any(|s| s.is_figure()) {
        return None;
    }
    let seen: Vec<String> = shapes.iter().zip(&cells).map(|(s, c)| s.said(c).into()).collect();
    let message = message!("has no header line; its {} columns seem to hold {}", cells.len(), seen.join(" | "));
    let hint = message!(
        "name the columns in the order of the query that made the log, for example: --fields {}",
        guess(&shapes).join(",")
    );
    Some(Error::new(Kind::Usage, message).at(Origin::file(file).at(row)).hint(hint))
}

/// What a cell looks like.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Time,
    Uuid,
    Bus,
    Percent,
    Memory,
    Watt,
    Missing,
    Number,
    Text,
}

impl Shape {
    fn said(self, cell: &str) -> Message {
        match self {
            Self::Time => message!("a time ({cell})"),
            Self::Uuid => message!("a card's UUID ({cell})"),
            Self::Bus => message!("a bus address ({cell})"),
            Self::Percent => message!("a percentage ({cell})"),
            Self::Memory => message!("memory ({cell})"),
            Self::Watt => message!("power ({cell})"),
            Self::Missing => message!("nothing known ({cell})"),
            Self::Number => message!("a number ({cell})"),
            Self::Text => message!("a text ({cell})"),
        }
    }

    fn is_figure(self) -> bool {
        matches!(self, Self::Percent | Self::Memory | Self::Watt | Self::Number)
    }
}

fn shape(cell: &str) -> Shape {
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    let begins = cell.starts_with(|c: char| c.is_ascii_digit());
    if cell.starts_with('[') || cell == "N/A" || cell.is_empty() {
        Shape::Missing
    } else if cell.starts_with("GPU-") {
        Shape::Uuid
    } else if begins && cell.contains(':') && cell.ends_with(".0") && !cell.contains(' ') {
        Shape::Bus
    } else if begins && cell.contains(':') && digits >= 12 {
        Shape::Time
    } else if cell.ends_with('%') {
        Shape::Percent
    } else if begins && cell.ends_with("iB") {
        Shape::Memory
    } else if begins && cell.ends_with(" W") {
        Shape::Watt
    } else if cell.parse::<f64>().is_ok() {
        if (10..=13).contains(&cell.split('.').next().unwrap_or_default().len()) { Shape::Time } else { Shape::Number }
    } else {
        Shape::Text
    }
}

/// The fields that such columns mostly are, in the order that people ask for them.
fn guess(shapes: &[Shape]) -> Vec<&'static str> {
    let of = |shape: Shape| shapes.iter().filter(move |s| **s == shape).count();
    let mut percent = ["utilization.gpu", "utilization.memory", "fan.speed"].into_iter();
    let mut memory = match of(Shape::Memory) {
        2 => vec!["memory.used", "memory.total"],
        _ => vec!["memory.used", "memory.free", "memory.total"],
    }
    .into_iter();
    let mut power = ["power.draw", "power.limit"].into_iter();
    let mut numbers = match (of(Shape::Percent), of(Shape::Number)) {
        (0, _) => {
            vec!["index", "utilization.gpu", "utilization.memory", "memory.used", "memory.total", "temperature.gpu"]
        }
        (_, 1) if shapes.get(1) != Some(&Shape::Number) && shapes.first() != Some(&Shape::Number) => {
            vec!["temperature.gpu"]
        }
        _ => vec!["index", "temperature.gpu"],
    }
    .into_iter();
    let mut texts = ["name", "pstate"].into_iter();
    let guessed = shapes.iter().map(|shape| match shape {
        Shape::Time => Some("timestamp"),
        Shape::Uuid => Some("uuid"),
        Shape::Bus => Some("pci.bus_id"),
        Shape::Percent => percent.next(),
        Shape::Memory => memory.next(),
        Shape::Watt => power.next(),
        Shape::Number => numbers.next(),
        Shape::Text => texts.next(),
        Shape::Missing => None,
    });
    guessed.map(|field| field.unwrap_or("other")).collect()
}
