//! Charges for what does not run.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use kashi_parsers::ledger::{Category, Kind, Line, Terms};
use rust_decimal::Decimal;

use super::power::{Instance, Instances, Span};
use crate::shown::{common, fact, figure, grain, hours, money, share};
use crate::{AmountKind, Case, Claim, Finding, Params, Severity, Verdict};

/// Judges a case.
pub(crate) fn check(case: &Case, params: &Params) -> Verdict {
    let at_least = TimeDelta::days(params.count("off_days").max(0));
    let instances = Instances::of(case, at_least);
    let mut charged: BTreeMap<Subject<'_>, Vec<Charge<'_>>> = BTreeMap::new();
    for line in case.charges().filter(|l| l.period() == case.period && is_meter(*l)) {
        let Some(resource) = line.resource() else { continue };
        if let Some((sentence, charge)) = judge(case, &instances, line) {
            let subject = (line.platform(), line.account(), resource, line.currency(), sentence);
            charged.entry(subject).or_default().push(charge);
        }
    }
    let mut verdict = Verdict::default();
    for (subject, charges) in &charged {
        say(case, *subject, charges, &mut verdict);
    }
    verdict
}

type Subject<'a> = (&'a str, Option<&'a str>, &'a str, &'a str, &'static str);

/// The part of a line that was charged while nothing ran.
struct Charge<'a> {
    line: Line<'a>,
    instance: &'a str,
    amount: Decimal,
    time: TimeDelta,
    off: Span,
    days: i64,
}

/// A charge that depends on whether something runs: a package does not.
fn is_meter(line: Line<'_>) -> bool {
    line.kind() == Kind::Usage && line.cost() > Decimal::ZERO && !line.terms().is_some_and(Terms::is_package)
}

fn judge<'a>(case: &'a Case, instances: &Instances<'a>, line: Line<'a>) -> Option<(&'static str, Charge<'a>)> {
    if line.category() == Category::Idle {
        let off = (line.start().unwrap_or(case.start), line.end().unwrap_or(case.end));
        let time = off.1 - off.0;
        return Some((
            "holding",
            Charge { line, instance: line.resource()?, amount: line.cost(), time, off, days: time.num_days() },
        ));
    }
    if let Some(released) = instances.released(line) {
        return after(case, line, released).map(|charge| ("released", charge));
    }
    let (id, instance) = instances.charged_by(line)?;
    let named = |charge: Charge<'a>| Charge { instance: id, ..charge };
    match line.category() {
        Category::Gpu | Category::Compute => {
            after(case, line, instance.stopped_since()?).map(|charge| ("card", charge))
        }
        Category::Storage => while_off(line, instance).map(|charge| ("disk", named(charge))),
        Category::Ip => while_off(line, instance).map(|charge| ("address", named(charge))),
        _ => None,
    }
}

/// What a line charges from some time on, if that is more than the platform's rounding.
fn after<'a>(case: &Case, line: Line<'a>, since: DateTime<Utc>) -> Option<Charge<'a>> {
    let span = line.start().zip(line.end()).filter(|(start, end)| start < end)?;
    let off = (since, case.end.max(span.1));
    let time = common(span, off);
    let amount = share(line.cost(), hours(time), hours(span.1 - span.0));
    let rounding = if span.0 >= since { TimeDelta::zero() } else { grain(case, line.platform()) };
    let charge = Charge { line, instance: line.resource()?, amount, time, off, days: (off.1 - off.0).num_days() };
    (time > rounding).then_some(charge)
}

/// What a line charges in the stretches in which its instance was off.
fn while_off<'a>(line: Line<'a>, instance: &Instance<'_>) -> Option<Charge<'a>> {
    let stretches = &instance.off;
    let off = (stretches.first()?.0, stretches.last()?.1);
    let days = stretches.iter().map(|(start, end)| (*end - *start).num_days()).sum();
    let Some(span) = line.start().zip(line.end()).filter(|(start, end)| start < end) else {
        // A daily charge that says only when it was made.
        let made = line.posted().or(line.start())?;
        let within = stretches.iter().any(|(start, end)| *start <= made && made <= *end);
        let charge =
            Charge { line, instance: line.resource()?, amount: line.cost(), time: TimeDelta::zero(), off, days };
        return within.then_some(charge);
    };
    let time: TimeDelta = stretches.iter().map(|stretch| common(span, *stretch)).sum();
    let amount = share(line.cost(), hours(time), hours(span.1 - span.0));
    (amount > Decimal::ZERO).then_some(Charge { line, instance: line.resource()?, amount, time, off, days })
}

/// Holds the charges against what the platform says a stop ends.
fn say(case: &Case, subject: Subject<'_>, charges: &[Charge<'_>], verdict: &mut Verdict) {
    let (platform, _, resource, currency, what) = subject;
    let bills = match what {
        "card" => fact(case, platform, |p| &p.stopped_gpu_bills),
        "disk" => fact(case, platform, |p| &p.stopped_disk_bills),
        "address" => fact(case, platform, |p| &p.stopped_ip_bills),
        _ => Some("option"),
    };
    let (sentence, owed) = match (what, bills) {
        ("released", _) => ("released", true),
        ("card", Some("no")) => ("card_not_due", true),
        ("disk", Some("no")) => ("disk_not_due", true),
        ("address", Some("no")) => ("address_not_due", true),
        (_, Some(_)) => (what, false),
        (_, None) => {
            let cost = charges.iter().map(|c| c.amount).sum();
            let values = [("platform", platform.to_owned()), ("cost", money(cost, currency))];
            return verdict.undetermined(Some(resource), what, &values);
        }
    };
    verdict.find(finding(case, subject, charges, sentence, owed));
}

fn finding(case: &Case, subject: Subject<'_>, charges: &[Charge<'_>], sentence: &'static str, owed: bool) -> Finding {
    let (platform, account, resource, currency, _) = subject;
    let first = &charges[0];
    let amount: Decimal = charges.iter().map(|c| c.amount).sum();
    let time: TimeDelta = charges.iter().map(|c| c.time).sum();
    let kind = if owed { AmountKind::Recoverable } else { AmountKind::Avoidable };
    let finding = Finding::new(platform, sentence, first.line.origin())
        .account(account)
        .resource(resource)
        .period(first.off.0.max(case.start), first.off.1.max(case.start))
        .amount(amount, currency, kind)
        .evidence(charges[1..].iter().map(|c| c.line.origin()))
        .claims(charges.iter().map(|c| Claim { line: c.line.index(), hour: None, amount: c.amount }).collect())
        .value("platform", platform)
        .value("instance", first.instance)
        .value("since", case.zone.local(first.off.0).date())
        .value("days", first.days)
        .value("hours", figure(hours(time)))
        .value("amount", money(amount, currency));
    if owed { finding.severity(Severity::Critical) } else { finding }
}
