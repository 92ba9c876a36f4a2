#!/usr/bin/env python3
"""Writes a company's September 2026 as a folder that `kashi audit` takes: bills, logs, inventory, kashi.toml.

    python3 benches/month.py --out /tmp/bench/month               # 100,000 lines, 100 cards, 4,320,000 samples
    target/debug/kashi audit /tmp/bench/month --out /tmp/bench/report

8 hosts of 8 A100 at Alibaba Cloud (hourly), 2 hosts of 8 V100 at Tencent Cloud, 20 cards at AutoDL, and what
lies around them: machines without cards, disks, snapshots, images, addresses, object storage, model calls, top-ups.
Every card is sampled once a minute by nvidia-smi. What an audit should find is planted: hosts that idle over
weekends, cards that were forgotten, copies of lines, amounts that do not follow, one file pulled again and again,
snapshots of the spring, paid disks of instances that are off, a balance for a year. The same bytes for the same seed.
"""

import argparse
import random
import time
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

from generate import HEADERS

BEGIN, DAYS = datetime(2026, 9, 1), 30
HOURS = DAYS * 24
ALIBABA, TENCENT = "1700000000000011", "100000000042"
TENCENT_HEADERS = (
    "支付者UIN,使用者UIN,操作者UIN,产品名称,计费模式,项目名称,地域,可用区,国内国际,资源ID,实例名称,子产品名称,交易类型,订单ID,"
    "交易ID,扣费时间,开始使用时间,结束使用时间,组件类型,组件名称,组件刊例价,组件单价,组件价格单位,组件用量,组件用量单位,使用时长,"
    "时长单位,组件原价,折扣率,优惠后总价,代金券支出(元),赠送账户支出(元),现金账户支出(元)"
)
COLUMNS = {header.split("/", 1)[1]: place for place, header in enumerate(HEADERS.split(","))}


def shown(amount):
    """A number as bills print it: no needless zeros, no exponent."""
    return f"{amount.normalize():f}"


def clock(hour):
    return f"{BEGIN + timedelta(hours=hour):%Y-%m-%d %H:%M:%S}"


class Alibaba:
    """The bill of Alibaba Cloud, with the 61 columns of consumeDetailBillV2."""

    def __init__(self, rng):
        self.rng, self.lines, self.total = rng, [], Decimal(0)

    def line(self, product, item, spec, resource, start, end, quantity, unit, price, discount=0, wrong=Decimal(0)):
        code, product_name, commodity = product
        total = Decimal(price) * Decimal(quantity)
        off = total * discount / 100
        cost = total - off + wrong
        hours = unit == "小时"
        cells = {
            "账单明细ID": f"202609_0700v1_{len(self.lines):012d}_{self.rng.getrandbits(64):016x}", "资源购买账号ID": ALIBABA,
            "资源购买账号": "lab", "资源归属账号ID": ALIBABA, "资源归属账号": "lab", "服务主体": "阿里云计算有限公司",
            "账单月份": "202609", "账单日期": clock(start)[:10].replace("-", ""), "费用类型": "云资源按量费用", "交易类型": "后付费",
            "消费时间": clock(end), "服务开始时间": clock(start), "服务结束时间": clock(end), "产品Code": code, "产品名称": product_name,
            "商品Code": commodity, "商品名称": product_name, "计费项Code": "Item", "计费项名称": item, "规格": spec, "资源ID": resource,
            "实例ID（出账粒度）": resource, "资源名称": resource, "地域Code": "cn-beijing", "地域": "华北2（北京）",
            "可用区": "cn-beijing-l", "用量": quantity, "用量单位": "台" if hours else unit, "官网目录价": price, "价格单位": f"元/{unit}",
            "定价币种": "CNY", "目录总价": shown(total), "计费公式": "官网目录价*用量", "优惠金额": shown(off), "优惠后金额": shown(cost),
            "优惠券抵扣金额": "0", "应付金额（含税）": shown(cost),
        }
        if hours:
            cells |= {"抵扣前时长": quantity, "抵扣时长": "0", "时长": quantity, "时长单位": unit}
        row = [""] * len(COLUMNS)
        for name, cell in cells.items():
            row[COLUMNS[name]] = str(cell)
        self.lines.append(",".join(row))
        self.total += cost

    def hourly(self, product, item, spec, resource, price, discount=0):
        for hour in range(HOURS):
            self.line(product, item, spec, resource, hour, hour + 1, "1", "小时", price, discount)

    def write(self, lines, folder):
        ecs, disk = ("ecs", "云服务器ECS", "ecs"), ("yundisk", "块存储", "yundisk")
        snapshot, oss = ("snapshot", "快照", "snapshot"), ("oss", "对象存储OSS", "oss")
        rng = self.rng
        for host in range(8):
            self.hourly(ecs, "云服务器配置", "ecs.gn7e-c16g1.32xlarge", f"i-2zea100train{host:02d}", "277.936", 35)
        for machine in range(10):
            self.hourly(ecs, "云服务器配置", "ecs.c7.2xlarge", f"i-2zec7web{machine:02d}", "1.92", 15)
        for number in range(40):
            size = rng.choice((100, 200, 500, 2048))
            for hour in range(HOURS):
                self.line(disk, "数据盘大小", "cloud_essd PL1", f"d-2ze{number:04d}", hour, hour + 1, size, "GB", "0.0021", 15)
        for number in range(25):
            size = 40 + rng.randrange(400)
            for hour in range(HOURS):
                self.line(snapshot, "快照容量", "", f"s-2zesnap{number:03d}", hour, hour + 1, size, "GB", "0.00017")
        for number in range(6):
            for hour in range(HOURS):
                gb = f"{rng.randrange(1, 300_000) / 10_000:.4f}"
                self.line(("eip", "弹性公网IP", "eip"), "公网流出流量", "BGP", f"eip-2ze{number:03d}", hour, hour + 1, gb, "GB", "0.8")
        for bucket in ("weights", "datasets", "logs", "checkpoints"):
            for hour in range(HOURS):
                self.line(oss, "标准存储容量", "", f"lab-{bucket}", hour, hour + 1, 5_000 + hour, "GB", "0.000167")
        for pull in range(150):
            self.line(oss, "外网流出流量", "", "lab-weights", pull * 4, pull * 4 + 1, "14", "GB", "0.5")
        for wrong in range(3):
            self.line(disk, "数据盘大小", "cloud_essd PL1", "d-2ze9999", wrong, wrong + 1, "100", "GB", "0.0021", wrong=Decimal("7.5"))
        for copy in self.lines[5:3605:300]:
            cells = copy.split(",")
            cells[0] += "c"
            self.lines.append(",".join(cells))
            self.total += Decimal(cells[-1])
        while len(self.lines) < lines:
            hour, tokens = rng.randrange(HOURS), f"{rng.randrange(1, 10**7) / 1000:.3f}"
            service = ("sfm", "大模型服务平台百炼", "sfm_inference_public_cn")
            self.line(service, "文本生成模型用量", "", f"llm-{rng.randrange(40):03d}", hour, hour + 1, tokens, "千tokens", "0.002")
        (folder / "consumedetailbillv2-2026-09.csv").write_text("\ufeff" + HEADERS + "\n" + "\n".join(self.lines) + "\n", encoding="utf-8")


def tencent(folder):
    """The L3 bill of two hosts and their disks; gives its number of lines and its total."""
    lines, total = [], Decimal(0)
    for host in range(2):
        for kind, name, resource, price in (
            ("GPU实例", "实例-GPU计算型GN10X.18XLARGE320", f"ins-v100lab{host}", Decimal("98.4")),
            ("云硬盘", "增强型SSD云硬盘-存储空间", f"disk-v100lab{host}", Decimal("2.78")),
        ):
            for hour in range(HOURS):
                after = price * Decimal("0.88")
                lines.append(
                    f"{TENCENT},{TENCENT},{TENCENT},云服务器CVM,按量计费,实验,华东地区(上海),上海五区,国内,{resource},{resource},云服务器CVM,"
                    f"按量计费小时结,-,{20261001000000 + len(lines)},{clock(hour + 1)},{clock(hour)},{clock(hour + 1)},{kind},{name},"
                    f"{price},{after},元/台/小时,1,台,1,小时,{price},0.88,{after},0,0,{after}"
                )
                total += after
    (folder / f"{TENCENT}-202609-L3.csv").write_text("\ufeff" + TENCENT_HEADERS + "\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return len(lines), total


def autodl(rng, folder):
    """The statement, newest first: 20 cards on for the month, 2 instances off for most of it, disks, top-ups."""
    events = []
    for number in range(20):
        events += [(hour * 3600 + 3599, number, "1.98", f"容器实例ID：{instance(number)}") for hour in range(HOURS)]
    for number in (20, 21):
        events += [(hour * 3600 + 3599, number, "1.98", f"容器实例ID：{instance(number)}") for hour in range(9, 20)]
    for day in range(DAYS):
        night = day * 86400 + 86399
        events += [(night, 30 + number, "3.30", f"容器实例ID：{instance(number)} 数据盘") for number in range(22)]
        events.append((night, 60, "1.00", "镜像存储"))
    events += [(day * 86400 + 33_000 + rng.randrange(9_000), 61, "-20000", "") for day in (0, 9, 19, 27)]
    balance, rows, total = Decimal("3000"), [], Decimal(0)
    for place, (second, _, amount, remark) in enumerate(sorted(events)):
        at, amount = BEGIN + timedelta(seconds=second), Decimal(amount)
        balance -= amount
        kind = "支出,消费,余额" if amount > 0 else "收入,充值,支付宝"
        total += max(amount, Decimal(0))
        rows.append(f"{at:%Y%m%d%H%M%S}{place:09d},{at:%Y-%m-%d %H:%M:%S},{kind},￥{abs(amount):.2f},￥{balance:.2f},{remark}")
    header = "\ufeff流水号,交易时间,收支类型,交易类型,交易渠道,交易金额,账户余额,备注\n"
    (folder / "autodl-2026-09.csv").write_text(header + "\n".join(reversed(rows)) + "\n", encoding="utf-8")
    return len(rows), total


def instance(number):
    return f"{number:02d}f1a7c9e2-5b6d{number:04x}"


# What each host's cards are doing, from hour to hour.
def busy(_hour, _rng):
    return True


def weekdays(hour, _rng):
    return (BEGIN + timedelta(hours=hour)).weekday() < 5


def forgotten(hour, _rng):
    return not 200 <= hour < 340


def mixed(_hour, rng):
    return rng.random() < 0.7


def hosts():
    """File, resource, platform, card's name, memory, power limit, cards, what they do."""
    for host in range(8):
        works = weekdays if host in (2, 5) else mixed if host == 7 else busy
        yield f"i-2zea100train{host:02d}", "alibaba", "A100 80G", "NVIDIA A100-SXM4-80GB", 81920, 400, 8, works
    for host in range(2):
        yield f"ins-v100lab{host}", "tencent", "V100 32G", "Tesla V100-SXM2-32GB", 32768, 300, 8, mixed
    for number in range(20):
        works = forgotten if number % 7 == 3 else busy
        yield instance(number), "autodl", "RTX 4090", "NVIDIA GeForce RTX 4090", 24564, 450, 1, works


def log(path, name, memory, limit, cards, works, rng):
    """One host's `nvidia-smi --query-gpu=… --format=csv -l 60`; gives its number of samples."""
    clocks = [f":{minute:02d}:{(7 * minute) % 60:02d}.{100 + minute}" for minute in range(60)]
    bits = rng.getrandbits
    with open(path, "w", encoding="utf-8", newline="") as out:
        out.write("timestamp, index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], power.limit [W]\n")
        for hour in range(HOURS):
            day = f"{BEGIN + timedelta(hours=hour):%Y/%m/%d %H}"
            on, lines = works(hour, rng), []
            for clock_of_minute in clocks:
                noise = bits(24)
                for card in range(cards):
                    noise = noise * 5 + card & 0xFFFFFF
                    util = 62 + noise % 38 if on else 0
                    used = memory * 6 // 10 + noise % 500 if on else 4
                    power = limit * (35 + util * 6 // 10) // 100 if on else limit // 7
                    seen = "[N/A]" if noise % 9973 == 1 else f"{util} %"
                    lines.append(f"{day}{clock_of_minute}, {card}, {name}, {seen}, {used} MiB, {memory} MiB, {power}.{noise % 90 + 10} W, {limit}.00 W\n")
            out.write("".join(lines))
    return HOURS * 60 * cards


def inventory(rng, path):
    rows = ["platform,account,kind,resource,size_gb,created_at,last_used_at,source,released_at,state"]
    for number in range(25):
        made = BEGIN - timedelta(days=rng.randrange(2, 240))
        rows.append(f"alibaba,{ALIBABA},snapshot,s-2zesnap{number:03d},{40 + number},{made:%Y-%m-%d},,d-2ze{number:04d},,")
    for number in range(30):
        used = BEGIN + timedelta(days=rng.randrange(-60, 29))
        rows.append(f"autodl,,image,image-{number:03d},{5 + number},{used - timedelta(days=20):%Y-%m-%d},{used:%Y-%m-%d},,,")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def settings(bills, path):
    parts = ['period = "2026-09"\nzone = "Asia/Shanghai"\nusage_zone = "+08:00"\n', '[[account]]\nplatform = "autodl"\nrefundable = false\n']
    parts += [f'[[statement]]\nfile = "bills/{name}"\ntotal = "{total:f}"\ncurrency = "CNY"\n' for name, total in bills]
    for name, size, card in (("answers", 7, "i-2zec7"), ("training", 70, "i-2zea100train00"), ("tuning", 7, instance(0))):
        parts.append(f'[[workload]]\nname = "{name}"\nkind = "serve"\nparams = "{size}"\nprecision = "fp16"\ncontext = 8192\n'
                     f'requests_per_day = 20000\ntokens = 800\nresource = "{card}"\n')
    for card, price in (("RTX 4090", "2.10"), ("L20", "6.00"), ("A100 80G", "12.00"), ("H20", "9.50")):
        parts.append(f'[[price]]\ncard = "{card}"\nterms = "on_demand"\nprice = "{price}"\nunit = "CNY/card-hour"\nsource = "market"\n')
    for resource, platform, card, _, _, _, cards, _ in hosts():
        parts.append(f'[[device]]\nplatform = "{platform}"\nresource = "{resource}"\ncard = "{card}"\ncards = {cards}\nfiles = ["usage/{resource}.csv"]\n')
    path.write_text("\n".join(parts), encoding="utf-8")


def month(lines, seed, out):
    rng = random.Random(seed)
    for folder in ("bills", "usage", "inventory"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    here, there = tencent(out / "bills"), autodl(rng, out / "bills")
    bill = Alibaba(rng)
    bill.write(lines - here[0] - there[0], out / "bills")
    settings([("consumedetailbillv2-2026-09.csv", bill.total), (f"{TENCENT}-202609-L3.csv", here[1]), ("autodl-2026-09.csv", there[1])],
             out / "kashi.toml")
    inventory(rng, out / "inventory/assets.csv")
    samples = 0
    for resource, _, _, name, memory, limit, cards, works in hosts():
        samples += log(out / f"usage/{resource}.csv", name, memory, limit, cards, works, rng)
    return len(bill.lines) + here[0] + there[0], samples


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--lines", type=int, default=100_000, help="lines of the bills, 90,000 at least")
    parser.add_argument("--seed", type=int, default=20260901)
    args = parser.parse_args()
    began = time.monotonic()
    lines, samples = month(args.lines, args.seed, args.out)
    size = sum(file.stat().st_size for file in args.out.rglob("*") if file.is_file())
    print(f"{args.out}: {lines:,} lines, {samples:,} samples, {size / 1e6:,.0f} MB, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
