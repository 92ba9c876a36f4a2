//! The READMEs are true: the demo's report, the rules and the platforms in them are today's.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use kashi::text::Lang;
use kashi_parsers::layout::{Mark, Platform, shipped};
use kashi_rules::rules;

use crate::golden;

/// Findings that the README shows; the report has them all.
const SHOWN: usize = 5;

/// The head of the demo's report, its first findings, and the table of the two months.
fn demo(lang: Lang) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kashi"))
        .args(["audit", "fixtures/demo", "--lang", lang.as_str()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut shown = String::from("```text\n");
    let lines: Vec<&str> = text.lines().collect();
    let stop = lines.iter().position(|l| l.trim_start().starts_with(&format!("{}. ", SHOWN + 1))).unwrap();
    for line in &lines[..stop] {
        let _ = writeln!(shown, "{line}");
    }
    shown.push_str("  …\n\n");
    let table = lines.iter().position(|l| l.starts_with(lang.words().before_after)).unwrap();
    for line in lines[table..].iter().take_while(|l| !l.is_empty()) {
        let _ = writeln!(shown, "{line}");
    }
    shown.push_str("```\n");
    shown
}

fn rule_table(lang: Lang) -> String {
    let w = lang.words();
    let head = match lang {
        Lang::En => "| rule | code | amount | what it finds |\n|---|---|---|---|\n",
        Lang::Zh => "| 规则 | 代码 | 金额 | 找什么 |\n|---|---|---|---|\n",
    };
    let mut table = head.to_owned();
    for rule in rules().unwrap() {
        let body = rule.page.body(lang.into());
        let first = body.lines().skip_while(|l| !l.starts_with("## ")).skip(1).find(|l| !l.is_empty()).unwrap();
        let end = match lang {
            Lang::En => first.find(". ").map_or(first.len(), |at| at + 1),
            Lang::Zh => first.find('。').map_or(first.len(), |at| at + '。'.len_utf8()),
        };
        let zh = if lang == Lang::Zh { ".zh" } else { "" };
        let amount = rule.page.amount.map_or(w.none, |k| w.kind_of(k));
        let text = first[..end].trim_start_matches("- ");
        let _ = writeln!(
            table,
            "| [{}](rules/{}/{}{zh}.md) | {} | {amount} | {text} |",
            rule.name, rule.group, rule.name, rule.page.code
        );
    }
    table
}

fn platform_table(lang: Lang) -> String {
    let mut table = match lang {
        Lang::En => "| platform | export | columns |\n|---|---|---|\n".to_owned(),
        Lang::Zh => "| 平台 | 导出 | 列 |\n|---|---|---|\n".to_owned(),
    };
    for platform in shipped().unwrap().iter() {
        for layout in &platform.layouts {
            let (who, what) = match lang {
                Lang::En => (&platform.title.en, &layout.title.en),
                Lang::Zh => (&platform.title.zh, &layout.title.zh),
            };
            let mark = match (lang, layout.mark) {
                (Lang::En, mark) => mark.as_str(),
                (Lang::Zh, Mark::Confirmed) => "已证实",
                (Lang::Zh, Mark::SecondHand) => "转述",
                (Lang::Zh, Mark::Inferred) => "推断",
            };
            let _ = writeln!(table, "| {who} | {what} | {mark} |");
        }
    }
    table.push_str(&profiles(lang));
    table
}

/// The platforms that are known by their billing only.
fn profiles(lang: Lang) -> String {
    let profiles = shipped().unwrap().iter().filter(|p| p.is_profile());
    let name = |p: &Platform| match lang {
        Lang::En => format!("{} (`{}`)", p.title.en, p.name),
        Lang::Zh => format!("{}（`{}`）", p.title.zh, p.name),
    };
    let names: Vec<String> = profiles.map(|p| name(p.as_ref())).collect();
    match lang {
        Lang::En => format!(
            "\nProfile only: kashi knows how they bill, as far as that is known (`kashi platforms NAME`), and no export of theirs is documented, FOCUS aside, which is read as it is; [map your bill once](CONTRIBUTING.md) with `kashi map BILL --platform NAME`: {}.\n",
            names.join(", ")
        ),
        Lang::Zh => format!(
            "\n仅有计费档案：kashi 收录了已知的计费规则（`kashi platforms 名称`），但没有公开的导出格式（FOCUS 导出可直接读取）；用 `kashi map 账单 --platform 名称` [映射一次账单](CONTRIBUTING.md)即可：{}。\n",
            names.join("、")
        ),
    }
}

/// The utilization exports, in alphabetical order.
fn usage(lang: Lang) -> String {
    let mut names = kashi_parsers::usage::names();
    names.sort_by_key(|name| name.to_lowercase());
    match lang {
        Lang::En => format!("Utilization: {}.\n", names.join(", ")),
        Lang::Zh => format!("利用率数据：{}。\n", names.join("、")),
    }
}

#[test]
fn the_readmes_say_what_is() {
    for (file, lang) in [("README.md", Lang::En), ("README.zh-CN.md", Lang::Zh)] {
        let mut text = std::fs::read_to_string(file).unwrap();
        let blocks = [
            ("demo", demo(lang)),
            ("rules", rule_table(lang)),
            ("platforms", platform_table(lang)),
            ("usage", usage(lang)),
        ];
        for (mark, block) in blocks {
            let open = format!("<!-- {mark} -->\n");
            let start = text.find(&open).unwrap_or_else(|| panic!("{file}: no {open}")) + open.len();
            let end = start + text[start..].find("<!-- end -->").unwrap();
            text.replace_range(start..end, &block);
        }
        golden::check(Path::new(file), &text);
    }
}
