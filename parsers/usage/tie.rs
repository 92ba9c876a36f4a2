//! Which device belongs to which billed resource.

use std::collections::{BTreeMap, BTreeSet};

use globset::{Glob, GlobMatcher};

use super::device::About;
use super::read::Usage;
use crate::contract::Device;

/// Ties devices to billed resources, and returns those that nothing ties, in order.
///
/// `[[device]]` comes first: a glob on the file or labels that the series carries. Then a label
/// whose value is a billed resource, then a folder or file name that is or holds its id.
pub fn tie(usage: &mut Usage, devices: &[Device], resources: &[(String, String)]) -> Vec<String> {
    let mut ties: BTreeMap<String, (String, Option<String>)> = BTreeMap::new();
    let mut untied = Vec::new();
    let globs: Vec<Vec<GlobMatcher>> = devices.iter().map(globs).collect();
    for (device, about) in &usage.about {
        let declared = devices.iter().zip(&globs).find(|(d, globs)| declares(d, globs, about)).map(|(d, _)| d);
        let tied = match declared {
            Some(declared) => Some((declared.resource.clone(), declared.platform.clone())),
            None => named(device, about, resources),
        };
        match tied {
            Some(tied) => {
                ties.insert(device.clone(), tied);
            }
            None => untied.push(device.clone()),
        }
    }
    for hour in &mut usage.hours {
        // A roll-up that names its resource is tied already.
        if let Some((resource, platform)) = ties.get(&hour.device).filter(|_| hour.resource.is_none()) {
            hour.resource = Some(resource.clone());
            hour.platform.clone_from(platform);
        }
    }
    for event in usage.events.iter_mut().filter(|e| e.resource.is_none()) {
        event.resource = event.device.as_ref().and_then(|d| ties.get(d)).map(|(resource, _)| resource.clone());
    }
    if !untied.is_empty() {
        let tied_by_file: BTreeSet<&str> =
            usage.hours.iter().filter(|h| h.resource.is_some()).map(|h| h.device.as_str()).collect();
        untied.retain(|d| !tied_by_file.contains(d.as_str()));
    }
    untied
}

/// A declaration's patterns of file names, made once for all devices.
fn globs(device: &Device) -> Vec<GlobMatcher> {
    device.files.iter().filter_map(|g| Glob::new(g).ok()).map(|g| g.compile_matcher()).collect()
}

fn declares(device: &Device, globs: &[GlobMatcher], about: &About) -> bool {
    let names = || about.files.iter().flat_map(|f| [Some(f.as_str()), f.rsplit_once('/').map(|(_, name)| name)]);
    let by_file = globs.iter().any(|glob| names().flatten().any(|name| glob.is_match(name)));
    by_file || (!device.labels.is_empty() && device.labels.iter().all(|(k, v)| about.labels.get(k) == Some(v)))
}

fn named(device: &str, about: &About, resources: &[(String, String)]) -> Option<(String, Option<String>)> {
    let says = |r: &str| device == r || about.host.as_deref() == Some(r) || about.labels.values().any(|v| v == r);
    let by_label = resources.iter().find(|(_, r)| says(r));
    // The longest id wins, so that i-1 does not take what is named i-10.
    let by_file = || {
        let holds = |r: &str| about.files.iter().any(|f| f.split(['/', '!']).any(|part| holds_id(part, r)));
        resources.iter().filter(|(_, r)| r.len() >= 4 && holds(r)).max_by_key(|(_, r)| r.len())
    };
    by_label.or_else(by_file).map(|(platform, resource)| (resource.clone(), Some(platform.clone())))
}

/// Whether a name holds an id as a whole: `gpu-1` is not in `gpu-10`.
fn holds_id(name: &str, id: &str) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
    name.match_indices(id)
        .any(|(at, _)| ends(name[..at].chars().next_back()) && ends(name[at + id.len()..].chars().next()))
}
