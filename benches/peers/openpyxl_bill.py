#!/usr/bin/env python3
"""Does with openpyxl (read-only, values only) what `kashi ledger --totals` does with the generated workbook.

    python3 benches/peers/openpyxl_bill.py bill.xlsx

Every row becomes a line: times in UTC, exact amounts (the shortest text of a number), kind, category and terms,
the card by its instance type; kept in a list, then added up.
"""

import re
import sys
import tomllib
from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from openpyxl import load_workbook

INSTANCES = Path(__file__).parent.parent.parent / "parsers/catalogue/instances/tencent.toml"
BEIJING = timedelta(hours=8)
KINDS = [("退款|退费", "refund"), ("新购|续费", "subscription"), ("按量计费|小时结|日结|月结", "usage")]
CATEGORIES = [("快照", "snapshot"), ("流量|带宽", "egress"), ("云硬盘|存储", "storage"), ("GPU|CPU|实例", "compute")]
UNITS = {"小时": "hour", "GB": "gb"}
NAMES = ("支付者UIN", "项目名称", "订单ID", "扣费时间", "开始使用时间", "结束使用时间", "资源ID", "实例名称", "地域", "组件名称", "交易类型",
         "计费模式", "组件用量", "组件用量单位", "使用时长", "时长单位", "组件原价", "优惠后总价", "现金账户支出(元)")


@lru_cache(maxsize=None)
def time(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S") - BEIJING


def amount(value):
    return None if value is None else Decimal(str(value))


@lru_cache(maxsize=None)
def word(text, words):
    return next((word for pattern, word in words if re.search(pattern, text)), "other")


def types():
    known = tomllib.loads(INSTANCES.read_text(encoding="utf-8"))["types"]
    return {t["name"].upper(): (t["card"], t["cards"]) for t in known}


def lines(file):
    book = load_workbook(file, read_only=True, data_only=True)
    kinds, categories, cards = tuple(KINDS), tuple(CATEGORIES), types()
    for sheet in book.worksheets:
        rows = sheet.iter_rows(values_only=True)
        header = list(next(rows))
        places = [header.index(name) for name in NAMES]
        for row_number, cells in enumerate(rows, 2):
            (account, project, invoice, posted, start, end, resource, alias, region, sku, kind, mode, amount_used, amount_unit, used,
             unit, list_cost, cost, paid) = (cells[place] for place in places)
            named = re.search(r"([A-Z0-9a-z]+\.[0-9A-Z]+)", sku)
            card, count = cards.get(named[1].upper(), (None, None)) if named else (None, None)
            yield (file, sheet.title, row_number, "tencent", account, project, invoice, posted[:7], time(start), time(end), time(posted),
                   word(kind, kinds), "gpu" if card else word(sku, categories), "on_demand" if mode == "按量计费" else None, resource,
                   alias, region, sku, card, count, amount(used if used is not None else amount_used), UNITS.get(unit or amount_unit),
                   amount(list_cost), amount(cost), amount(paid), "CNY")


def main():
    ledger = list(lines(sys.argv[1]))
    totals = defaultdict(lambda: [0, Decimal(0)])
    for line in ledger:
        total = totals[line[-1], line[12]]
        total[0] += 1
        total[1] += line[-3]
    print("currency,category,lines,cost")
    for (currency, category), (count, cost) in sorted(totals.items()):
        print(currency, category, count, cost, sep=",")


if __name__ == "__main__":
    main()
