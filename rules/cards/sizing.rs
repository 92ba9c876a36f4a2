//! How much memory and how many cards a workload needs.
//!
//! The figures are the field's own (weights, optimizer states, tokens a day); each is a parameter
//! of the rule's page or stands there with its source.

use kashi_parsers::contract::{Workload, WorkloadKind};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::Params;

/// What a workload asks of cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Need {
    /// Memory that one card must have, GB, headroom included.
    pub(super) memory_gb: f64,
    /// Number of cards for the work, memory aside.
    pub(super) cards: u32,
}

/// The need of a declared workload; the name of what is missing if it says too little.
pub(super) fn need(workload: &Workload, params: &Params) -> Result<Need, &'static str> {
    let billions = workload.params.and_then(|p| p.to_f64()).ok_or("params")?;
    let memory = match workload.kind {
        WorkloadKind::Serve | WorkloadKind::Batch => inference(workload, billions)?,
        WorkloadKind::Finetune => finetune(workload, billions)?,
        WorkloadKind::Train => billions * 16.0,
    };
    Ok(Need { memory_gb: memory / (params.number("memory_share") / 100.0), cards: cards(workload, params) })
}

/// Bytes of a weight.
fn bytes(workload: &Workload) -> Result<f64, &'static str> {
    Ok(match workload.precision.as_deref() {
        None | Some("fp16" | "bf16") => 2.0,
        Some("fp8" | "int8") => 1.0,
        Some("int4") => 0.5,
        Some(_) => return Err("precision"),
    })
}

/// Weights and what lies around them: 7B take 14 GB in FP16, about 6 GB in 4 bits; a long context
/// adds up to three tenths of it.
fn inference(workload: &Workload, billions: f64) -> Result<f64, &'static str> {
    const FULL_CONTEXT: f64 = 32_768.0;
    let bytes = bytes(workload)?;
    let overhead = if bytes < 1.0 { 1.7 } else { 1.0 };
    let context = workload.context.map_or(0.0, |c| (c as f64 / FULL_CONTEXT).min(1.0));
    Ok(billions * bytes * overhead * (1.0 + 0.3 * context))
}

/// Full: weights, gradients and Adam's two states, 12 bytes a parameter and more; LoRA of 7B runs
/// in 15 GB, QLoRA in about half of that.
fn finetune(workload: &Workload, billions: f64) -> Result<f64, &'static str> {
    Ok(match workload.method.as_deref() {
        Some("full") | None => billions * 12.0,
        Some("lora") => billions * 15.0 / 7.0,
        Some("qlora") => billions * 10.0 / 7.0,
        Some(_) => return Err("method"),
    })
}

/// Cards that the tokens of a day keep busy in the hours of a day.
fn cards(workload: &Workload, params: &Params) -> u32 {
    let (Some(requests), Some(tokens)) = (workload.requests_per_day, workload.tokens) else { return 1 };
    if !matches!(workload.kind, WorkloadKind::Serve | WorkloadKind::Batch) {
        return 1;
    }
    let a_day = params.decimal("tokens_per_second") * Decimal::from(3600) * params.decimal("hours_per_day");
    let needed = Decimal::from(requests).checked_mul(Decimal::from(tokens)).and_then(|t| t.checked_div(a_day));
    needed.and_then(|n| n.ceil().to_u32()).unwrap_or(1).max(1)
}
