//! What the cells of a bill mean in the ledger's closed vocabularies: trade words again.

use std::sync::OnceLock;

use regex::Regex;

use crate::ledger::{Category, Kind, Terms};

/// Words of a kind of charge; the first pattern that is found decides.
const KINDS: &[(&str, Kind)] = &[
    ("手续费|滞纳金|违约金", Kind::Fee),
    ("退款|退费|退订|退还|返还|(?i)refund", Kind::Refund),
    ("充值|预存|(?i)top.?up|recharge|deposit", Kind::TopUp),
    (r"抹零|精度差异|尾差|(?i)\brounding|rounding_", Kind::Rounding),
    (r"税|(?i)\b(?:sales )?tax(?:es)?\b|\bvat\b|\bgst\b", Kind::Tax),
    ("赠送|补偿|返现|(?i)credit|promotion|coupon|voucher|discount|negation", Kind::Credit),
    ("调账|冲正|变更|升级|降级|升配|降配|变配|更正|(?i)adjust|correction", Kind::Correction),
    ("保底|服务支持|(?i)fee$|support", Kind::Fee),
    ("节省计划抵扣|资源包抵扣|(?i)covered|discounted ?usage", Kind::Usage),
    (
        "包年|包月|包周|包日|包天|预付|新购|续费|续订|订阅预付|预留实例|包周期|(?i)purchase|\\bbuy\\b|\\brenew|subscription|recurring|prepaid|upfront",
        Kind::Subscription,
    ),
    (
        "按量|按需|按时|后付|使用|用量|消费|支出|扣费|扣款|竞价|小时结|日结|月结|正常|免费额度|(?i)usage|consum|metered|on.?demand|pay.?as.?you|\\bspot\\b|free.?tier|\\bunused|postpaid|hourly|regular|charge|spend",
        Kind::Usage,
    ),
    ("预付|订阅|预留|节省计划", Kind::Subscription),
];

/// Words of the terms on which something was bought.
const TERMS: &[(&str, Terms)] = &[
    ("竞价|抢占|(?i)\\bspot|preemptible|interruptible", Terms::Spot),
    ("预留实例|节省计划|承诺|(?i)reserv|commit|savings.?plan", Terms::Committed),
    ("包日|包天|(?i)\\bdaily (?:plan|package)", Terms::Daily),
    ("包周|(?i)\\bweekly (?:plan|package)", Terms::Weekly),
    ("包月$|包年包月-月|(?i)\\bmonthly\\b", Terms::Monthly),
    ("包年$|包年包月-年|(?i)\\b(?:yearly|annual)\\b", Terms::Yearly),
    ("免费|(?i)free.?tier", Terms::Free),
    ("按量|按需|按时|后付|(?i)on.?demand|pay.?as.?you|payg|postpaid", Terms::OnDemand),
];

/// Words of what was charged for, in the order in which they decide.
const CATEGORIES: &[(&str, Category)] = &[
    ("快照|备份|(?i)snapshot|backup", Category::Snapshot),
    (r"镜像|(?i)\bimages?\b|registry", Category::Image),
    (r"闲置|停机保留|(?i)\bidle|unattached|\bunused\b", Category::Idle),
    ("流量|带宽|(?i)egress|outbound|data.?transfer|bandwidth|traffic|\\bCDN\\b", Category::Egress),
    (r"公网 ?IP|弹性公网|(?i)\bEIP\b|(?:public|static|floating|elastic) ?ips?\b|ipv4", Category::Ip),
    ("请求|调用次数|(?i)requests?\\b|\\btokens?\\b|\\bAPI\\b|operations", Category::Service),
    ("硬盘|云盘|磁盘|数据盘|系统盘|存储|(?i)storage|volume|\\bdisks?\\b|\\bblob\\b", Category::Storage),
    (
        r"云服务器|云主机|裸金属|实例|算力|卡时|(?i)\bGPUs?\b|vCPU|\bCPU\b|compute|instance|virtual machine|\bVM\b|\bpods?\b|droplet",
        Category::Compute,
    ),
];

struct Patterns<W: 'static> {
    compiled: OnceLock<Vec<(Regex, W)>>,
    texts: &'static [(&'static str, W)],
}

impl<W: Copy> Patterns<W> {
    const fn new(texts: &'static [(&'static str, W)]) -> Self {
        Self { compiled: OnceLock::new(), texts }
    }

    fn find(&self, text: &str) -> Option<W> {
        let compiled = self.compiled.get_or_init(|| {
            self.texts.iter().filter_map(|(pattern, word)| Some((Regex::new(pattern).ok()?, *word))).collect()
        });
        compiled.iter().find(|(pattern, _)| pattern.is_match(text)).map(|(_, word)| *word)
    }
}

static KIND: Patterns<Kind> = Patterns::new(KINDS);
static TERM: Patterns<Terms> = Patterns::new(TERMS);
static CATEGORY: Patterns<Category> = Patterns::new(CATEGORIES);

/// The kind of charge that a cell speaks of: a ledger word, or trade words in it.
pub(super) fn kind(cell: &str) -> Option<Kind> {
    Kind::from_word(cell).or_else(|| KIND.find(&spaced(cell)))
}

/// The terms that a cell speaks of.
pub(super) fn terms(cell: &str) -> Option<Terms> {
    Terms::from_word(cell).or_else(|| TERM.find(&spaced(cell)))
}

/// What a cell says was charged for.
pub(super) fn category(cell: &str) -> Option<Category> {
    Category::from_word(cell).or_else(|| CATEGORY.find(cell))
}

/// The patterns of the categories found among cells, as a platform file writes them.
pub(super) fn category_patterns<'c>(cells: impl Iterator<Item = &'c str>) -> Vec<(String, String)> {
    let found: Vec<Category> = cells.filter_map(category).collect();
    let written = CATEGORIES.iter().filter(|(_, word)| found.contains(word));
    written.map(|(pattern, word)| ((*pattern).to_owned(), word.as_str().to_owned())).collect()
}

/// Patterns for the kinds that a product's name gives away where a bill has no column of kinds.
pub(super) fn kinds_of_products() -> Vec<(String, String)> {
    [
        (r"(?i)\b(?:sales )?tax(?:es)?\b|\bvat\b|\bgst\b|税费|税金", Kind::Tax),
        (r"(?i)\brefunds?\b|退款|退费", Kind::Refund),
        (r"(?i)\bcredits?\b|赠送|补偿", Kind::Credit),
        (r"(?i)\btop.?up\b|充值", Kind::TopUp),
    ]
    .map(|(pattern, kind)| (pattern.to_owned(), kind.as_str().to_owned()))
    .into()
}

/// `SavingsPlanFee` as words, so that a pattern's word boundary is found in it.
fn spaced(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len() + 4);
    let mut lower = false;
    for c in cell.chars() {
        if c.is_ascii_uppercase() && lower {
            text.push(' ');
        }
        lower = c.is_ascii_lowercase();
        text.push(if c == '_' { ' ' } else { c });
    }
    text
}
