//! The catalogue: what is found in what, and what must not be.

use kashi_parsers::catalogue::{Form, card, cards, check, count_in, find_in, instance, instances, named};
use rust_decimal::Decimal;

use kashi::commands::cards::{CardsArgs, CardsFormat, run};

use crate::golden;

#[test]
fn the_embedded_files_are_sound() {
    check().unwrap();
    assert_eq!(cards().len(), 64);
    assert_eq!(instances().map(|all| all.types.len()).sum::<usize>(), 309);
}

#[test]
fn every_card_is_found_by_its_id_and_by_what_it_prints() {
    for known in cards() {
        assert_eq!(card(&known.id).unwrap().id, known.id);
        assert_eq!(card(&known.id.to_lowercase().replace('-', "_")).unwrap().id, known.id);
        for name in &known.names {
            let found = named(name, Some(known.memory()));
            assert!(found.iter().any(|other| other.id == known.id), "{name} is not {}", known.id);
            assert!(find_in(name).is_some(), "{name}");
        }
        for alias in &known.aliases {
            assert!(card(alias).is_some(), "{alias}");
        }
        assert!(known.vram_gb > 0 && known.memory() > 0 && !known.source.is_empty(), "{}", known.id);
    }
}

/// Siblings have a form or a memory that tells them apart.
#[test]
fn no_two_siblings_are_alike() {
    let mut seen: Vec<(&str, Option<Form>, u32)> = Vec::new();
    for known in cards() {
        let Some(model) = known.model.as_deref() else { continue };
        let key = (model, known.form, known.vram_gb);
        assert!(!seen.contains(&key), "{}", known.id);
        seen.push(key);
    }
}

const ALIASES: [(&str, &str); 22] = [
    ("A100", "A100-40G-SXM"),
    ("a100 80g", "A100-80G-SXM"),
    ("A100-PCIE-40GB", "A100-40G-PCIE"),
    ("NVIDIA A100 80GB PCIe", "A100-80G-PCIE"),
    ("NVIDIA-A100-80GB-PCIe", "A100-80G-PCIE"),
    ("nvidia_tesla_a100", "A100-40G-SXM"),
    ("Tesla V100", "V100-16G-SXM2"),
    ("V100-PCIe-32G", "V100-32G-PCIE"),
    ("GeForce RTX 4090", "RTX4090"),
    ("4090", "RTX4090"),
    ("4090-48G", "RTX4090-48G"),
    ("RTX 4090 D", "RTX4090D"),
    ("4090D", "RTX4090D"),
    ("RTX 3080 Ti", "RTX3080Ti"),
    ("h20", "H20-96G"),
    ("H20-141GB", "H20-141G"),
    ("H100", "H100-SXM"),
    ("H100 NVL", "H100-NVL"),
    ("H800 PCIe", "H800-PCIE"),
    ("A6000", "RTX-A6000"),
    ("Ascend 910B3", "Ascend-910B3"),
    ("T4g", "T4G"),
];

#[test]
fn an_alias_means_one_card() {
    for (alias, id) in ALIASES {
        assert_eq!(card(alias).map(|found| found.id.as_str()), Some(id), "{alias}");
    }
    for unknown in ["", "A", "A1000", "RTX", "NVIDIA", "910B", "80GB"] {
        assert_eq!(card(unknown), None, "{unknown}");
    }
}

const TEXTS: [(&str, Option<&str>); 44] = [
    ("RTX 4090 24GB * 1卡", Some("RTX4090")),
    ("RTX 4090 48GB * 1卡", Some("RTX4090-48G")),
    ("RTX 4090D * 2卡", Some("RTX4090D")),
    ("vGPU-32GB * 1卡", None),
    ("NVIDIA A100 80GB PCIe", Some("A100-80G-PCIE")),
    ("A100 PCIE 40GB * 1卡", Some("A100-40G-PCIE")),
    ("80G显存 A100*8", Some("A100-80G-SXM")),
    ("A100-SXM4-80GB", Some("A100-80G-SXM")),
    ("8xA100", Some("A100-40G-SXM")),
    ("A100x8 (80 GB)", Some("A100-80G-SXM")),
    ("8x H100 SXM5", Some("H100-SXM")),
    ("H100 80GB PCIe Gen5", Some("H100-PCIE")),
    ("GPU_P40", Some("P40")),
    ("P40 LRS Disk", None),
    ("P4 Disks", None),
    ("Tesla P4", Some("P4")),
    ("8*Ascend-snt9b1(32GB)", Some("Ascend-910B1")),
    ("Ascend: 1*ascend-snt9b1 | 24 vCPUs | 192 GiB", Some("Ascend-910B1")),
    ("t4g.xlarge", None),
    ("T4g.xlarge Linux", None),
    ("Nvidia Tesla T4 GPU running in Iowa", Some("T4")),
    ("Nvidia L4 GPU attached to Spot Preemptible VMs", Some("L4")),
    ("L4 support", None),
    ("A2 Instance Core running in Americas", None),
    ("NVIDIA A10 * 1/6", Some("A10")),
    ("A1000", None),
    ("ecs.gn7i-c8g1.2xlarge", None),
    ("2核4G 4090次", None),
    ("order 4090", None),
    ("4090*1", Some("RTX4090")),
    ("4090 24GB", Some("RTX4090")),
    ("单卡4090", Some("RTX4090")),
    ("V100 NVLink 32G", Some("V100-32G-SXM2")),
    ("Tesla V100-SXM2-32GB", Some("V100-32G-SXM2")),
    ("V100 PCIe", Some("V100-16G-PCIE")),
    ("NC24ads A100 v4", Some("A100-40G-SXM")),
    ("H20-NVLink(96G)/1颗", Some("H20-96G")),
    ("MI300X", Some("MI300X")),
    ("NVIDIA GeForce RTX 2080 Ti", Some("RTX2080Ti")),
    ("NVIDIA RTX PRO 6000 Blackwell Server Edition", Some("RTX-PRO-6000")),
    ("RTX PRO 6000 / 1卡", Some("RTX-PRO-6000")),
    ("A800-80G", Some("A800-80G-SXM")),
    ("数据盘 50GB", None),
    ("", None),
];

#[test]
fn a_card_is_found_in_a_text_as_whole_words_only() {
    for (text, id) in TEXTS {
        assert_eq!(find_in(text).map(|found| found.id.as_str()), id, "{text}");
    }
}

const COUNTS: [(&str, Option<&str>); 24] = [
    ("RTX 4090 24GB * 1卡", Some("1")),
    ("RTX 4090 * 2卡", Some("2")),
    ("NVIDIA A100 x8", Some("8")),
    ("A100x8", Some("8")),
    ("8*Ascend-snt9b1(32GB)", Some("8")),
    ("8xA100", Some("8")),
    ("8 × H100", Some("8")),
    ("H20/1颗", Some("1")),
    ("NVIDIA A10 * 1/6", Some("0.166666666666666667")),
    ("1/2卡 T4", Some("0.5")),
    ("0.5卡", Some("0.5")),
    ("4 GPUs", Some("4")),
    ("双卡 3090", Some("2")),
    ("4090*1", Some("1")),
    ("A100", None),
    ("RTX 4090", None),
    ("RTX 40", Some("40")),
    ("g5.2xlarge", None),
    ("a 2xlarge", None),
    ("ecs.gn8is-8x.32xlarge", None),
    ("4090卡", None),
    ("A100卡", None),
    ("A100 * 0", None),
    ("A100 * 1/0", None),
];

#[test]
fn a_text_says_how_many_cards() {
    for (text, count) in COUNTS {
        let expected = count.map(|count| count.parse::<Decimal>().unwrap());
        assert_eq!(count_in(text), expected, "{text}");
    }
}

#[test]
fn the_memory_tells_cards_of_one_name_apart() {
    let ids = |name: &str, mib| named(name, mib).iter().map(|card| card.id.as_str()).collect::<Vec<_>>();
    assert_eq!(ids("NVIDIA GeForce RTX 4090", None), ["RTX4090", "RTX4090-48G"]);
    assert_eq!(ids("NVIDIA GeForce RTX 4090", Some(24564)), ["RTX4090"]);
    assert_eq!(ids("NVIDIA GeForce RTX 4090", Some(49140)), ["RTX4090-48G"]);
    assert_eq!(ids("NVIDIA GeForce RTX 4090", Some(12288)), ["RTX4090", "RTX4090-48G"]);
    assert_eq!(ids("NVIDIA A10", Some(22731)), ["A10"]);
    assert!(ids("NVIDIA A40-8Q", Some(8192)).is_empty());
    assert!(ids("NVIDIA A100-SXM4-40GB MIG 1g.5gb", None).is_empty());
}

const INSTANCES: [(&str, &str, Option<(&str, &str, &str)>); 29] = [
    ("aws", "p3.2xlarge", Some(("p3.2xlarge", "V100-16G-SXM2", "1"))),
    ("huawei", "p3.2xlarge.8", Some(("p3.2xlarge.8", "A100-80G-PCIE", "1"))),
    ("huawei", "p3.2xlarge.8.linux", Some(("p3.2xlarge.8", "A100-80G-PCIE", "1"))),
    ("aws", "p3.2xlarge.8", None),
    ("huawei", "p3.2xlarge", None),
    ("aws", "USE1-BoxUsage:p4d.24xlarge", Some(("p4d.24xlarge", "A100-40G-SXM", "8"))),
    ("aws", "p4de.24xlarge", Some(("p4de.24xlarge", "A100-80G-SXM", "8"))),
    ("aws", "USW2-Train:ml.g5.xlarge", Some(("g5.xlarge", "A10G", "1"))),
    ("aws", "EBS:VolumeUsage.gp3", None),
    ("aws", "BoxUsage:t4g.xlarge", None),
    ("aws", "g5g.xlarge", Some(("g5g.xlarge", "T4G", "1"))),
    (
        "alibaba",
        "实例规格:ecs.gn7e-c16g1.4xlarge;操作系统:Linux",
        Some(("ecs.gn7e-c16g1.4xlarge", "A100-80G-SXM", "1")),
    ),
    ("alibaba", "ECS.GN7E-C16G1.32XLARGE", Some(("ecs.gn7e-c16g1.32xlarge", "A100-80G-SXM", "8"))),
    ("alibaba", "gn7i-c8g1.2xlarge", Some(("ecs.gn7i-c8g1.2xlarge", "A10", "1"))),
    ("alibaba", "ecs.gn5i-c2g1.large-2vCPU-8GB-1*NVIDIA_P4", Some(("ecs.gn5i-c2g1.large", "P4", "1"))),
    ("alibaba", "ecs.vgn7i-vws-m4.xlarge", Some(("ecs.vgn7i-vws-m4.xlarge", "A10", "0.166666666666666667"))),
    ("alibaba", "ecs.c7.large", None),
    ("alibaba", "ecs.gn7e-c16g1.4xlarge2", None),
    ("azure", "Standard_NC24ads_A100_v4", Some(("Standard_NC24ads_A100_v4", "A100-80G-PCIE", "1"))),
    ("azure", "NC24ads A100 v4 Spot", Some(("Standard_NC24ads_A100_v4", "A100-80G-PCIE", "1"))),
    ("azure", "Standard_D4s_v3", None),
    ("gcp", "a2-highgpu-8g", Some(("a2-highgpu-8g", "A100-40G-SXM", "8"))),
    ("tencent", "GN10Xp.2XLARGE40", Some(("GN10Xp.2XLARGE40", "V100-32G-SXM2", "1"))),
    ("tencent", "机型:GN7.LARGE20,", Some(("GN7.LARGE20", "T4", "0.25"))),
    ("tencent", "HCCPNV6.96XLARGE2304", Some(("HCCPNV6", "H20-96G", "8"))),
    ("huawei", "8*Ascend-snt9b1(32GB)", Some(("8*ascend-snt9b1(32GB)", "Ascend-910B1", "8"))),
    ("huawei", "Ascend: 1*ascend-snt9b1 | 24 vCPUs | 192 GiB", Some(("1*ascend-snt9b1", "Ascend-910B1", "1"))),
    ("nobody", "p3.2xlarge", None),
    ("aws", "", None),
];

#[test]
fn an_instance_type_is_found_at_its_own_provider() {
    for (provider, text, expected) in INSTANCES {
        let found = instance(provider, text);
        let found = found.map(|kind| (kind.name.as_str(), kind.card.unwrap(), kind.cards.to_string()));
        let expected = expected.map(|(name, card, cards)| (name, card, cards.to_owned()));
        assert_eq!(found, expected, "{provider} {text}");
    }
}

#[test]
fn every_instance_type_is_found_by_its_name_and_holds_a_card_of_its_memory() {
    for kind in instances().flat_map(|all| &all.types) {
        let text = format!("x:{};y", kind.name);
        assert_eq!(instance(kind.provider, &text).map(|found| &found.name), Some(&kind.name));
        let held = card(kind.card.unwrap()).unwrap();
        let odd = kind.name == "8*ascend-snt9b1(32GB)";
        assert!(odd || held.vram_gb == kind.vram_gb, "{}: {} GB", kind.name, kind.vram_gb);
    }
}

#[test]
fn the_command_lists_cards_and_shows_one_in_full() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cards");
    let shown = |query: &str, format| {
        let mut out = Vec::new();
        run(&CardsArgs { query: Some(query.to_owned()), format }, &mut out).map(|()| String::from_utf8(out).unwrap())
    };
    golden::check(&folder.join("hopper.txt"), &shown("hopper", CardsFormat::Text).unwrap());
    golden::check(&folder.join("a100.txt"), &shown("A100", CardsFormat::Text).unwrap());
    golden::check(&folder.join("p3.2xlarge.txt"), &shown("p3.2xlarge", CardsFormat::Text).unwrap());
    golden::check(&folder.join("hopper.csv"), &shown("hopper", CardsFormat::Csv).unwrap());
    golden::check(&folder.join("p4.json"), &shown("P4", CardsFormat::Json).unwrap());
    let error = shown("A10O", CardsFormat::Text).unwrap_err().to_string();
    assert_eq!(error, "no card or instance type is called \"A10O\"; did you mean A10?");
    let error = shown("abacus", CardsFormat::Text).unwrap_err().to_string();
    assert_eq!(error, "no card or instance type is called \"abacus\"; `kashi cards` lists them all");
}
