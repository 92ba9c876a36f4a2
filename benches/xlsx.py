#!/usr/bin/env python3
"""Writes a large workbook, the same cells for the same seed: a month of Tencent Cloud's detailed bill.

    pip install xlsxwriter
    python3 benches/xlsx.py --out /tmp/bench --rows 300000        # 25 columns, 32 MB, 3 minutes

Six of the columns are numbers, the others are text, as a console's export has them. Written row by row, so that
texts stand in their cells (inline strings).
"""

import argparse
import random
import time
from datetime import datetime, timedelta
from pathlib import Path

import xlsxwriter

HEADERS = ("支付者UIN,产品名称,计费模式,项目名称,地域,可用区,资源ID,实例名称,子产品名称,交易类型,订单ID,交易ID,扣费时间,开始使用时间,"
           "结束使用时间,组件类型,组件名称,组件用量,组件用量单位,使用时长,时长单位,组件原价,折扣率,优惠后总价,现金账户支出(元)").split(",")
BEGIN = datetime(2026, 10, 1)
HOURS = 744

# What is billed: share, product, sub-product, type and name of the component, unit, price in 1/10,000 CNY an hour and unit.
COMPONENTS = [
    (30, "云服务器CVM", "云服务器CVM-GPU计算型GN10X", "GPU实例", "实例-GPU计算型GN10X.2XLARGE40", "台", 123_000),
    (15, "云服务器CVM", "云服务器CVM-GPU计算型PNV4", "GPU实例", "实例-GPU计算型PNV4.7XLARGE116", "台", 143_200),
    (20, "云服务器CVM", "云服务器CVM-标准型S5", "CPU", "CPU-标准型S5", "核", 1_100),
    (25, "云硬盘CBS", "云硬盘CBS-增强型SSD云硬盘", "云硬盘", "增强型SSD云硬盘-存储空间", "GB", 14),
    (10, "云服务器CVM", "云服务器CVM-公网带宽", "带宽", "公网流量", "GB", 8_000),
]
REGIONS = [("华东地区(上海)", "上海五区"), ("华南地区(广州)", "广州六区"), ("华北地区(北京)", "北京七区")]


def resources(count, rng):
    for number in range(count):
        kind = rng.choices(COMPONENTS, [component[0] for component in COMPONENTS])[0]
        yield kind, rng.choice(REGIONS), f"ins-{rng.getrandbits(40):010x}", f"team{number % 11}-{number:04d}", rng.randrange(1, 500)


def row(n, resource, hour, times):
    """One line: an hour of a component, 12 % off, paid in cash."""
    (_, product, part, kind, name, unit, price), (region, zone), identity, alias, size = resource
    amount = 1 if unit == "台" else size
    total = price * amount * 100  # in 1/1,000,000 CNY
    after = total * 88 // 100
    return ("100000000042", product, "按量计费", "实验", region, zone, identity, alias, part, "按量计费小时结", "-", f"{20261001000000 + n}",
            times[hour + 1], times[hour], times[hour + 1], kind, name, amount, unit, 1, "小时", total / 1e6, 0.88, after / 1e6, after / 1e6)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=20261001)
    args = parser.parse_args()
    began, rng = time.monotonic(), random.Random(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    path = args.out / "bill.xlsx"
    billed = list(resources(-(-args.rows // HOURS), rng))
    times = [f"{BEGIN + timedelta(hours=hour):%Y-%m-%d %H:%M:%S}" for hour in range(HOURS + 1)]
    book = xlsxwriter.Workbook(path, {"constant_memory": True, "strings_to_numbers": False})
    book.set_properties({"created": BEGIN})
    sheet = book.add_worksheet("明细账单")
    sheet.write_row(0, 0, HEADERS)
    for n in range(args.rows):
        for column, cell in enumerate(row(n, billed[n % len(billed)], n // len(billed), times)):
            (sheet.write_string if isinstance(cell, str) else sheet.write_number)(n + 1, column, cell)
    book.close()
    print(f"{path}: {args.rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
