#!/usr/bin/env python3
"""Does with polars what `kashi ledger --totals` does with the generated bill of Alibaba Cloud.

    python3 benches/peers/polars_bill.py bill.csv

Every column is read as text and cast, as exact amounts need it: with a schema of decimals polars took twice the
time. The columns of the ledger are kept as a table (streaming engine), then grouped. As DuckDB in duck.py it is
asked for less than kashi does: decimals of 9 places, excess digits rounded without a word, the first bad cell stops it.
"""

import re
import sys
import tomllib
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).parent.parent))
from duck import INSTANCES, PRICE, share  # noqa: E402

MONEY = pl.Decimal(38, 9)
KINDS = {"云资源按量费用": "usage", "免费额度": "usage", "订阅预付费用": "subscription"}
TERMS = {"免费额度": "free", "云资源按量费用": "on_demand"}
UNITS = {"小时": "hour", "GB": "gb"}
CATEGORIES = [("快照", "snapshot"), ("流量|带宽", "egress"), ("盘|存储", "storage"), ("云服务器", "compute"), ("模型", "service")]


def time(column):
    """A local time of the bill in UTC."""
    return pl.col(column).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us").dt.offset_by("-8h")


def number(*columns):
    return pl.coalesce(*(pl.col(column) for column in columns)).cast(MONEY)


def category():
    """The words of the platform file for what the generator bills."""
    item = pl.col("产品信息/计费项名称")
    chosen = pl.when(pl.col("card").is_not_null()).then(pl.lit("gpu"))
    for words, word in CATEGORIES:
        chosen = chosen.when(item.str.contains(words)).then(pl.lit(word))
    return chosen.otherwise(pl.lit("other"))


def types():
    known = tomllib.loads(INSTANCES.read_text(encoding="utf-8"))["types"]
    frame = pl.DataFrame({key: [t[key] for t in known] for key in ("name", "card", "cards")})
    return frame.with_columns(pl.col("cards").map_elements(share, return_dtype=pl.String).cast(MONEY)).lazy()


def ledger(file):
    bill = pl.scan_csv(file, infer_schema=False).join(types(), left_on="产品信息/规格", right_on="name", how="left")
    month, kind = pl.col("账单信息/账单月份"), pl.col("账单信息/费用类型")
    unit = pl.coalesce("时长信息/时长单位", "用量信息/用量单位")
    return bill.select(
        account="身份信息/资源购买账号ID", account_name="身份信息/资源购买账号",
        period=month.str.head(4) + "-" + month.str.tail(2),
        start=time("账单信息/服务开始时间"), end=time("账单信息/服务结束时间"), posted=time("账单信息/消费时间"),
        kind=kind.replace_strict(KINDS), category=category(), terms=kind.replace_strict(TERMS, default=None),
        resource="资源信息/资源ID", resource_name="资源信息/资源名称", region="资源信息/地域Code", invoice="标识信息/订单号",
        sku="产品信息/计费项名称", card="card", cards="cards", quantity=number("时长信息/时长", "用量信息/用量"),
        unit=unit.replace(UNITS), card_hours=pl.col("cards") * number("时长信息/时长"),
        list_price=pl.col("费用信息/计费过程").str.extract(PRICE.replace("[{]", re.escape("{"))).cast(MONEY),
        list_cost=number("费用信息/目录总价"), discount=number("优惠信息/优惠金额"),
        voucher=number("优惠券抵扣信息/优惠券抵扣金额"), cost=number("应付信息/应付金额（含税）"), currency="定价信息/定价币种",
    ).collect(engine="streaming")


def main():
    totals = ledger(sys.argv[1]).group_by("currency", "category").agg(pl.len().alias("lines"), pl.col("cost").sum())
    print(totals.sort("currency", "category").write_csv(), end="")


if __name__ == "__main__":
    main()
