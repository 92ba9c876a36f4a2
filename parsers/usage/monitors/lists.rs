//! Lists of cluster traces that name nodes, pods or jobs and carry no utilization.
//!
//! Layouts (confirmed: the published files): Alibaba's gpu-v2023 node and pod lists, its spot-gpu-v2026
//! node list, Helios' number of cards by virtual cluster.

use std::io::BufRead;

use super::super::formats::{Head, Input};
use super::super::log::Log;
use super::lines::header;
use crate::error::{Error, Kind, Origin, Result};

/// Whether a text begins as such a list.
pub(in crate::usage) fn is(head: &Head) -> bool {
    let head = head.text.as_str();
    let cells = header(head);
    let has = |name: &str| cells.iter().any(|c| c == name);
    has("gpu_milli") && has("num_gpu")
        || has("sn") && has("cpu_milli") && has("gpu")
        || has("gpu_capacity_num") && has("node_name")
        || has("date") && has("total") && cells.iter().any(|c| c.len() == 5 && c.starts_with("vc"))
}

/// Says what the list is.
pub(in crate::usage) fn read(_: &mut dyn BufRead, input: &mut Input<'_>) -> Result<Log> {
    Err(Error::new(Kind::Usage, "lists nodes, pods or jobs of a cluster: what was asked for, not what was used")
        .at(Origin::file(input.file).at(1))
        .hint("give the trace's series of utilization over time; what was rented comes from the bill"))
}
