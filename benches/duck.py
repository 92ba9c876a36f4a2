#!/usr/bin/env python3
"""Does with DuckDB what `kashi ledger --totals` and `kashi usage -o` do with the generated files.

    python3 benches/duck.py bill  bill.csv
    python3 benches/duck.py usage usage.csv hours.csv
    python3 benches/duck.py weighted usage.csv hours.csv
    python3 benches/duck.py narrow narrow.csv hours.csv

The same normalization: exact decimals, times in UTC, kind, category and card of every line, all of
it kept as a table, then grouped. Where DuckDB could be asked for less, it is: decimals of 18 digits
instead of 38 (the generated amounts fit), no number of the row, no list of refused cells, samples
counted as one second each. `weighted` has each sample stand for the time to the card's next one, two
seconds at most, as kashi does (which also cuts it at the end of the hour).
"""

import sys
import tomllib
from pathlib import Path

import duckdb

sys.path.insert(0, str(Path(__file__).parent))
from generate import HEADERS  # noqa: E402

INSTANCES = Path(__file__).parent.parent / "parsers/catalogue/instances/alibaba.toml"
MONEY, TIME, NUMBER = "DECIMAL(18,9)", "TIMESTAMP", "DECIMAL(18,9)"
TYPES = {
    "账单信息/消费时间": TIME, "账单信息/服务开始时间": TIME, "账单信息/服务结束时间": TIME, "用量信息/用量": NUMBER,
    "时长信息/时长": NUMBER, "费用信息/目录总价": MONEY, "优惠信息/优惠金额": MONEY, "优惠券抵扣信息/优惠券抵扣金额": MONEY,
    "应付信息/应付金额（含税）": MONEY,
}

LEDGER = """
CREATE TEMP TABLE ledger AS
SELECT
    "身份信息/资源购买账号ID" AS account, "身份信息/资源购买账号" AS account_name,
    left("账单信息/账单月份", 4) || '-' || right("账单信息/账单月份", 2) AS period,
    "账单信息/服务开始时间" - INTERVAL 8 HOUR AS start, "账单信息/服务结束时间" - INTERVAL 8 HOUR AS "end",
    "账单信息/消费时间" - INTERVAL 8 HOUR AS posted,
    CASE "账单信息/费用类型" WHEN '云资源按量费用' THEN 'usage' WHEN '免费额度' THEN 'usage'
        WHEN '订阅预付费用' THEN 'subscription' ELSE error('unknown kind of charge') END AS kind,
    CASE WHEN types.card IS NOT NULL THEN 'gpu' ELSE {category} END AS category,
    CASE "账单信息/费用类型" WHEN '免费额度' THEN 'free' WHEN '云资源按量费用' THEN 'on_demand' END AS terms,
    "资源信息/资源ID" AS resource, "资源信息/资源名称" AS resource_name, "资源信息/地域Code" AS region,
    "标识信息/订单号" AS invoice, "产品信息/计费项名称" AS sku, types.card AS card, types.cards AS cards,
    coalesce("时长信息/时长", "用量信息/用量") AS quantity,
    CASE coalesce("时长信息/时长单位", "用量信息/用量单位") WHEN '小时' THEN 'hour' WHEN 'GB' THEN 'gb'
        ELSE "用量信息/用量单位" END AS unit,
    CASE WHEN types.card IS NOT NULL THEN types.cards * "时长信息/时长" END AS card_hours,
    CAST(nullif(regexp_extract("费用信息/计费过程", '{price}', 1), '') AS DECIMAL(18,9)) AS list_price,
    "费用信息/目录总价" AS list_cost, "优惠信息/优惠金额" AS discount,
    "优惠券抵扣信息/优惠券抵扣金额" AS voucher, "应付信息/应付金额（含税）" AS cost, "定价信息/定价币种" AS currency
FROM read_csv('{file}', header = true, delim = ',', quote = '"', escape = '"', columns = {columns}) AS bill
LEFT JOIN types ON types.name = bill."产品信息/规格"
"""

# The words of the platform file for what the generator bills.
CATEGORY = """
CASE WHEN regexp_matches("产品信息/计费项名称", '快照') THEN 'snapshot'
     WHEN regexp_matches("产品信息/计费项名称", '流量|带宽') THEN 'egress'
     WHEN regexp_matches("产品信息/计费项名称", '盘|存储') THEN 'storage'
     WHEN regexp_matches("产品信息/计费项名称", '云服务器') THEN 'compute'
     WHEN regexp_matches("产品信息/计费项名称", '模型') THEN 'service'
     ELSE 'other' END
"""

PRICE = '"priceExpression":"baseprice_factor[*]quantity_factor","priceExpressionFactorValueMap":[{]"baseprice_factor":"([0-9.]+)"'

HOURS = """
COPY (
    SELECT {device} AS device, {name} AS name, date_trunc('hour', time - INTERVAL 8 HOUR) AS hour,
        {observed} AS observed_s, {idle} AS idle_s, {busy} AS busy_s,
        {mean} AS util_mean, quantile_disc(util, 0.95) AS util_p95, max(util) AS util_max,
        max(memory) AS memory_max, {total} AS memory_total, max(power) AS power_max,
        {full} AS full_s, max(power) FILTER (util >= 95) AS full_power_max
    FROM (
        SELECT *{span} FROM (
            SELECT * REPLACE (strptime(time, '%Y/%m/%d %H:%M:%S.%g') AS time, TRY_CAST(util AS SMALLINT) AS util)
            FROM read_csv('{file}', header = true, delim = ', ', quote = '', escape = '', auto_detect = false, columns = {columns})
        )
    )
    GROUP BY {device}, date_trunc('hour', time - INTERVAL 8 HOUR)
    ORDER BY device, hour
) TO '{out}' (HEADER)
"""
# One second a sample, or the time to the next.
COUNTED = {
    "span": "", "observed": "count(util)", "idle": "count(*) FILTER (util < 5)", "busy": "count(*) FILTER (util >= 70)",
    "full": "count(*) FILTER (util >= 95)", "mean": "avg(util)",
}
WEIGHTED = {
    "span": """, least(coalesce(epoch_us(lead(time) OVER (PARTITION BY uuid ORDER BY time)) - epoch_us(time), 1000000),
            2000000) AS span""",
    "observed": "sum(span) FILTER (util IS NOT NULL) / 1e6", "idle": "coalesce(sum(span) FILTER (util < 5) / 1e6, 0)",
    "busy": "coalesce(sum(span) FILTER (util >= 70) / 1e6, 0)", "full": "coalesce(sum(span) FILTER (util >= 95) / 1e6, 0)",
    "mean": "sum(util * span) / sum(span) FILTER (util IS NOT NULL)",
}
# By log: the columns, and what tells the card, its name and its memory.
NARROW = {"time": "VARCHAR", "card": "UTINYINT", "util": "VARCHAR", "memory": "INTEGER", "power": "DOUBLE"}
LOGS = {
    "usage": (
        {
            "time": "VARCHAR", "card": "UTINYINT", "uuid": "VARCHAR", "name": "VARCHAR", "util": "VARCHAR",
            "memory": "INTEGER", "total": "INTEGER", "power": "DOUBLE", "heat": "SMALLINT",
        },
        {"device": "uuid", "name": "any_value(name)", "total": "max(total)", **COUNTED},
    ),
    "narrow": (NARROW, {"device": "card", "name": "NULL", "total": "NULL", **COUNTED}),
}
LOGS["weighted"] = (LOGS["usage"][0], {**LOGS["usage"][1], **WEIGHTED})


def share(cards):
    """A number of cards such as 8 or 1/6, as text of a decimal."""
    upper, _, lower = cards.partition("/")
    return f"{int(upper) / int(lower or 1):.9f}"


def bill(connection, file):
    types = tomllib.loads(INSTANCES.read_text(encoding="utf-8"))["types"]
    connection.execute("CREATE TEMP TABLE types (name VARCHAR, card VARCHAR, cards DECIMAL(13,9))")
    connection.executemany("INSERT INTO types VALUES (?, ?, ?)", [(t["name"], t["card"], share(t["cards"])) for t in types])
    columns = {header: TYPES.get(header, "VARCHAR") for header in HEADERS.split(",")}
    connection.execute(LEDGER.format(file=file, columns=columns, category=CATEGORY, price=PRICE))
    print("currency,category,lines,cost")
    totals = "SELECT currency, category, count(*), sum(cost) FROM ledger GROUP BY ALL ORDER BY ALL"
    for row in connection.execute(totals).fetchall():
        print(*row, sep=",")


def main():
    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = false")
    match sys.argv[1:]:
        case ["bill", file]:
            bill(connection, file)
        case [("usage" | "narrow" | "weighted") as log, file, out]:
            columns, asked = LOGS[log]
            connection.execute(HOURS.format(file=file, out=out, columns=columns, **asked))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
