//! `kashi mail`: a written report goes to finance.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow, bail};
use chrono::{DateTime, NaiveDate, Utc};
use clap::Args;
use kashi_parsers::ledger::time::Zone;
use kashi_parsers::{Message, message};
use lettre::Address;
use lettre::message::Mailbox;

use crate::config::{self, Config, is_month};
use crate::mail::{Letter, Login, Parties, Secured, Sent, Server, State, Witness, bare, mailboxes};
use crate::report::v1;
use crate::text::{Lang, catalogue};

/// Arguments of `kashi mail`; what is not given here is taken from `[mail]` of kashi.toml.
#[derive(Debug, Args)]
pub struct MailArgs {
    /// The folder that `kashi audit --out` wrote; its report.json is sent, in its own language
    pub dir: PathBuf,
    /// Recipients: `a@b.c` or `Name <a@b.c>`
    #[arg(long, value_name = "ADDRESS")]
    pub to: Vec<String>,
    /// Recipients of a copy
    #[arg(long, value_name = "ADDRESS")]
    pub cc: Vec<String>,
    /// The sender; the login's user without it
    #[arg(long, value_name = "ADDRESS")]
    pub from: Option<String>,
    /// The SMTP server
    #[arg(long, value_name = "HOST")]
    pub server: Option<String>,
    /// Its port; 587, 465 or 25 without it, by --tls
    #[arg(long)]
    pub port: Option<u16>,
    /// How the connection is secured; starttls without it
    #[arg(long, value_enum)]
    pub tls: Option<Secured>,
    /// The user to log in as
    #[arg(long)]
    pub user: Option<String>,
    /// The environment variable that holds the password
    #[arg(long, value_name = "VAR", conflicts_with = "password_file")]
    pub password_env: Option<String>,
    /// The file that holds the password
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// A CA to trust besides the public ones, for a server of your own (PEM)
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// The configuration; a kashi.toml in this folder without it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Write the mail to DIR/mail.eml and send nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The date of the mail; now without it, or the end of the month with --dry-run
    #[arg(long, value_name = "DATE")]
    pub date: Option<String>,
    /// The language that the report must be in; it is sent as it was written
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,
    /// Send it even to those who have had it
    #[arg(long)]
    pub again: bool,
}

/// Sends the report of a folder, or with `--dry-run` writes the mail.
///
/// # Errors
/// If there is no report, an address or setting is wrong, or the server does not take the mail.
pub fn run(args: &MailArgs, lang: Lang, err: &mut dyn Write) -> Result<()> {
    let settings = settings(args)?;
    let report = report(&args.dir)?;
    in_language(&report, args)?;
    let letter = Letter::new(&report)?;
    let parties = parties(args, &settings)?;
    if args.dry_run {
        let date = match &args.date {
            Some(date) => day(date)?,
            None => end(&report)?,
        };
        let id = letter.message_id(&parties.from, 0);
        let file = args.dir.join("mail.eml");
        crate::write_whole(&file, &letter.message(&parties, id, date)?.formatted())?;
        say(&message!("{}: written, nothing was sent", file.display()), lang, err)?;
        return Ok(());
    }
    send(args, &letter, &parties, &server(args, &settings)?, (lang, err))
}

fn say(said: &Message, lang: Lang, err: &mut dyn Write) -> Result<()> {
    Ok(writeln!(err, "{}", catalogue::message(said, lang))?)
}

/// Refuses a report in another language: its sentences were written by the audit.
fn in_language(report: &v1::Report, args: &MailArgs) -> Result<()> {
    match args.lang.map(Lang::as_str).filter(|lang| *lang != report.lang) {
        Some(lang) => bail!(message!(
            "{}: the report is in the language \"{}\"; write it in the other one first: kashi audit … --lang {lang} --out {}",
            args.dir.display(),
            report.lang,
            args.dir.display()
        )),
        None => Ok(()),
    }
}

/// Delivers the letter to those who have not had it.
fn send(
    args: &MailArgs,
    letter: &Letter,
    parties: &Parties,
    server: &Server,
    (lang, err): (Lang, &mut dyn Write),
) -> Result<()> {
    let mut sent = Sent::read(&args.dir)?;
    let everybody: Vec<&Mailbox> = parties.to.iter().chain(&parties.cc).collect();
    let mut wanted: Vec<String> = everybody.iter().map(|m| bare(m)).collect::<BTreeSet<_>>().into_iter().collect();
    if !args.again {
        unconfirmed(&sent, letter, &wanted)?;
        let had = sent.recipients(letter.id(), State::Accepted);
        wanted.retain(|address| !had.contains(address.as_str()));
        if wanted.is_empty() {
            say(
                &message!("report {} was sent to all of them before; --again sends it once more", letter.id()),
                lang,
                err,
            )?;
            return Ok(());
        }
    }
    let date = args.date.as_deref().map(day).transpose()?.unwrap_or_else(SystemTime::now);
    let message_id = letter.message_id(&parties.from, sent.copies(letter.id(), &wanted));
    let mail = letter.message(parties, message_id.clone(), date)?.formatted();
    let to: Vec<Address> = wanted.iter().map(|a| a.parse()).collect::<Result<_, _>>()?;
    let mut witness = Remember { sent: &mut sent, report: letter.id(), message_id: &message_id, recipients: &wanted };
    server.deliver(&parties.from.email, &to, &mail, &mut witness)?;
    say(&message!("report {} was sent to {}", letter.id(), wanted.join(", ")), lang, err)
}

/// Refuses to guess whether an earlier run's mail arrived.
fn unconfirmed(sent: &Sent, letter: &Letter, wanted: &[String]) -> Result<()> {
    let open = sent.recipients(letter.id(), State::Unconfirmed);
    let open: Vec<&str> = wanted.iter().map(String::as_str).filter(|a| open.contains(a)).collect();
    if open.is_empty() {
        return Ok(());
    }
    bail!(message!(
        "an earlier run handed report {} over for {}, and the server did not confirm it; nothing was sent now\n  help: ask a recipient; if it did not arrive, send it with --again",
        letter.id(),
        open.join(", ")
    ))
}

/// Writes down how far a delivery came.
struct Remember<'a> {
    sent: &'a mut Sent,
    report: &'a str,
    message_id: &'a str,
    recipients: &'a [String],
}

impl Witness for Remember<'_> {
    fn begin(&mut self) -> Result<()> {
        self.sent.begin(self.report, self.message_id, self.recipients)
    }

    fn accepted(&mut self) -> Result<()> {
        self.sent.accepted()
    }

    fn refused(&mut self) -> Result<()> {
        self.sent.refused()
    }
}

/// `[mail]` of the configuration, and the folder that its paths are relative to.
fn settings(args: &MailArgs) -> Result<(config::Mail, PathBuf)> {
    let here = Path::new(config::FILE);
    let path = match &args.config {
        Some(path) => path,
        None if here.is_file() => here,
        None => return Ok(Default::default()),
    };
    let config = Config::read(path, &path.display().to_string())?;
    Ok((config.mail.unwrap_or_default(), path.parent().map(Path::to_owned).unwrap_or_default()))
}

fn report(dir: &Path) -> Result<v1::Report> {
    let file = dir.join("report.json");
    let bytes = std::fs::read(&file).with_context(|| {
        message!("{}: cannot be read; write a report first: kashi audit … --out {}", file.display(), dir.display())
    })?;
    let report: v1::Report = serde_json::from_slice(&bytes)
        .with_context(|| message!("{}: is not a report that this kashi wrote; audit again", file.display()))?;
    if report.version != 1 || !is_month(&report.period) {
        bail!(message!("{}: is not a report of version 1; audit again with this kashi", file.display()));
    }
    Ok(report)
}

fn parties(args: &MailArgs, (settings, _): &(config::Mail, PathBuf)) -> Result<Parties> {
    let list = |given: &[String], set: &[String]| -> Result<Vec<Mailbox>> {
        let texts = if given.is_empty() { set } else { given };
        Ok(texts.iter().map(|t| mailboxes(t)).collect::<Result<Vec<_>>>()?.concat())
    };
    let to = list(&args.to, &settings.to)?;
    if to.is_empty() {
        bail!(message!(
            "nobody to send to; name recipients with --to, or with to = [\"…\"] under [mail] in kashi.toml"
        ));
    }
    let user = args.user.as_ref().or(settings.user.as_ref()).filter(|u| u.contains('@'));
    let from = args.from.as_ref().or(settings.from.as_ref()).or(user).ok_or_else(|| {
        anyhow!(message!("no sender; name one with --from, or with from = \"…\" under [mail] in kashi.toml"))
    })?;
    let [from] = <[Mailbox; 1]>::try_from(mailboxes(from)?)
        .map_err(|_| anyhow!(message!("{from:?} is more than one sender")))?;
    Ok(Parties { from, to, cc: list(&args.cc, &settings.cc)? })
}

fn server(args: &MailArgs, (settings, folder): &(config::Mail, PathBuf)) -> Result<Server> {
    let host = args.server.clone().or_else(|| settings.server.clone()).ok_or_else(|| {
        anyhow!(message!("no server; name one with --server, or with server = \"…\" under [mail] in kashi.toml, or look at the mail with --dry-run"))
    })?;
    let set = settings.tls.as_deref().map(|word| {
        <Secured as clap::ValueEnum>::from_str(word, false).map_err(|_| {
            anyhow!(message!("[mail] tls = {word:?} is not known; expected \"starttls\", \"tls\" or \"none\""))
        })
    });
    let port = args.port.or(settings.port);
    let usual = if port == Some(Secured::Tls.port()) { Secured::Tls } else { Secured::Starttls };
    let secured = args.tls.map_or_else(|| set.unwrap_or(Ok(usual)), Ok)?;
    let login = login(args, settings, folder)?;
    let near = matches!(host.as_str(), "localhost" | "127.0.0.1" | "::1");
    if secured == Secured::None && login.is_some() && !near {
        bail!(message!(
            "the password would cross the network in the clear; use --tls starttls or --tls tls, or leave --user out"
        ));
    }
    let ca = args.ca.clone().or_else(|| settings.ca.as_ref().map(|file| folder.join(file)));
    let ca = ca
        .map(|file| {
            std::fs::read(&file).with_context(|| message!("{}: the CA cannot be read; check the path", file.display()))
        })
        .transpose()?;
    Ok(Server { host, port: port.unwrap_or(secured.port()), secured, login, ca })
}

/// The login; the password comes from the environment or a file, never from the command line.
fn login(args: &MailArgs, settings: &config::Mail, folder: &Path) -> Result<Option<Login>> {
    let Some(user) = args.user.clone().or_else(|| settings.user.clone()) else { return Ok(None) };
    let given = args.password_env.is_some() || args.password_file.is_some();
    let variable = args.password_env.as_ref().or(settings.password_env.as_ref().filter(|_| !given));
    let set = settings.password_file.as_ref().filter(|_| !given && variable.is_none()).map(|file| folder.join(file));
    if let Some(variable) = variable {
        let password = std::env::var(variable).map_err(|_| {
            anyhow!(message!("the environment variable {variable} is not set; put the password of \"{user}\" there, or name a file with --password-file"))
        })?;
        return Ok(Some(Login { user, password, source: format!("the environment variable {variable}") }));
    }
    let file = args.password_file.clone().or(set).ok_or_else(|| {
        anyhow!(message!("no password for \"{user}\"; name an environment variable with --password-env or a file with --password-file"))
    })?;
    let password = std::fs::read_to_string(&file)
        .with_context(|| message!("{}: the password cannot be read; check the path", file.display()))?;
    let password = password.trim_end_matches(['\r', '\n']).to_owned();
    Ok(Some(Login { user, password, source: format!("the file {}", file.display()) }))
}

/// The end of the report's month.
fn end(report: &v1::Report) -> Result<SystemTime> {
    let first = NaiveDate::parse_from_str(&format!("{}-01", report.period), "%Y-%m-%d")?;
    let next = first.checked_add_months(chrono::Months::new(1)).and_then(|d| d.and_hms_opt(0, 0, 0));
    let zone = Zone::parse(&report.zone).unwrap_or_else(Zone::utc);
    let end = next.and_then(|midnight| zone.to_utc(midnight)).context("the month has no end")?;
    moment(end)
}

/// A date from the command line: a day, or a time in RFC 3339.
fn day(text: &str) -> Result<SystemTime> {
    let midnight = |d: NaiveDate| d.and_hms_opt(0, 0, 0).map(|t| t.and_utc());
    let time = DateTime::parse_from_rfc3339(text).map(|t| t.to_utc()).ok();
    let time = time.or_else(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().and_then(midnight));
    moment(time.ok_or_else(|| {
        anyhow!(message!("--date {text:?} is not a date; expected 2026-11-01 or 2026-11-01T09:00:00+08:00"))
    })?)
}

fn moment(time: DateTime<Utc>) -> Result<SystemTime> {
    let seconds = u64::try_from(time.timestamp()).map_err(|_| anyhow!(message!("{time} is before 1970")))?;
    Ok(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}
