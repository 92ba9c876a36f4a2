//! One row of the V2 details, 61 cells.

use chrono::NaiveDateTime;
use rust_decimal::Decimal;

use super::random::Random;

/// The header, as the console exports it.
pub(super) const HEADER: &str = "标识信息/账单明细ID,标识信息/订单号,身份信息/客户名称,身份信息/资源购买账号ID,身份信息/资源购买账号,\
身份信息/资源归属账号ID,身份信息/资源归属账号,账单信息/服务主体,账单信息/账单月份,账单信息/账单日期,账单信息/费用类型,账单信息/交易类型,\
账单信息/消费时间,账单信息/服务开始时间,账单信息/服务结束时间,产品信息/产品Code,产品信息/产品名称,产品信息/商品Code,产品信息/商品名称,\
产品信息/计费项Code,产品信息/计费项名称,产品信息/选型配置,产品信息/规格,资源信息/资源ID,资源信息/实例ID（出账粒度）,资源信息/资源名称,\
资源信息/地域Code,资源信息/地域,资源信息/可用区,时长信息/抵扣前时长,时长信息/抵扣时长,时长信息/时长,时长信息/时长单位,时长信息/时长详情,\
用量信息/抵扣前用量,用量信息/抵扣用量,用量信息/用量,用量信息/用量单位,用量信息/用量详情,定价信息/官网目录价,定价信息/价格单位,\
定价信息/目录价用量阶梯,定价信息/用量阶梯累计规则,定价信息/目录价转换信息,定价信息/目录价因子,定价信息/定价币种,费用信息/目录总价,\
费用信息/计费公式,费用信息/计费辅助信息,费用信息/计费过程,费用信息/计费规则说明,订阅抵扣信息/订阅抵扣目录总价,订阅抵扣信息/订阅抵扣后金额,\
订阅抵扣信息/订阅抵扣金额,订阅抵扣信息/订阅抵扣详情,优惠信息/优惠金额,优惠信息/优惠后金额,优惠信息/优惠详情,优惠券抵扣信息/优惠券抵扣金额,\
优惠券抵扣信息/优惠券抵扣详情,应付信息/应付金额（含税）";

/// The account that the team buys with.
pub(super) const ACCOUNT: &str = "1688000000000077";

/// Product code and name, commodity code and name, item code and name.
pub(super) type Product = [&'static str; 6];

/// A row under construction.
pub(super) struct Row {
    cells: Vec<String>,
    list: Decimal,
    discount: Decimal,
    coupon: Decimal,
}

impl Row {
    /// A pay-as-you-go row of a product for a time.
    pub(super) fn new(random: &mut Random, product: Product, start: NaiveDateTime, end: NaiveDateTime) -> Self {
        let mut row = Self {
            cells: vec![String::new(); HEADER.split(',').count()],
            list: Decimal::ZERO,
            discount: Decimal::ZERO,
            coupon: Decimal::ZERO,
        };
        let shard = random.within(0, 511);
        let id = format!(
            "202610_0700v1_{shard:03}_{}_01_{:020}",
            random.hex(32),
            random.within(42_700_000_000, 42_799_999_999)
        );
        row.set("账单明细ID", id).set("账单月份", "202610").set("账单日期", start.format("%Y%m%d"));
        for (account, name) in [("资源购买账号ID", "资源购买账号"), ("资源归属账号ID", "资源归属账号")]
        {
            row.set(account, ACCOUNT).set(name, "kb-team");
        }
        row.set("服务主体", "阿里云计算有限公司").set("费用类型", "云资源按量费用").set("交易类型", "后付费");
        let shown = |time: NaiveDateTime| time.format("%Y-%m-%d %H:%M:%S").to_string();
        row.set("消费时间", shown(end)).set("服务开始时间", shown(start)).set("服务结束时间", shown(end));
        for (column, text) in
            ["产品Code", "产品名称", "商品Code", "商品名称", "计费项Code", "计费项名称"].into_iter().zip(product)
        {
            row.set(column, text);
        }
        row.set("定价币种", "CNY");
        row
    }

    /// Sets a cell by the last part of its header.
    pub(super) fn set(&mut self, column: &str, text: impl ToString) -> &mut Self {
        let at = HEADER.split(',').position(|h| h.rsplit('/').next() == Some(column));
        self.cells[at.unwrap_or_else(|| panic!("no column {column}"))] = text.to_string();
        self
    }

    /// Names what is billed, in the Beijing region.
    pub(super) fn resource(&mut self, id: &str, key: &str, name: &str) -> &mut Self {
        self.set("资源ID", id).set("实例ID（出账粒度）", key).set("资源名称", name);
        self.set("地域Code", "cn-beijing").set("地域", "华北2（北京）").set("可用区", "cn-beijing-h")
    }

    /// A price times a quantity, which the row explains.
    pub(super) fn metered(&mut self, price: Decimal, quantity: Decimal, unit: &str) -> &mut Self {
        self.list = (price * quantity).normalize();
        let (price, quantity) = (price.normalize(), quantity.normalize());
        self.set("抵扣前用量", quantity).set("抵扣用量", 0).set("用量", quantity).set("用量单位", unit);
        self.set("官网目录价", price).set("价格单位", format!("元/{unit}")).set("计费公式", "官网目录价*用量");
        self.set(
            "计费过程",
            format!(
                r#"{{"priceExpressInfo":{{"priceExpression":"baseprice_factor*quantity_factor","priceExpressionFactorValueMap":{{"baseprice_factor":"{price}","quantity_factor":"{quantity}"}},"precision":"10","round":"4"}}}}"#
            ),
        )
    }

    /// A package for a number of months.
    pub(super) fn package(&mut self, price: Decimal, months: u32, order: &str) -> &mut Self {
        self.list = price * Decimal::from(months);
        self.set("费用类型", "订阅预付费用").set("交易类型", "续费").set("订单号", order);
        self.set("抵扣前时长", months).set("抵扣时长", 0).set("时长", months).set("时长单位", "月");
        self.set("抵扣前用量", 1).set("抵扣用量", 0).set("用量", 1).set("用量单位", "台");
        self.set("官网目录价", price.normalize()).set("价格单位", "元/台/月").set("计费公式", "官网目录价*用量*时长")
    }

    /// A row that only states an amount.
    pub(super) fn amount(&mut self, fee: &str, trade: &str, amount: Decimal) -> &mut Self {
        self.list = amount.normalize();
        self.set("费用类型", fee).set("交易类型", trade)
    }

    /// So many percent off.
    pub(super) fn discount(&mut self, percent: u32, name: &str) -> &mut Self {
        self.discount = (self.list * Decimal::from(percent) / Decimal::ONE_HUNDRED).normalize();
        let left = (Decimal::from(100 - percent) / Decimal::TEN).normalize();
        let detail = format!(
            r#"[{{"优惠名称":"{name}","优惠金额":"{}","优惠类型":"折扣","优惠内容":"{left}折","优惠来源":"合同优惠","优惠顺序":"0"}}]"#,
            self.discount
        );
        self.set("优惠详情", detail)
    }

    /// A coupon.
    pub(super) fn coupon(&mut self, amount: Decimal) -> &mut Self {
        self.coupon = amount;
        self.set("优惠券抵扣详情", format!(r#"[{{"优惠券名称":"存储满减券","抵扣金额":"{amount}"}}]"#))
    }

    /// Free quota for all of a quantity: a JSON text within a JSON text, as the console writes it.
    pub(super) fn free(&mut self, quantity: Decimal, unit: &str) -> &mut Self {
        self.metered(Decimal::ZERO, Decimal::ZERO, unit);
        self.set("费用类型", "免费额度").set("抵扣前用量", quantity).set("抵扣用量", quantity);
        let detail = format!(
            r#"{{"用量":"0","用量计算公式":"用量=用量（原始单位）/1","抵扣前用量":"{quantity}","抵扣用量":"{quantity}","资源包抵扣详情":"[{{\"免费额度商品名称\":\"百炼大模型推理\",\"免费额度抵扣用量\":\"{quantity} {unit}\",\"免费额度承诺周期\":\"无周期\"}}]"}}"#
        );
        self.set("用量详情", detail)
    }

    /// What the row makes payable.
    pub(super) fn cost(&self) -> Decimal {
        self.list - self.discount - self.coupon
    }

    /// The cells, amounts filled in.
    pub(super) fn cells(mut self) -> Vec<String> {
        let after = (self.list - self.discount).normalize();
        let (list, discount, coupon, cost) =
            (self.list, self.discount, self.coupon.normalize(), self.cost().normalize());
        self.set("目录总价", list).set("优惠金额", discount).set("优惠后金额", after);
        self.set("优惠券抵扣金额", coupon).set("应付金额（含税）", cost);
        self.cells
    }
}
