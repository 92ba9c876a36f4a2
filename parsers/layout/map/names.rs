//! What the words of a header mean: trade words of bills, Chinese and English.
//!
//! The words are those of the trade, none a whole header of one vendor: `应付` and `金额`, not
//! `应付信息/应付金额（含税）`. A header is read as a sequence of them; what stands in brackets or
//! before a slash or a point is read apart.

use super::super::fold;

/// A word of the trade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Word {
    Account,
    After,
    Amortized,
    Amount,
    Balance,
    Before,
    Bill,
    Charge,
    Cost,
    Created,
    Currency,
    Deduct,
    Description,
    Discount,
    Duration,
    End,
    Factor,
    Filler,
    Gpu,
    Id,
    Instance,
    Invoice,
    Line,
    List,
    Measure,
    Mode,
    Month,
    Name,
    Owner,
    Paid,
    Payable,
    Payer,
    Percent,
    Period,
    Price,
    Product,
    Project,
    Quantity,
    Region,
    Reserved,
    Resource,
    Sku,
    Spec,
    Spend,
    Start,
    Tags,
    Tax,
    Taxed,
    Time,
    Total,
    Transaction,
    Type,
    Unit,
    Untaxed,
    Usage,
    Voucher,
    Zone,
}

use Word::*;

/// The words, Chinese ones found anywhere, English ones as whole words.
const WORDS: &[(Word, &[&str])] = &[
    (Account, &["账号", "账户", "帐号", "帐户", "用户", "account", "user", "uid"]),
    (After, &["后", "after", "net"]),
    (Amortized, &["摊销", "分摊", "amortized", "amortised", "effective", "normalized"]),
    (Amount, &["额", "amount"]),
    (Balance, &["余额", "结余", "balance"]),
    (Before, &["前", "原", "before"]),
    (Bill, &["账单", "计费", "出账", "bill", "billing"]),
    (Charge, &["扣费", "收费", "charge", "charges", "charged"]),
    (Cost, &["金额", "费用", "总价", "总费", "价款", "花费", "cost", "costs", "fee", "fees", "expense"]),
    (Created, &["创建", "下单", "created", "create", "creation"]),
    (Currency, &["币种", "币别", "货币", "currency", "ccy"]),
    (Deduct, &["抵扣", "核销", "欠费", "deduct", "deducted", "deduction", "offset", "covered", "arrears", "outstanding", "owing", "debt"]),
    (Description, &["描述", "备注", "说明", "详情", "摘要", "内容", "description", "desc", "detail", "details", "remark", "remarks", "memo", "note", "notes", "comment"]),
    (Discount, &["优惠", "折扣", "减免", "立减", "discount", "discounted", "rebate"]),
    (Duration, &["时长", "小时数", "duration", "hours", "minutes", "seconds", "hrs", "mins", "secs", "ms", "runtime", "uptime"]),
    (End, &["结束", "截止", "终止", "end", "ends", "ended", "until", "stop", "stopped", "finish"]),
    (Factor, &["公式", "规则", "因子", "过程", "阶梯", "转换", "状态", "渠道", "操作", "formula", "factor", "tier", "flag", "status", "state", "rule", "channel", "conversion", "overage", "frequency", "correction", "eligible"]),
    (Filler, &["信息", "数据", "本次", "的", "该", "info", "information", "in", "of", "the", "my", "x", "by", "per"]),
    (Gpu, &["显卡", "卡数", "卡", "gpu", "gpus", "card", "cards"]),
    (Id, &["编号", "编码", "代码", "标识", "号", "id", "ids", "code", "number", "no", "key", "guid", "uuid"]),
    (Instance, &["实例", "主机", "容器", "服务器", "机器", "节点", "虚拟机", "instance", "machine", "pod", "server", "host", "vm", "node", "container", "cluster", "endpoint"]),
    (Invoice, &["订单", "发票", "流水", "单号", "凭证", "invoice", "order", "receipt"]),
    (Line, &["line", "line item", "lineitem"]),
    (List, &["原价", "官网", "目录", "刊例", "标准", "原始", "list", "retail", "catalog", "catalogue", "original", "public", "gross", "non discounted", "undiscounted", "before discount", "on demand", "ondemand", "pay g", "payg", "pay as you go"]),
    (Measure, &["gb", "gib", "tb", "tib", "mb", "bytes"]),
    (Mode, &["方式", "模式", "mode"]),
    (Month, &["月份", "账期", "月", "month"]),
    (Name, &["名称", "昵称", "别名", "名", "name", "nickname", "alias", "title"]),
    (Owner, &["归属", "使用者", "操作者", "所有者", "owner", "operator", "publisher", "issuer", "issued", "vendor", "provider", "主体"]),
    (Paid, &["实付", "支付", "现金", "已付", "付款", "paid", "payment", "cash", "pay"]),
    (Payable, &["应付", "应收", "应缴", "结算", "payable", "due", "billed", "owed", "invoiced"]),
    (Payer, &["支付者", "付款方", "客户", "购买", "购买者", "租户", "payer", "customer", "client", "buyer", "tenant", "tenancy", "organization", "organisation"]),
    (Percent, &["率", "比例", "percent", "percentage", "ratio"]),
    (Period, &["周期", "期间", "区间", "period", "cycle", "interval", "term"]),
    (Price, &["单价", "价格", "价", "price", "pricing", "rate", "tariff"]),
    (Product, &["产品", "商品", "服务", "product", "service", "item", "products", "services"]),
    (Project, &["项目", "部门", "团队", "子账号", "资源组", "成本中心", "project", "workspace", "team", "department", "subscription", "sub account", "subaccount", "compartment", "resource group", "cost center", "cost centre"]),
    (Quantity, &["数量", "用量", "使用量", "总量", "次数", "quantity", "qty", "volume", "count"]),
    (Region, &["地域", "区域", "地区", "机房", "数据中心", "位置", "服务区", "大区", "region", "location", "datacenter", "data center", "data centre"]),
    (Reserved, &["预留", "节省计划", "套餐", "资源包", "订阅", "退订", "reservation", "reserved", "commitment", "savings plan", "capacity", "benefit"]),
    (Resource, &["资源", "resource"]),
    (Sku, &["计费项", "组件", "子产品", "收费项", "sku", "meter", "component"]),
    (Spec, &["规格", "型号", "配置", "机型", "选型", "spec", "specification", "model", "flavor", "flavour", "size", "configuration"]),
    (Spend, &["消费", "支出", "扣款", "spend", "spent", "spending"]),
    (Start, &["开始", "起始", "启动", "起", "start", "starts", "started", "begin", "begins", "from", "since"]),
    (Tags, &["标签", "tag", "tags", "label", "labels"]),
    (Tax, &["税", "税额", "税金", "tax", "vat", "gst"]),
    (Taxed, &["含税", "tax inclusive", "including tax", "incl tax"]),
    (Time, &["时间", "日期", "时刻", "日", "time", "date", "datetime", "timestamp", "day", "at"]),
    (Total, &["合计", "总计", "小计", "总", "total", "subtotal", "sum"]),
    (Transaction, &["交易", "收支", "流水", "transaction", "trade"]),
    (Type, &["类型", "种类", "类别", "分类", "type", "kind", "category", "class"]),
    (Unit, &["单位", "unit", "units", "uom", "measure"]),
    (Untaxed, &["不含税", "未税", "税前", "no vat", "excl vat", "ex vat", "pretax", "pre tax", "before tax", "tax exclusive", "exclusive tax", "excluding tax", "excl tax"]),
    (Usage, &["使用", "消耗", "usage", "used", "consumed", "consumption", "metered"]),
    (Voucher, &["代金券", "优惠券", "抵用券", "现金券", "储值卡", "信用", "券", "赠送", "赠金", "voucher", "vouchers", "coupon", "coupons", "credit", "credits", "promo", "promotion"]),
    (Zone, &["可用区", "zone", "availability zone", "availability"]),
];

/// Every trade word that a header is read with.
pub fn trade_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().flat_map(|(_, texts)| texts.iter().copied())
}

/// Words longest of which is tried first in a row of English ones.
const LONGEST_PHRASE: usize = 4;

/// A header, read.
#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    /// The words of its last part.
    pub(super) words: Vec<Word>,
    /// The words of the parts before it.
    pub(super) before: Vec<Word>,
    /// The words in brackets.
    pub(super) aside: Vec<Word>,
    /// How much of the last part is no known word: one a word in English, one for two characters in Chinese.
    pub(super) unknown: usize,
    /// Currency that the header states: `(元)`, `USD`.
    pub(super) currency: Option<&'static str>,
    /// Whether the header is nothing but that currency.
    pub(super) is_currency: bool,
}

impl Name {
    /// Reads a header.
    pub(super) fn read(header: &str) -> Self {
        let (plain, aside) = brackets(&split_case(header));
        let mut name = Self { currency: currency(&aside.join(" ")).or_else(|| currency(&plain)), ..Self::default() };
        name.is_currency = name.currency.is_some() && currency_words(&plain) == 1 && plain.split_whitespace().count() == 1;
        name.aside = aside.iter().flat_map(|a| words(a).0).collect();
        let parts: Vec<&str> = plain.split(['/', '.', ':']).map(str::trim).filter(|p| !p.is_empty()).collect();
        if let Some((last, before)) = parts.split_last() {
            let (found, unknown) = words(last);
            name.words = found;
            name.unknown = if name.is_currency { 0 } else { unknown };
            name.before = before.iter().flat_map(|part| words(part).0).collect();
        }
        name
    }

    /// Whether a word stands in its last part.
    pub(super) fn has(&self, word: Word) -> bool {
        self.words.contains(&word)
    }

    /// Whether a word stands anywhere in it.
    pub(super) fn has_anywhere(&self, word: Word) -> bool {
        self.has(word) || self.before.contains(&word) || self.aside.contains(&word)
    }
}

/// `UsageStartDate`, `usage_start_date` and `usage-start-date` as words, folded.
fn split_case(header: &str) -> String {
    let chars: Vec<char> = header.chars().collect();
    let mut text = String::with_capacity(header.len() + 8);
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|b| chars.get(b));
        let next = chars.get(at + 1);
        let begins = c.is_ascii_uppercase()
            && before.is_some_and(|b| {
                b.is_ascii_lowercase()
                    || b.is_ascii_digit()
                    || b.is_ascii_uppercase() && next.is_some_and(char::is_ascii_lowercase)
            });
        if begins {
            text.push(' ');
        }
        text.push(if matches!(c, '_' | '-') { ' ' } else { *c });
    }
    fold(&text)
}

/// The text without what stands in brackets, and that.
fn brackets(text: &str) -> (String, Vec<String>) {
    let (mut plain, mut aside) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(open) = rest.find(['(', '[']) {
        let Some(close) = rest[open..].find([')', ']']) else { break };
        plain.push_str(&rest[..open]);
        aside.push(rest[open + 1..open + close].to_owned());
        rest = &rest[open + close + 1..];
    }
    plain.push_str(rest);
    (plain, aside)
}

/// The words of a folded text, and how much of it is none.
fn words(text: &str) -> (Vec<Word>, usize) {
    let (mut found, mut unknown) = (Vec::new(), 0);
    let mut english: Vec<&str> = Vec::new();
    let is_english = |c: char| c.is_ascii_alphanumeric();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if is_english(c) {
            let end = rest.find(|c: char| !is_english(c)).unwrap_or(rest.len());
            english.push(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        if c.is_alphabetic() {
            unknown += phrases(&mut english, &mut found);
            let end = rest.find(|c: char| !c.is_alphabetic() || is_english(c)).unwrap_or(rest.len());
            unknown += chinese(&rest[..end], &mut found);
            rest = &rest[end..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
    }
    unknown += phrases(&mut english, &mut found);
    (found, unknown)
}

/// Takes the words of a row of English ones, the longest phrases first; the number of unknown ones.
fn phrases(english: &mut Vec<&str>, found: &mut Vec<Word>) -> usize {
    let mut unknown = 0;
    let mut at = 0;
    while at < english.len() {
        let longest = (1..=LONGEST_PHRASE.min(english.len() - at)).rev();
        let known = longest.into_iter().find_map(|n| Some((n, meaning(&english[at..at + n].join(" "))?)));
        match known {
            Some((n, word)) => {
                found.push(word);
                at += n;
            }
            None => {
                match glued(english[at]) {
                    Some(words) => found.extend(words),
                    // `costInUsd`: the currency is read on its own.
                    None if currency(english[at]).is_some() => {}
                    None => unknown += usize::from(!english[at].bytes().all(|b| b.is_ascii_digit())),
                }
                at += 1;
            }
        }
    }
    english.clear();
    unknown
}

/// The words of `starttime` or `unitprice`, if it is made of known ones throughout.
fn glued(text: &str) -> Option<Vec<Word>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let ends = (2..=text.len()).rev().filter(|end| *end > 2 || &text[..2] == "id");
    ends.into_iter().find_map(|end| {
        let first = meaning(text.get(..end)?)?;
        let mut words = vec![first];
        words.extend(glued(&text[end..])?);
        Some(words)
    })
}

/// Takes the words of a Chinese text, the longest first; half the number of characters that are in none.
fn chinese(text: &str, found: &mut Vec<Word>) -> usize {
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut unknown) = (0, 0usize);
    while at < chars.len() {
        let longest = (1..=LONGEST_PHRASE.min(chars.len() - at)).rev();
        let known = longest.into_iter().find_map(|n| Some((n, meaning(&chars[at..at + n].iter().collect::<String>())?)));
        match known {
            Some((n, word)) => {
                found.push(word);
                at += n;
            }
            None => {
                unknown += 1;
                at += 1;
            }
        }
    }
    unknown.div_ceil(2)
}

fn meaning(text: &str) -> Option<Word> {
    WORDS.iter().find(|(_, texts)| texts.contains(&text)).map(|(word, _)| *word)
}

/// How currencies are written in a header.
const CURRENCIES: &[(&str, &[&str])] = &[
    ("CNY", &["cny", "rmb", "元", "人民币", "¥"]),
    ("USD", &["usd", "us$", "$", "美元", "dollars"]),
    ("EUR", &["eur", "€", "欧元"]),
    ("HKD", &["hkd", "hk$", "港币", "港元"]),
    ("GBP", &["gbp", "£"]),
    ("JPY", &["jpy", "日元"]),
    ("SGD", &["sgd"]),
];

fn currency(text: &str) -> Option<&'static str> {
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | ',' | '.' | ':'));
    words.find_map(|word| CURRENCIES.iter().find(|(_, texts)| texts.contains(&word)).map(|(code, _)| *code))
}

fn currency_words(text: &str) -> usize {
    text.split_whitespace().filter(|word| currency(word).is_some()).count()
}
