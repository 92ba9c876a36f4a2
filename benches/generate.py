#!/usr/bin/env python3
"""Writes a large bill or a long utilization log, the same bytes for the same seed.

    python3 benches/generate.py bill  --out /tmp/bench --rows 5000000
    python3 benches/generate.py usage --out /tmp/bench --rows 20000000
    python3 benches/generate.py narrow --out /tmp/bench --rows 20000000

The bill has the 61 columns of Alibaba Cloud's consumeDetailBillV2: every resource is billed once
an hour in October 2026, so no line repeats another. All ids and names are made up. Amounts obey
list total - discount = after discount, after discount - coupon = payable, to the last digit.
The log is `nvidia-smi --query-gpu=... --format=csv,nounits -l 1` of a host with 8 cards. The narrow
one is of the same samples, and asks for the time, the index, the load, the memory and the power only.
"""

import argparse
import json
import random
import time
from datetime import datetime, timedelta
from pathlib import Path

HEADERS = (
    "标识信息/账单明细ID,标识信息/订单号,身份信息/客户名称,身份信息/资源购买账号ID,身份信息/资源购买账号,"
    "身份信息/资源归属账号ID,身份信息/资源归属账号,账单信息/服务主体,账单信息/账单月份,账单信息/账单日期,账单信息/费用类型,"
    "账单信息/交易类型,账单信息/消费时间,账单信息/服务开始时间,账单信息/服务结束时间,产品信息/产品Code,产品信息/产品名称,"
    "产品信息/商品Code,产品信息/商品名称,产品信息/计费项Code,产品信息/计费项名称,产品信息/选型配置,产品信息/规格,资源信息/资源ID,"
    "资源信息/实例ID（出账粒度）,资源信息/资源名称,资源信息/地域Code,资源信息/地域,资源信息/可用区,时长信息/抵扣前时长,"
    "时长信息/抵扣时长,时长信息/时长,时长信息/时长单位,时长信息/时长详情,用量信息/抵扣前用量,用量信息/抵扣用量,用量信息/用量,"
    "用量信息/用量单位,用量信息/用量详情,定价信息/官网目录价,定价信息/价格单位,定价信息/目录价用量阶梯,定价信息/用量阶梯累计规则,"
    "定价信息/目录价转换信息,定价信息/目录价因子,定价信息/定价币种,费用信息/目录总价,费用信息/计费公式,费用信息/计费辅助信息,"
    "费用信息/计费过程,费用信息/计费规则说明,订阅抵扣信息/订阅抵扣目录总价,订阅抵扣信息/订阅抵扣后金额,订阅抵扣信息/订阅抵扣金额,"
    "订阅抵扣信息/订阅抵扣详情,优惠信息/优惠金额,优惠信息/优惠后金额,优惠信息/优惠详情,优惠券抵扣信息/优惠券抵扣金额,"
    "优惠券抵扣信息/优惠券抵扣详情,应付信息/应付金额（含税）"
)
BEGIN = datetime(2026, 10, 1)
HOURS = 744
BLOCK = 20_000

# What is billed: share, product code and name, commodity code and name, item code and name,
# unit, price unit, and the specs with their price in 1/100,000 CNY a unit.
PRODUCTS = [
    (30, "ecs", "云服务器ECS", "ecs", "云服务器ECS-按量付费", "InstanceType", "云服务器配置", "小时", "元/小时",
     [("ecs.gn7e-c16g1.4xlarge", 3_474_200), ("ecs.gn7i-c16g1.4xlarge", 1_071_500), ("ecs.gn6i-c8g1.2xlarge", 1_184_000),
      ("ecs.gn7e-c16g1.32xlarge", 27_793_600), ("ecs.gn8is.2xlarge", 1_349_000), ("ecs.vgn7i-vws-m4.xlarge", 331_200)]),
    (12, "ecs", "云服务器ECS", "ecs", "云服务器ECS-按量付费", "InstanceType", "云服务器配置", "小时", "元/小时",
     [("ecs.c7.2xlarge", 192_000), ("ecs.g7.4xlarge", 480_000)]),
    (24, "yundisk", "块存储", "yundisk", "块存储-按量付费", "DataDisk", "数据盘大小", "GB", "元/GB",
     [("cloud_essd PL1", 210), ("cloud_essd PL0", 105)]),
    (8, "snapshot", "快照", "snapshot", "快照服务", "SnapshotSize", "快照容量", "GB", "元/GB", [("", 17)]),
    (10, "eip", "弹性公网IP", "eip", "弹性公网IP-按量付费", "NetworkOut", "公网流出流量", "GB", "元/GB", [("BGP", 80_000)]),
    (8, "oss", "对象存储OSS", "oss", "对象存储", "Storage", "标准存储容量", "GB", "元/GB", [("", 12)]),
    (8, "sfm", "大模型服务平台百炼", "sfm_inference_public_cn", "百炼大模型推理", "token_number", "模型推理用量", "千tokens",
     "元/千tokens", [("", 240)]),
]
REGIONS = [("cn-beijing", "华北2（北京）", "cn-beijing-l"), ("cn-hangzhou", "华东1（杭州）", "cn-hangzhou-j"),
           ("cn-shanghai", "华东2（上海）", "cn-shanghai-n")]
NANO = 10**9


def amount(nano):
    """A number of nano-CNY as the bill prints it: no needless zeros."""
    whole, part = divmod(nano, NANO)
    return f"{whole}.{part:09d}".rstrip("0") if part else str(whole)


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


class Resource:
    """The cells that are the same in every line of one billed resource."""

    def __init__(self, number, rng):
        kind = rng.choices(PRODUCTS, [product[0] for product in PRODUCTS])[0]
        _, code, product, commodity, commodity_name, item, item_name, unit, price_unit, specs = kind
        spec, self.price = rng.choice(specs)
        region, region_name, zone = rng.choice(REGIONS)
        account = 1_000_000_000_000_001 + number % 7
        name = f"team{number % 11}-{code}-{number:05d}"
        if number % 1999 == 7:
            name = quoted(f"{name}\n（第二行, \"备注\"）")
        identity = f"{code[0]}-2ze{rng.getrandbits(80):020x}"
        config = quoted(f"实例规格:{spec};操作系统:Linux;可用区:{zone}") if code == "ecs" else ""
        self.head = f",,示例科技有限公司,{account},user_{number % 7},{account},user_{number % 7},阿里云计算有限公司,202610,"
        self.product = f",{code},{product},{commodity},{commodity_name},{item},{item_name},{config},{spec},"
        self.product += f"{identity},{identity};{region},{name},{region},{region_name},{zone}"
        self.hourly = unit == "小时"
        self.span = ",1,0,1,小时," if self.hourly else ",,,,,"
        self.unit = f",{unit},"
        self.discount = rng.choice((0, 0, 0, 10, 15, 40))
        factor = quoted(json.dumps({"规格": spec or item, "地域": region}, ensure_ascii=False)) if number % 5 == 0 else ""
        self.shown_price = amount(self.price * 10**4)
        self.pricing = f",{price_unit},,,,{factor},CNY,"
        self.shift = 7 if code == "eip" else 0
        self.explained = number % 8 == 3
        self.subscribed = number % 97 == 5


def bill_line(n, hour, resource, bits, times):
    """One line: 128 random bits decide its quantity, its coupon and its id."""
    day, start, end = times
    kind, trade, tick = "云资源按量费用", "后付费", bits & 0xFFFF
    if resource.subscribed and hour == 0:
        kind, trade = "订阅预付费用", "新购"
    if resource.hourly:
        quantity, shown = 100, "1"
    else:
        quantity = 100 + (tick >> resource.shift)
        shown = f"{quantity / 100:.2f}"
    total = resource.price * quantity * 100  # 1/100,000 CNY x 1/100 unit, in nano-CNY
    price, before, free = resource.shown_price, shown, "0"
    if tick % 41 == 0 and not resource.hourly:
        kind, total, price, shown, free = "免费额度", 0, "0", "0", shown
    discount = total * resource.discount // 100
    after = total - discount
    coupon = min(after, 10_000_000) if bits >> 16 & 63 == 1 else 0
    detail = process = ""
    if discount:
        detail = quoted(f'[{{"优惠名称":"合同价{100 - resource.discount}折","优惠金额":"{amount(discount)}","优惠类型":"折扣"}}]')
    if resource.explained:
        process = quoted('{"priceExpressInfo":{"priceExpression":"baseprice_factor*quantity_factor","priceExpressionFactorValueMap":'
                         f'{{"baseprice_factor":"{price}","quantity_factor":"{shown}"}},"precision":"10","round":"4"}}}}')
    return (
        f"202610_0700v1_{n % 512:03d}_{bits:032x}_01_{n:020d}{resource.head}{day},{kind},{trade},{end},{start},{end}"
        f"{resource.product}{resource.span},{before},{free},{shown}{resource.unit},{price}{resource.pricing}{amount(total)},官网目录价*用量,,"
        f"{process},,,,,,{amount(discount)},{amount(after)},{detail},{amount(coupon)},,{amount(after - coupon)}\n"
    )


def bill(rows, seed, path):
    rng = random.Random(seed)
    resources = [Resource(number, rng) for number in range(-(-rows // HOURS))]
    times = []
    for hour in range(HOURS):
        start = BEGIN + timedelta(hours=hour)
        end = start + timedelta(hours=1)
        times.append((f"{start:%Y%m%d}", f"{start:%Y-%m-%d %H:%M:%S}", f"{end:%Y-%m-%d %H:%M:%S}"))
    bits, count = rng.getrandbits, len(resources)
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write("\ufeff" + HEADERS + "\n")
        for first in range(0, rows, BLOCK):
            block = range(first, min(first + BLOCK, rows))
            out.write("".join(bill_line(n, n // count, resources[n % count], bits(128), times[n // count]) for n in block))


def usage(rows, seed, path, narrow=False):
    """Samples of 8 cards a second apart: each card is idle, busy or in between for minutes on end."""
    rng = random.Random(seed)
    name, total, cards = "NVIDIA A100-SXM4-80GB", 81920, 8
    uuids = [f"GPU-{rng.getrandbits(32):08x}-{rng.getrandbits(16):04x}-4{rng.getrandbits(12):03x}-a{rng.getrandbits(12):03x}-"
             f"{rng.getrandbits(48):012x}" for _ in range(cards)]
    phases, left = [(0, 3)] * cards, [0] * cards
    bits, written, second = rng.getrandbits, 0, 0
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write("timestamp, index, utilization.gpu [%], memory.used [MiB], power.draw [W]\n" if narrow else
                  "timestamp, index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], "
                  "temperature.gpu\n")
        lines = []
        while written < rows:
            clock = f"{BEGIN + timedelta(seconds=second):%Y/%m/%d %H:%M:%S}"
            for card in range(min(cards, rows - written)):
                if left[card] == 0:
                    phases[card] = rng.choice(((0, 3), (0, 62_000), (88, 70_400), (40, 31_000)))
                    left[card] = 60 + bits(10)
                left[card] -= 1
                level, memory = phases[card]
                noise = bits(16)
                util = min(100, level + noise % 13) if level else 0
                shown = "[N/A]" if noise == 77 else util
                used, power = memory + noise % 7, f"{62 + util * 3}.{noise % 100:02d}"
                lines.append(f"{clock}.{353 + card}, {card}, {shown}, {used}, {power}\n" if narrow else
                             f"{clock}.{353 + card}, {card}, {uuids[card]}, {name}, {shown}, {used}, {total}, {power}, "
                             f"{34 + util // 3}\n")
                written += 1
            second += 1
            if len(lines) >= BLOCK or written >= rows:
                out.write("".join(lines))
                lines.clear()


def narrow(rows, seed, path):
    usage(rows, seed, path, narrow=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("bill", "usage", "narrow"))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--rows", type=int, help="lines or samples (5,000,000 and 20,000,000)")
    parser.add_argument("--seed", type=int, default=20261001)
    args = parser.parse_args()
    write, rows = {"bill": (bill, 5_000_000), "usage": (usage, 20_000_000), "narrow": (narrow, 20_000_000)}[args.what]
    args.out.mkdir(parents=True, exist_ok=True)
    began, path = time.monotonic(), args.out / f"{args.what}.csv"
    write(args.rows or rows, args.seed, path)
    print(f"{path}: {args.rows or rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
