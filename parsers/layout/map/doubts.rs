//! What the user must be asked, because the file does not say it.

use super::choose::Chooser;
use super::propose::{Doubt, Guess, Sure};
use super::wants::{Sort, want};
use crate::ledger::Kind;

/// Answers that are offered at most.
const MOST_OFFERED: usize = 5;

/// Everything that is in doubt, what is needed first.
pub(super) fn doubts(
    chooser: &Chooser<'_>,
    guesses: &[Guess],
    kinds: &[(String, Option<String>)],
    zone: &str,
) -> Vec<Doubt> {
    let mut all = missing(chooser);
    for guess in guesses.iter().filter(|g| g.sure == Sure::Doubtful) {
        all.push(doubtful(chooser, guess));
    }
    all.extend(unknown_kinds(kinds));
    all.extend(dates(chooser));
    all.extend(unzoned(chooser, zone));
    all.sort_by_key(|d| !d.needed);
    all
}

/// Without these no line of a ledger can be made.
fn missing(chooser: &Chooser<'_>) -> Vec<Doubt> {
    let mut all = Vec::new();
    if chooser.column("cost").is_none() {
        let question = "which column is what a row makes payable? None is filled in every row and named like it";
        all.push(Doubt {
            about: "cost".into(),
            question: question.into(),
            sets: offers(chooser, "cost"),
            needed: true,
        });
    }
    if ["period", "start", "posted"].iter().all(|l| chooser.column(l).is_none()) {
        let question = "which column is the time or the month that is charged? None is named like it";
        let mut sets = offers(chooser, "start");
        if sets.is_empty() {
            sets.push("period==2026-10".to_owned());
        }
        all.push(Doubt { about: "start".into(), question: question.into(), sets, needed: true });
    }
    if !chooser.chosen.contains_key("currency") {
        let question = "which currency are the amounts in? Nothing in the file says so";
        let sets = ["CNY", "USD", "EUR"].map(|c| format!("currency=={c}")).into();
        all.push(Doubt { about: "currency".into(), question: question.into(), sets, needed: true });
    }
    all
}

fn doubtful(chooser: &Chooser<'_>, guess: &Guess) -> Doubt {
    let times = ["period", "start", "posted"];
    let only_time =
        times.contains(&guess.ledger) && times.iter().filter(|l| chooser.chosen.contains_key(*l)).count() == 1;
    let needed = ["cost", "currency", "start", "kind"].contains(&guess.ledger) || only_time;
    let from = guess.columns().next().map(|c| format!("\"{c}\""));
    let constant = guess.sources.first().and_then(|s| s.value.clone());
    let said = from.or(constant.clone()).unwrap_or_default();
    let question = match &guess.rival {
        Some(rival) => format!("is {} {said}, or \"{rival}\"?", guess.ledger),
        None => format!("is {} {said}? ({})", guess.ledger, guess.why.join("; ")),
    };
    let mut sets = match constant {
        Some(value) => vec![format!("{}=={value}", guess.ledger)],
        None => guess.columns().take(1).map(|c| format!("{}={c}", guess.ledger)).collect(),
    };
    let others: Vec<String> = offers(chooser, guess.ledger).into_iter().filter(|o| !sets.contains(o)).collect();
    sets.extend(others);
    if !needed && guess.ledger != "sku" {
        sets.push(format!("{}=", guess.ledger));
    }
    Doubt { about: guess.ledger.to_owned(), question, sets, needed }
}

/// Columns that could fill a ledger column: those named like it, else all with such values.
fn offers(chooser: &Chooser<'_>, ledger: &str) -> Vec<String> {
    let named = chooser.bench.of(ledger);
    let mut places: Vec<usize> = named.iter().map(|c| c.at).collect();
    if let Some(want) = want(ledger) {
        let fits = |at: &usize| {
            let shape = &chooser.bench.shapes[*at];
            chooser.bench.may_read(*at)
                && match want.sort {
                    Sort::Money => shape.times.is_none() && shape.numbers.is_some() && shape.is_full(),
                    Sort::Time => shape.times.is_some(),
                    Sort::Text => false,
                }
        };
        places.extend((0..chooser.bench.shapes.len()).filter(fits));
    }
    let mut offered: Vec<String> = Vec::new();
    for at in places {
        let offer = format!("{ledger}={}", chooser.bench.sample.names[at]);
        if !offered.contains(&offer) && offered.len() < MOST_OFFERED {
            offered.push(offer);
        }
    }
    offered
}

fn unknown_kinds(kinds: &[(String, Option<String>)]) -> Vec<Doubt> {
    let unknown = kinds.iter().filter(|(_, kind)| kind.is_none());
    let all = unknown.map(|(cell, _)| Doubt {
        about: format!("kind:{cell}"),
        question: format!("what kind of charge is \"{cell}\"?"),
        sets: Kind::ALL.iter().map(|k| format!("kind:{cell}=={k}")).collect(),
        needed: true,
    });
    all.collect()
}

/// `03/04/2026` is two days.
fn dates(chooser: &Chooser<'_>) -> Option<Doubt> {
    if chooser.answers.constant("dates").is_some() {
        return None;
    }
    let used = ["period", "start", "end", "posted"].into_iter().filter_map(|l| chooser.column(l));
    let at = used.into_iter().find(|at| {
        chooser.bench.shapes.get(*at).and_then(|s| s.times.as_ref()).is_some_and(|t| t.ambiguous.is_some())
    })?;
    let cell = chooser.bench.sample.cells(at).next().unwrap_or_default();
    Some(Doubt {
        about: "dates".into(),
        question: format!(
            "does the month or the day come first in \"{cell}\" (column \"{}\")?",
            chooser.bench.sample.names[at]
        ),
        sets: vec!["dates==month-first".into(), "dates==day-first".into()],
        needed: true,
    })
}

fn unzoned(chooser: &Chooser<'_>, zone: &str) -> Option<Doubt> {
    if chooser.answers.constant("zone").is_some() || chooser.is_zoned() {
        return None;
    }
    Some(Doubt {
        about: "zone".into(),
        question: format!("in which zone are the times? They carry none; {zone} is taken"),
        sets: vec![format!("zone=={zone}"), if zone == "UTC" { "zone==+08:00".into() } else { "zone==UTC".into() }],
        needed: false,
    })
}
