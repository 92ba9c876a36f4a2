//! Which card a sample is of, and numbers as tools print them.

use super::formats::Input;

/// Which card a sample is of, as far as an export says; empty is unknown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Card<'a> {
    /// An id that stands for itself: a UUID or a serial number.
    pub(super) uuid: &'a str,
    /// A number or address that is only unique on its machine.
    pub(super) index: &'a str,
    /// The slice of the card, where it is cut into several.
    pub(super) slice: &'a str,
    pub(super) host: &'a str,
    pub(super) name: &'a str,
}

impl Input<'_> {
    /// The place of a card among the devices.
    pub(super) fn place(&mut self, card: &Card<'_>) -> usize {
        let machine = if card.host.is_empty() { self.label } else { card.host };
        let mut device = match (card.uuid, card.index) {
            ("", "") => machine.to_owned(),
            ("", index) => format!("{machine}/{index}"),
            (uuid, _) => uuid.to_owned(),
        };
        if !card.slice.is_empty() {
            device = format!("{device}/{}", card.slice);
        }
        let place = self.devices.place(&device, self.file);
        let about = &mut self.devices.about[place];
        if about.name.is_empty() && !card.name.is_empty() {
            card.name.clone_into(&mut about.name);
        }
        if about.host.is_none() && !card.host.is_empty() {
            about.host = Some(card.host.to_owned());
        }
        place
    }
}

/// The number that a cell begins with, be it below zero; what is none, as `-`, `N/A` or
/// `[Unknown Error]`, is NaN.
pub(super) fn figure(cell: &str) -> f32 {
    let cell = cell.trim();
    let sign = usize::from(cell.starts_with('-'));
    let end = cell[sign..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(cell.len(), |end| sign + end);
    // `0000:07:00.0` is no number, and neither is `4 (16.0GT/s x16)`.
    let unit = cell[end..].trim_start();
    if unit.starts_with([':', '(', '/']) {
        return f32::NAN;
    }
    cell[..end].parse().unwrap_or(f32::NAN)
}

/// A size with its unit, in MiB; a size without one is MiB, and one with another is beyond any card.
pub(super) fn mib(cell: &str) -> f32 {
    let unit = cell.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-')).trim();
    let scale = match unit {
        "" | "MiB" | "MB" | "M" => 1.0,
        "GiB" | "GB" | "G" => 1024.0,
        "KiB" | "KB" | "kB" | "K" => 1.0 / 1024.0,
        "B" => 1.0 / (1024.0 * 1024.0),
        _ => f32::INFINITY,
    };
    figure(cell) * scale
}

/// A text that says something.
pub(super) fn known(cell: &str) -> &str {
    let cell = cell.trim();
    if matches!(cell, "-" | "--" | "N/A" | "None" | "null" | "Unknown") || cell.starts_with('[') { "" } else { cell }
}
