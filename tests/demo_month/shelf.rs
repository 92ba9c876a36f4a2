//! The images and snapshots that the team keeps.

use rust_decimal::Decimal;

/// An image or a snapshot at Alibaba Cloud.
pub(super) struct Kept {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) gb: u32,
    created: &'static str,
    used: &'static str,
}

const fn kept(id: &'static str, name: &'static str, gb: u32, created: &'static str, used: &'static str) -> Kept {
    Kept { id, name, gb, created, used }
}

/// CNY a GB and month.
pub(super) fn price() -> Decimal {
    Decimal::new(12, 2)
}

/// Of these, two are in use, and one is kept on purpose.
pub(super) const IMAGES: [Kept; 13] = [
    kept("m-2ze4kb0serve7w1q9x3", "kb-serve-2026.09", 60, "2026-09-11", "2026-10-30"),
    kept("m-2ze4kb0train8r2s5y6", "kb-qlora-2026.08", 75, "2026-08-20", "2026-10-19"),
    kept("m-2ze4kb0golden3t6u1z", "kb-serve-2026.06-回退", 60, "2026-06-03", "2026-06-28"),
    kept("m-2ze1cu118base0a1b2c", "cuda118-base", 180, "2025-09-02", "2025-12-19"),
    kept("m-2ze1cu121base3d4e5f", "cuda121-base", 210, "2025-11-14", "2026-03-06"),
    kept("m-2ze1vllm03old6g7h8j", "vllm-0.3", 240, "2025-12-01", "2026-02-11"),
    kept("m-2ze1vllm04old9k0m1n", "vllm-0.4", 240, "2026-01-20", "2026-04-08"),
    kept("m-2ze1vllm05old2p3q4r", "vllm-0.5", 255, "2026-03-15", "2026-06-02"),
    kept("m-2ze1ft13b0try5s6t7u", "ft-13b-试验", 320, "2026-02-24", "2026-03-30"),
    kept("m-2ze1ft70b0try8v9w0x", "ft-70b-试验", 410, "2026-03-02", "2026-03-18"),
    kept("m-2ze1jupyter0a1y2z3b", "jupyter-公共", 190, "2025-10-09", "2026-01-22"),
    kept("m-2ze1rerank0old4c5d6", "rerank-旧版", 165, "2026-01-06", "2026-05-14"),
    kept("m-2ze1ocr0old7e8f9g0h", "ocr-旧版", 150, "2025-12-28", "2026-07-03"),
];

/// Of these, the last two are young.
pub(super) const SNAPSHOTS: [Kept; 12] = [
    kept("s-2ze9wk20260105a1b2c", "数据盘-0105", 260, "2026-01-05", ""),
    kept("s-2ze9wk20260202d3e4f", "数据盘-0202", 260, "2026-02-02", ""),
    kept("s-2ze9wk20260302g5h6j", "数据盘-0302", 265, "2026-03-02", ""),
    kept("s-2ze9wk20260406k7m8n", "数据盘-0406", 270, "2026-04-06", ""),
    kept("s-2ze9wk20260504p9q0r", "数据盘-0504", 275, "2026-05-04", ""),
    kept("s-2ze9wk20260601s1t2u", "数据盘-0601", 280, "2026-06-01", ""),
    kept("s-2ze9wk20260706v3w4x", "数据盘-0706", 285, "2026-07-06", ""),
    kept("s-2ze9sys2026031y5z6a", "系统盘-升级前", 120, "2026-03-10", ""),
    kept("s-2ze9sys2026051b7c8d", "系统盘-换驱动前", 120, "2026-05-21", ""),
    kept("s-2ze9ft70b02603e9f0g", "70b-权重盘", 420, "2026-03-20", ""),
    kept("s-2ze9wk20260907h1j2k", "数据盘-0907", 40, "2026-09-07", ""),
    kept("s-2ze9wk20261005m3n4p", "数据盘-1005", 40, "2026-10-05", ""),
];

/// What the consoles list, in the columns that kashi reads.
pub(super) fn inventory() -> String {
    let mut text =
        "platform,account,kind,resource,size_gb,created_at,last_used_at,source,released_at,state\n".to_owned();
    for (kind, shelf) in [("image", IMAGES.as_slice()), ("snapshot", SNAPSHOTS.as_slice())] {
        for Kept { id, gb, created, used, .. } in shelf {
            let account = super::row::ACCOUNT;
            text.push_str(&format!("alibaba,{account},{kind},{id},{gb},{created},{used},,,\n"));
        }
    }
    // AutoDL stores 30 GB free of charge; the statement has one line a day for all images.
    text.push_str("autodl,,image,image-7d21c0qlora,30,2026-08-15,2026-10-27,,,\n");
    text.push_str("autodl,,image,image-1b9ae4llama2,45,2025-12-04,2026-02-20,,,\n");
    text.push_str("autodl,,image,image-5c03f8chatglm,55,2025-10-30,2026-01-15,,,\n");
    text.push_str(&format!("autodl,,instance,{},,2026-09-28,,,,stopped\n", super::autodl::KEPT));
    text
}
