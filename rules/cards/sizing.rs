//! How much memory and how many cards some work needs.
//!
//! The figures are the field's own (weights, optimizer states, tokens a day); each is a parameter
//! of the rule's page or stands on the page with the example that it comes from.

use kashi_parsers::catalogue::Card;
use kashi_parsers::contract::{Workload, WorkloadKind};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::Params;

/// What some work asks of cards; 0 where it asks nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Need {
    /// Memory for one copy of the work, GB, headroom included.
    pub(super) memory_gb: f64,
    /// Number of cards at least.
    pub(super) cards: u32,
    /// Dense FP16 TFLOPS of each card.
    pub(super) tflops: f64,
    /// Memory bandwidth of each card, GB/s.
    pub(super) gbs: f64,
    /// Serving: memory bandwidth of all cards together, GB/s, of which one card counts no more
    /// than `counted_gbs`.
    pub(super) serving_gbs: f64,
    pub(super) counted_gbs: f64,
    /// Training: dense FP16 TFLOPS of all cards together.
    pub(super) training_tflops: f64,
}

impl Need {
    /// The need of cards that do this work and that, one after the other.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            memory_gb: self.memory_gb.max(other.memory_gb),
            cards: self.cards.max(other.cards),
            tflops: self.tflops.max(other.tflops),
            gbs: self.gbs.max(other.gbs),
            serving_gbs: self.serving_gbs.max(other.serving_gbs),
            counted_gbs: self.counted_gbs.max(other.counted_gbs),
            training_tflops: self.training_tflops.max(other.training_tflops),
        }
    }

    /// How many cards of a kind do the work; `None` if no number of them does.
    ///
    /// One copy, and one training, is split only over cards that are linked: over the PCIe bus four
    /// cards do the work of two.
    pub(super) fn count(self, card: &Card) -> Option<u32> {
        let (tflops, gbs) = (card.fp16_tflops.unwrap_or_default(), card.bandwidth_gbs.unwrap_or_default());
        if tflops < self.tflops || gbs < self.gbs {
            return None;
        }
        let split = whole(self.memory_gb / f64::from(card.vram_gb))?;
        let copies = self.cards.max(parts(self.serving_gbs, gbs.min(self.counted_gbs))?);
        let training = parts(self.training_tflops, tflops)?;
        let together = split > 1 || training > 1;
        (!together || card.link.is_some()).then(|| split.saturating_mul(copies).max(training))
    }
}

/// Rounded up to whole cards; a hair over a whole number is that number.
fn whole(cards: f64) -> Option<u32> {
    (cards - 1e-9).ceil().max(1.0).to_u32()
}

/// Cards that together reach what is needed; `None` if what one gives is not known.
fn parts(needed: f64, one: f64) -> Option<u32> {
    if needed <= 0.0 { Some(1) } else { whole(needed / one) }
}

/// The need of a declared workload that has so many hours; the name of what is missing or unknown
/// if it says too little.
pub(super) fn need(workload: &Workload, hours: f64, params: &Params) -> Result<Need, &'static str> {
    let billions = workload.params.filter(|p| *p > Decimal::ZERO).and_then(|p| p.to_f64()).ok_or("params")?;
    let memory = match workload.kind {
        WorkloadKind::Serve | WorkloadKind::Batch => inference(workload, billions, params)?,
        WorkloadKind::Finetune => finetune(workload, billions)?,
        // FP16 weights and gradients, FP32 master weights and both of Adam's states.
        WorkloadKind::Train => billions * 16.0,
    };
    let memory_gb = memory * 100.0 / params.number("memory_share");
    let need = Need { memory_gb, cards: 1, ..Need::default() };
    let tokens = workload.tokens.and_then(|t| t.to_f64());
    match workload.kind {
        WorkloadKind::Serve | WorkloadKind::Batch => {
            let requests = workload.requests_per_day.and_then(|r| r.to_f64()).ok_or("requests_per_day")?;
            Ok(serving(need, requests * tokens.ok_or("tokens")?, billions, params))
        }
        // An adapter is trained on one card; how long it takes is the user's to know.
        WorkloadKind::Finetune if tokens.is_none() && workload.method.as_deref().is_some_and(|m| m != "full") => {
            Ok(need)
        }
        WorkloadKind::Finetune | WorkloadKind::Train => {
            // Forward and backward pass: six operations a parameter and token.
            let operations = 6.0 * billions * 1e9 * tokens.ok_or("tokens")?;
            let share = params.number("training_share") / 100.0;
            Ok(Need { training_tflops: operations / (hours * 3600.0) / 1e12 / share, ..need })
        }
    }
}

/// Decoding waits for memory: a slower memory or a larger model gives fewer tokens. A faster card
/// is not credited with more: nobody measured it.
fn serving(need: Need, tokens_a_day: f64, billions: f64, params: &Params) -> Need {
    let a_card = params.number("tokens_per_second") * 3600.0 * params.number("hours_per_day");
    let larger = (billions / params.number("tokens_params")).max(1.0);
    let counted_gbs = params.number("tokens_bandwidth");
    Need { serving_gbs: tokens_a_day / a_card * larger * counted_gbs, counted_gbs, ..need }
}

/// Weights and what lies around them: 7B take 14 GB in FP16 and 6 GB in 4 bits, where tables that
/// stay in 16 bits and the runtime weigh in; a long context adds up to three tenths.
fn inference(workload: &Workload, billions: f64, params: &Params) -> Result<f64, &'static str> {
    let weights = match workload.precision.as_deref() {
        None | Some("fp16" | "bf16") => billions * 2.0,
        Some("fp8" | "int8") => billions + 2.5,
        Some("int4") => billions * 0.5 + 2.5,
        Some(_) => return Err("precision"),
    };
    let full = params.number("full_context").max(1.0);
    let context = workload.context.and_then(|c| c.to_f64()).map_or(0.0, |c| (c / full).min(1.0));
    Ok(weights * (1.0 + 0.3 * context))
}

/// Full: weights, gradients and Adam's two states, 12 bytes a parameter; LoRA of 7B runs in
/// 15 GB; QLoRA in two thirds of that.
fn finetune(workload: &Workload, billions: f64) -> Result<f64, &'static str> {
    Ok(match workload.method.as_deref() {
        Some("full") | None => billions * 12.0,
        Some("lora") => billions * 15.0 / 7.0,
        Some("qlora") => billions * 10.0 / 7.0,
        Some(_) => return Err("method"),
    })
}
