//! JSON documents one after the other, with lines of text in between.
//!
//! Only one object is held at a time. Objects of a list are handed out one by one, so that a list
//! of a month's samples is no different from as many documents.

use std::io::BufRead;

use serde_json::Value;

use super::formats::Input;
use super::log::Log;
use super::stamp::Stamps;
use crate::error::{Error, Kind, Origin, Result};

/// The most bytes that one object may have.
const MOST: usize = 16 << 20;

/// A piece of such a file.
pub(super) enum Piece<'a> {
    /// A line outside of all objects, trimmed, without the commas and brackets of a list.
    Line(&'a str),
    /// An object.
    Object(&'a Value),
    /// An object that the file ends in.
    Cut,
}

/// Hands out the pieces of a file with the row that each begins in.
pub(super) fn each(
    reader: &mut dyn BufRead,
    file: &str,
    mut take: impl FnMut(Piece<'_>, u32) -> Result<()>,
) -> Result<()> {
    let mut scan = Scan { row: 1, ..Scan::default() };
    loop {
        let buffer = reader.fill_buf().map_err(|e| Error::io(file, &e))?;
        if buffer.is_empty() {
            break;
        }
        let len = buffer.len();
        let mut rest = buffer;
        while !rest.is_empty() {
            let (used, whole) = scan.advance(rest);
            rest = &rest[used..];
            if scan.piece.len() > MOST {
                let message = message!("has an object or a line of more than {MOST} bytes");
                return Err(Error::new(Kind::Bound, message)
                    .at(Origin::file(file).at(scan.begin))
                    .hint("save what the tool prints as it is, one document after the other"));
            }
            if whole {
                scan.hand_out(file, &mut take)?;
            }
        }
        reader.consume(len);
    }
    match scan.depth {
        0 => scan.hand_out(file, &mut take),
        _ => take(Piece::Cut, scan.begin),
    }
}

/// Hands out the objects of a file with the row of each, and takes the times that stand between them.
///
/// What is no object is counted. The message of [`Stamps::end`] says what prints them, its hint how
/// to save them with a time.
///
/// # Errors
/// As [`each`], and if nothing in the file has a time.
pub(super) fn objects(
    reader: &mut dyn BufRead,
    input: &mut Input<'_>,
    (what, hint): (&'static str, &'static str),
    mut take: impl FnMut(&Value, u32, &mut Stamps, &mut Log, &mut Input<'_>),
) -> Result<Log> {
    let (mut stamps, mut log) = (Stamps::new(input), Log::default());
    let file = input.file;
    each(reader, file, |piece, row| {
        match piece {
            Piece::Line(line) if stamps.strip(line).is_empty() => {}
            Piece::Line(_) => log.leave("line between the documents"),
            Piece::Cut => log.leave("last document cut off"),
            Piece::Object(object) => take(object, row, &mut stamps, &mut log, input),
        }
        Ok(())
    })?;
    stamps.end(input, &mut log, what, hint)?;
    Ok(log)
}

/// Where in a file the scan stands.
#[derive(Default)]
struct Scan {
    piece: Vec<u8>,
    row: u32,
    /// The row in which the piece begins.
    begin: u32,
    /// How many braces and brackets are open within an object.
    depth: u32,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    /// Takes bytes up to the end of a piece; says how many, and whether the piece is whole.
    fn advance(&mut self, bytes: &[u8]) -> (usize, bool) {
        if self.piece.is_empty() {
            self.begin = self.row;
        }
        for (at, byte) in bytes.iter().enumerate() {
            self.row = self.row.saturating_add(u32::from(*byte == b'\n'));
            if self.depth == 0 {
                match byte {
                    // What stands before an object is a line of its own.
                    b'{' if !self.piece.is_empty() => return (at, true),
                    b'{' => self.depth = 1,
                    b'\n' => return (at + 1, true),
                    _ => {}
                }
                self.piece.push(*byte);
                continue;
            }
            self.piece.push(*byte);
            if self.nests(*byte) {
                return (at + 1, true);
            }
        }
        (bytes.len(), false)
    }

    /// Takes a byte within an object; whether it ends it.
    fn nests(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            b'{' | b'[' if !self.in_string => self.depth += 1,
            b'}' | b']' if !self.in_string => {
                self.depth -= 1;
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    fn hand_out(&mut self, file: &str, take: &mut impl FnMut(Piece<'_>, u32) -> Result<()>) -> Result<()> {
        let piece = std::mem::take(&mut self.piece);
        if !piece.starts_with(b"{") {
            let text = String::from_utf8_lossy(&piece);
            let text = text.trim_start_matches('\u{feff}').trim();
            return match text.trim_matches(['[', ']', ',', ' ', '\t']) {
                "" => Ok(()),
                _ => take(Piece::Line(text), self.begin),
            };
        }
        match serde_json::from_slice::<Value>(&piece) {
            Ok(value) => take(Piece::Object(&value), self.begin),
            Err(error) => {
                let (row, why) = (u32::try_from(error.line()).unwrap_or(1).saturating_sub(1), error.to_string());
                // The row is told by the file's rows, not by those of the object.
                let why = why.split(" at line ").next().unwrap_or_default();
                Err(Error::new(Kind::Usage, message!("holds an object that is no JSON: {why}"))
                    .at(Origin::file(file).at(self.begin.saturating_add(row)))
                    .hint("save what the tool prints as it is"))
            }
        }
    }
}

/// A value by its path of keys.
pub(super) fn at<'a>(value: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, key| value.get(key))
}

/// A number, be it printed as text or as `{"value": 95, "unit": "%"}`; NaN where there is none.
pub(super) fn number(value: Option<&Value>) -> f32 {
    match value {
        Some(Value::Number(number)) => number.as_f64().map_or(f32::NAN, |n| n as f32),
        Some(Value::String(text)) => super::card::figure(text),
        Some(Value::Object(map)) => number(map.get("value")),
        _ => f32::NAN,
    }
}

/// A text, or what a number is as text; empty where there is none.
pub(super) fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => super::card::known(text).to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}
