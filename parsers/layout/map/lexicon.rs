//! What the words of a header mean: trade words of bills, Chinese and English.
//!
//! The words are those of the trade, none a whole header of one vendor: `应付` and `金额`, not
//! `应付信息/应付金额（含税）`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

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
#[rustfmt::skip]
const WORDS: &[(Word, &str)] = &[
    (Account, "账号|账户|帐号|帐户|用户|会员|account|user|uid|member|subscriber"),
    (After, "后|after|net"),
    (Amortized, "摊销|分摊|amortized|amortised|effective|normalized"),
    (Amount, "额|amount"),
    (Balance, "余额|结余|balance"),
    (Before, "前|原|before"),
    (Bill, "账单|计费|出账|bill|billing"),
    (Charge, "扣费|收费|charge|charges|charged"),
    (Cost, "金额|费用|总价|总费|价款|花费|使用费|使用费用|cost|costs|fee|fees|expense|expenses|usage cost|usage costs|usage charge|usage charges|usage fee|usage in currency"),
    (Created, "创建|下单|created|create|creation"),
    (Currency, "币种|币别|货币|currency|ccy"),
    (Deduct, "抵扣|核销|欠费|deduct|deducted|deduction|offset|covered|arrears|outstanding|owing|debt"),
    (Description, "描述|备注|说明|详情|摘要|内容|description|desc|detail|details|remark|remarks|memo|note|notes|comment"),
    (Discount, "优惠|折扣|折让|减免|立减|直减|满减|让利|discount|discounted|discounts|rebate|rebates|savings|saving"),
    (Duration, "时长|小时数|时数|机时|卡时|核时|duration|hours|minutes|seconds|hrs|mins|secs|ms|runtime|uptime"),
    (End, "结束|截止|终止|到期|失效|释放|end|ends|ended|until|till|to|stop|stopped|finish|finished|expires|expiry|expiration"),
    (Factor, "公式|规则|因子|过程|阶梯|转换|状态|渠道|操作|formula|factor|tier|flag|status|state|rule|channel|conversion|overage|frequency|correction|eligible"),
    (Filler, "信息|数据|本次|的|该|info|information|in|of|the|my|x|by|per"),
    (Gpu, "显卡|卡数|卡|gpu|gpus|card|cards"),
    (Id, "编号|编码|代码|标识|号|id|ids|code|number|no|key|guid|uuid"),
    (Instance, "实例|主机|容器|服务器|机器|节点|虚拟机|instance|machine|pod|server|host|vm|node|container|cluster|endpoint"),
    (Invoice, "订单|发票|流水|单号|凭证|invoice|order|receipt"),
    (Line, "line|line item|lineitem"),
    (List, "原价|官网|目录|刊例|标准|原始|list|retail|catalog|catalogue|original|public|gross|non discounted|undiscounted|before discount|on demand|ondemand|pay g|payg|pay as you go"),
    (Measure, "gb|gib|tb|tib|mb|bytes"),
    (Mode, "方式|模式|mode"),
    (Month, "月份|账期|月|month"),
    (Name, "名称|昵称|别名|名|name|nickname|alias|title"),
    (Owner, "归属|使用者|操作者|所有者|owner|operator|publisher|issuer|issued|vendor|provider|主体"),
    (Paid, "实付|余额支付|余额扣款|余额抵扣|钱包支付|支付|现金|已付|付款|paid|payment|cash|pay"),
    (Payable, "应付|应收|应缴|结算|payable|due|billed|owed|invoiced"),
    (Payer, "支付者|付款方|客户|甲方|购买|购买者|租户|payer|customer|client|buyer|tenant|tenancy|organization|organisation"),
    (Percent, "率|比例|percent|percentage|ratio"),
    (Period, "周期|期间|区间|period|cycle|interval|term"),
    (Price, "单价|价格|价|price|pricing|rate|tariff|price per unit|price per quantity|price per|cost per unit|cost per quantity|cost per hour|cost per|charge per|fee per|hourly cost|unit cost|per hour|per unit"),
    (Product, "产品|商品|服务|product|service|item|products|services"),
    (Project, "项目|部门|团队|小组|课题|课题组|事业部|业务线|子账号|资源组|成本中心|project|workspace|team|department|subscription|sub account|subaccount|compartment|resource group|cost center|cost centre"),
    (Quantity, "数量|用量|使用量|总量|次数|quantity|qty|volume|count"),
    (Region, "地域|区域|地区|资源池|园区|机房|数据中心|位置|服务区|大区|region|location|site|datacenter|data center|data centre"),
    (Reserved, "预留|节省计划|套餐|资源包|订阅|退订|reservation|reserved|commitment|savings plan|capacity|benefit"),
    (Resource, "资源|resource"),
    (Sku, "计费项|组件|子产品|收费项|sku|meter|component"),
    (Spec, "规格|型号|配置|机型|卡型|选型|spec|specification|model|flavor|flavour|size|configuration"),
    (Spend, "消费|支出|扣款|扣减|spend|spent|spending"),
    (Start, "开始|起始|启动|开通|生效|起|start|starts|started|begin|begins|from|since"),
    (Tags, "标签|tag|tags|label|labels"),
    (Tax, "税|税额|税金|tax|vat|gst"),
    (Taxed, "含税|tax inclusive|including tax|incl tax"),
    (Time, "时间|日期|时刻|时点|日|time|date|datetime|timestamp|day|at"),
    (Total, "合计|总计|小计|总|total|subtotal|sum"),
    (Transaction, "交易|收支|流水|变动|transaction|trade"),
    (Type, "类型|种类|类别|分类|type|kind|category|class"),
    (Unit, "单位|unit|units|uom|measure"),
    (Untaxed, "不含税|未税|税前|no vat|excl vat|ex vat|pretax|pre tax|before tax|tax exclusive|exclusive tax|excluding tax|excl tax"),
    (Usage, "使用|消耗|usage|used|consumed|consumption|metered"),
    (Voucher, "代金券|优惠券|抵用券|现金券|储值卡|信用|券|赠送|赠金|voucher|vouchers|coupon|coupons|credit|credits|promo|promotion"),
    (Zone, "可用区|zone|availability zone|availability"),
];

/// Every trade word that a header is read with.
pub fn trade_words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().flat_map(|(_, texts)| texts.split('|'))
}

/// What a text means, if it is a trade word.
pub(super) fn meaning(text: &str) -> Option<Word> {
    static KNOWN: OnceLock<FxHashMap<&'static str, Word>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known = FxHashMap::default();
        for (word, texts) in WORDS {
            // Of a text that has two meanings the first is taken.
            for text in texts.split('|') {
                known.entry(text).or_insert(*word);
            }
        }
        known
    });
    known.get(text).copied()
}

/// How currencies are written in a header.
pub(super) const CURRENCIES: &[(&str, &[&str])] = &[
    ("CNY", &["cny", "rmb", "元", "人民币", "¥"]),
    ("USD", &["usd", "us$", "$", "美元", "dollars"]),
    ("EUR", &["eur", "€", "欧元"]),
    ("HKD", &["hkd", "hk$", "港币", "港元"]),
    ("GBP", &["gbp", "£"]),
    ("JPY", &["jpy", "日元"]),
    ("SGD", &["sgd"]),
];
