//! Which card a series is of.

use std::collections::BTreeMap;

use super::super::device::Devices;

/// What a monitor says of a card.
#[derive(Clone, Debug, Default)]
pub(super) struct Card<'a> {
    /// The card's own id.
    pub(super) uuid: Option<&'a str>,
    /// The machine, instance or container.
    pub(super) host: Option<&'a str>,
    /// Its number there.
    pub(super) index: Option<&'a str>,
    /// Its name.
    pub(super) name: Option<&'a str>,
    /// What else it is known by, for a tie to what is billed.
    pub(super) labels: BTreeMap<String, String>,
}

impl Card<'_> {
    /// The place of the card: by its id, else by its number on its machine, else by its machine,
    /// else by what the file is called.
    pub(super) fn place(&self, devices: &mut Devices, file: &str, label: &str) -> usize {
        let some = |text: Option<&str>| text.map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned);
        let host = some(self.host);
        let machine = host.clone().unwrap_or_else(|| label.to_owned());
        let device = some(self.uuid).unwrap_or_else(|| match some(self.index) {
            Some(index) => format!("{machine}/{index}"),
            None => machine,
        });
        let place = devices.place(&device, file);
        let about = &mut devices.about[place];
        if about.name.is_empty() {
            about.name = some(self.name).unwrap_or_default();
        }
        about.host = host.or(about.host.take());
        about.labels.extend(self.labels.iter().map(|(k, v)| (k.clone(), v.clone())));
        place
    }
}

/// The UUID of a card within a text, as the driver prints it.
pub(in crate::usage) fn uuid(text: &str) -> Option<&str> {
    let at = text.find("GPU-")?;
    let id = text.get(at..at + 40)?;
    id.bytes().skip(4).all(|b| b == b'-' || b.is_ascii_hexdigit()).then_some(id)
}

/// The number behind `gpu`, `card`, `cuda:` or `npu` in a text: `gpu0`, `GPU 1`, `gpu.0.`.
pub(super) fn index(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    ["gpu", "card", "cuda", "npu", "device", "nvidia"].iter().find_map(|word| {
        lower.match_indices(word).find_map(|(at, _)| {
            let rest = text.get(at + word.len()..)?;
            let rest = rest.trim_start_matches([' ', '_', '-', ':', '.', '#', '[', '=', '"']);
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (1..=3).contains(&end).then(|| &rest[..end])
        })
    })
}
