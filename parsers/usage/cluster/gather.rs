//! From the answers to hours.

use std::collections::{BTreeMap, BTreeSet};

use chrono::DateTime;

use super::answer::Hourly;
use super::notes::{missing, notes};
use super::pace::Pace;
use super::query::{ASKED, Series, Weighing};
use super::weighed::Weighed;
use super::{Cluster, Inquiry, Reply, Span};
use crate::error::{Error, Kind, Origin, Result};
use crate::usage::device::Devices;
use crate::usage::hour::UsageHour;
use crate::usage::labelled::{CARD_INFO, Labels, place, telling};
use crate::usage::log::Log;
use crate::usage::metric::{Metric, metric, value as reading};
use crate::usage::read::{Source, Usage};

/// Asks a cluster for the hours of all its cards.
///
/// # Errors
/// If it cannot be reached, refuses, or holds no series that kashi reads.
pub fn ask(cluster: &mut dyn Cluster, inquiry: &Inquiry) -> Result<Usage> {
    let file = cluster.name().to_owned();
    let mut asking = Asking {
        file,
        label: cluster.label().to_owned(),
        cluster,
        inquiry,
        devices: Devices::default(),
        weighed: BTreeMap::new(),
        log: Log::default(),
        paces: BTreeMap::new(),
        warnings: BTreeMap::new(),
    };
    let names = asking.names()?;
    for day in inquiry.span.days() {
        for name in &names {
            match metric(name) {
                Some(Metric::Util(scale)) => asking.utilization(name, scale, day)?,
                Some(metric) => asking.peaks(name, metric, day)?,
                None => asking.cards(name, day)?,
            }
        }
    }
    asking.finish()
}

/// Answers on their way into hours.
struct Asking<'a> {
    cluster: &'a mut dyn Cluster,
    inquiry: &'a Inquiry,
    file: String,
    label: String,
    devices: Devices,
    /// By the place of the device and the begin of the hour in microseconds.
    weighed: BTreeMap<(usize, i64), Weighed>,
    log: Log,
    /// The days that each pace was found on.
    paces: BTreeMap<String, u32>,
    warnings: BTreeMap<String, u32>,
}

/// What a query says of the hours of each set of labels.
type ByLabels = BTreeMap<(Labels, i64), Weighed>;

impl Asking<'_> {
    /// The names of the series that it holds, in the order in which they are asked for.
    fn names(&mut self) -> Result<Vec<&'static str>> {
        let all = [&ASKED[..], &[CARD_INFO]].concat();
        let names = all.join("|");
        let matchers = self.inquiry.matchers.as_str();
        let comma = if matchers.is_empty() { "" } else { "," };
        let selector = format!("{{__name__=~\"{names}\"{comma}{matchers}}}");
        let (held, warnings) = self.cluster.names(&selector, self.inquiry.span)?;
        self.warned(warnings);
        let held: BTreeSet<String> = held.into_iter().collect();
        let found: Vec<_> = all.into_iter().filter(|name| held.contains(*name)).collect();
        if found.iter().all(|name| *name == CARD_INFO) {
            let message = match matchers {
                "" => message!("holds no series of cards from {}", self.inquiry.span),
                matchers => {
                    message!("holds no series of cards with {} from {}", format!("{{{matchers}}}"), self.inquiry.span)
                }
            };
            return Err(Error::new(Kind::Usage, message).at(Origin::file(self.file.as_str())).hint(
                "kashi asks for the series of dcgm-exporter (DCGM_FI_DEV_GPU_UTIL …) and nvidia_gpu_exporter (nvidia_smi_utilization_gpu_ratio …); check --from, --to and --match, and for a cluster with tenants --prometheus-header X-Scope-OrgID=…",
            ));
        }
        Ok(found)
    }

    /// What a card's series of utilization say in a day.
    fn utilization(&mut self, name: &'static str, scale: f64, day: Span) -> Result<()> {
        let matchers = self.inquiry.matchers.clone();
        let series = Series { name, matchers: &matchers };
        let Some(pace) = self.pace(&series, day)? else { return Ok(()) };
        let metric = Metric::Util(scale);
        let mut labels = BTreeSet::new();
        for answered in self.hourly(&series.highest(), day)? {
            if self.peak(&answered, name, metric) {
                labels.extend(telling(&answered.metric).into_iter().map(str::to_owned));
            }
        }
        if labels.is_empty() {
            return Ok(());
        }
        let labels: Vec<String> = labels.into_iter().collect();
        let weighing = series.weighing(&labels, pace, scale);
        for ((labels, hour), weighed) in self.weigh(&weighing, day)? {
            let Some(place) = place(&labels, name, &self.file, &self.label, &mut self.devices) else { continue };
            let told = self.weighed.entry((place, hour)).or_default();
            // Another series of the card is taken only where it knows clearly more.
            if weighed.seconds(weighed.known) > told.seconds(told.known) + f64::from(2 * pace.longest) || told.step == 0
            {
                *told = weighed;
            }
        }
        Ok(())
    }

    /// How often the series are sampled; `None` if the day holds none of them.
    fn pace(&mut self, series: &Series<'_>, day: Span) -> Result<Option<Pace>> {
        if let Some(seconds) = self.inquiry.scrape {
            return Ok(Some(Pace::of(seconds)));
        }
        let mut all: Option<Pace> = None;
        for job in self.hourly(&series.fullest(), day)? {
            let most = job.values().filter_map(|(_, text)| reading(text)).fold(0.0, f64::max);
            let Some(pace) = Pace::counted(most) else { continue };
            all = Some(all.map_or(pace, |all| all.with(pace)));
        }
        if let Some(pace) = all {
            *self.paces.entry(pace.to_string()).or_default() += 1;
        }
        Ok(all)
    }

    fn weigh(&mut self, weighing: &Weighing, day: Span) -> Result<ByLabels> {
        type Set = fn(&mut Weighed, f64);
        let asked: [(String, Set); 7] = [
            (weighing.known(), |w, v| w.known = v),
            (weighing.below(5), |w, v| w.idle = v),
            (weighing.from(70), |w, v| w.busy = v),
            (weighing.from(95), |w, v| w.full = v),
            (weighing.highest(), |w, v| w.most = Some(v)),
            (weighing.mean(), |w, v| w.mean = Some(v)),
            (weighing.p95(), |w, v| w.p95 = Some(v)),
        ];
        let mut all = ByLabels::new();
        for (query, set) in asked {
            for answered in self.hourly(&query, day)? {
                for (hour, text) in answered.values() {
                    let Some(value) = reading(text) else { continue };
                    let weighed = all.entry((answered.metric.clone(), hour)).or_default();
                    weighed.step = weighing.step;
                    set(weighed, value);
                }
            }
        }
        Ok(all)
    }

    /// The highest values of a day, or the lowest where it is the lowest that counts.
    fn peaks(&mut self, name: &'static str, metric: Metric, day: Span) -> Result<()> {
        let matchers = self.inquiry.matchers.clone();
        let series = Series { name, matchers: &matchers };
        let query = if matches!(metric, Metric::MemoryFree(_)) { series.lowest() } else { series.highest() };
        for answered in self.hourly(&query, day)? {
            self.peak(&answered, name, metric);
        }
        Ok(())
    }

    /// Takes the peaks of a series; whether its labels tell a card.
    fn peak(&mut self, answered: &Hourly, name: &str, metric: Metric) -> bool {
        let Some(place) = place(&answered.metric, name, &self.file, &self.label, &mut self.devices) else {
            self.log.leave("series without a card's label");
            return false;
        };
        for (hour, text) in answered.values() {
            self.log.samples += 1;
            self.devices.peak(place, hour, 0, metric.sample(reading(text)));
        }
        true
    }

    /// Takes the names of cards, where a series of its own tells them.
    fn cards(&mut self, name: &'static str, day: Span) -> Result<()> {
        let matchers = self.inquiry.matchers.clone();
        for answered in self.hourly(&Series { name, matchers: &matchers }.highest(), day)? {
            place(&answered.metric, name, &self.file, &self.label, &mut self.devices);
        }
        Ok(())
    }

    /// Asks; a span that is too much for the cluster is asked for in halves.
    fn hourly(&mut self, query: &str, span: Span) -> Result<Vec<Hourly>> {
        match self.cluster.hourly(query, span)? {
            Reply::Matrix(matrix, warnings) => {
                self.warned(warnings);
                Ok(matrix.result)
            }
            Reply::TooMuch(error) => {
                let (first, second) = span.halves().ok_or(error)?;
                let mut all = self.hourly(query, first)?;
                all.extend(self.hourly(query, second)?);
                Ok(all)
            }
        }
    }

    fn warned(&mut self, warnings: Vec<String>) {
        for warning in warnings {
            *self.warnings.entry(warning).or_default() += 1;
        }
    }

    fn finish(mut self) -> Result<Usage> {
        let seen = self.devices.end_file(&self.file)?;
        let (names, doubts) = (self.devices.names.clone(), self.devices.doubts);
        let (mut hours, about) = self.devices.finish();
        for ((place, at), weighed) in &self.weighed {
            let (Some(device), Some(begin)) = (names.get(*place), DateTime::from_timestamp_micros(*at)) else {
                continue;
            };
            match hours.binary_search_by(|h| (&h.device, h.hour).cmp(&(device, begin))) {
                Ok(found) => weighed.fill(&mut hours[found]),
                Err(next) => {
                    let known = about.get(device).cloned().unwrap_or_default();
                    let mut hour = UsageHour::unknown(device, begin);
                    (hour.name, hour.host) = (known.name, known.host);
                    weighed.fill(&mut hour);
                    hours.insert(next, hour);
                }
            }
        }
        let mut notes = notes(self.inquiry, &self.paces, &self.warnings);
        notes.extend(missing(self.inquiry.span, &hours));
        notes.extend(doubts.notes());
        let time = DateTime::from_timestamp_micros;
        let source = Source {
            file: self.file,
            format: "hours from a metrics cluster",
            samples: self.log.samples,
            span: seen.span.and_then(|(first, last)| time(first).zip(time(last))),
            local: false,
            left_out: self.log.left_out,
            devices: names,
            notes,
        };
        Ok(Usage { hours, sources: vec![source], about, events: Vec::new() })
    }
}
