//! What the catalogue says about one card.

use serde::{Deserialize, Serialize};

/// Share by which a driver's memory may differ from a listed one and still be the same card.
///
/// Drivers and ECC settings move the figure by about 1 % around those that were seen; the next
/// real size of any card is at least 10 % away.
const MEMORY_TOLERANCE_PERCENT: u32 = 2;

/// How a figure is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// The source that is named says so.
    Confirmed,
    /// Some of it is confirmed: of an instance type the memory but not the card.
    PartlyInferred,
    /// It follows from siblings or was recalled; nobody checked it.
    Inferred,
}

impl Mark {
    /// The word in the catalogue's files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::PartlyInferred => "partly-inferred",
            Self::Inferred => "inferred",
        }
    }
}

/// The board a card comes on, where its model has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// A module on a baseboard.
    Sxm,
    /// A slot card.
    Pcie,
    /// A pair of slot cards joined by a bridge.
    Nvl,
}

/// How a card reaches its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// NVLink to all neighbours.
    Nvlink,
    /// NVLink over a bridge between two cards, which a host may lack.
    NvlinkBridge,
    /// AMD's Infinity Fabric.
    InfinityFabric,
    /// Huawei's HCCS.
    Hccs,
}

impl LinkKind {
    /// The word in the catalogue's files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nvlink => "nvlink",
            Self::NvlinkBridge => "nvlink-bridge",
            Self::InfinityFabric => "infinity-fabric",
            Self::Hccs => "hccs",
        }
    }
}

/// A card's link to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// What it is.
    pub kind: LinkKind,
    /// Bandwidth in GB/s, both directions together.
    pub gbs: f64,
}

/// One kind of GPU, per device as nvidia-smi shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Identity, such as `A100-80G-SXM`.
    pub id: String,
    /// The name for people.
    pub title: String,
    /// Who makes it.
    pub vendor: String,
    /// Architecture, such as `Ampere`.
    pub arch: String,
    /// What siblings have in common, such as `A100`; none where the card has no siblings.
    pub model: Option<String>,
    /// The board, where siblings differ by it.
    pub form: Option<Form>,
    /// What nvidia-smi, rocm-smi or npu-smi prints.
    pub names: Vec<String>,
    /// What sellers call it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// Memory in GB, as sold.
    pub vram_gb: u32,
    /// Memory in MiB as printed: by the current driver first, then what else was seen.
    pub memory_mib: Vec<u32>,
    /// Dense FP16 tensor rate in TFLOPS.
    pub fp16_tflops: Option<f64>,
    /// Dense BF16 tensor rate in TFLOPS.
    pub bf16_tflops: Option<f64>,
    /// Memory bandwidth in GB/s.
    pub bandwidth_gbs: Option<f64>,
    /// Power limit as delivered, in W.
    pub tdp_w: Option<f64>,
    /// The link to its neighbours; none means the PCIe bus.
    pub link: Option<Link>,
    /// Whether it can be cut into MIG slices.
    #[serde(default)]
    pub mig: bool,
    /// How the memory is known.
    pub vram_mark: Mark,
    /// How the other figures are known, taken together.
    pub spec_mark: Mark,
    /// Where they come from.
    pub source: String,
    /// What else should be known.
    pub note: Option<String>,
}

impl Card {
    /// Bandwidth of NVLink in GB/s, where the card has it, bridged or not.
    pub fn nvlink(&self) -> Option<f64> {
        let link = self.link?;
        matches!(link.kind, LinkKind::Nvlink | LinkKind::NvlinkBridge).then_some(link.gbs)
    }

    /// Whether a printed memory in MiB is that of this card under some driver or ECC setting.
    pub fn has_memory(&self, mib: u32) -> bool {
        self.memory_mib.iter().any(|&known| known.abs_diff(mib) <= known / 100 * MEMORY_TOLERANCE_PERCENT)
    }

    /// The memory in MiB that the current driver prints.
    pub fn memory(&self) -> u32 {
        self.memory_mib.first().copied().unwrap_or(self.vram_gb.saturating_mul(1024))
    }
}
