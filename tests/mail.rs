//! `kashi mail` against a real SMTP server on loopback: TLS, login, refusals, and never twice.

use std::path::Path;
use std::process::{Command, Output};

use kashi::mail::mailboxes;
use kashi::report::{json, write_set};
use kashi::text::Lang;

use crate::export::python_has;
use crate::golden;
use crate::reports::sample::{HOSTILE, report};

mod office;

use office::Office;

/// A folder with a written report.
fn written(lang: Lang) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_set(&report(), folder.path(), lang).unwrap();
    folder
}

fn kashi(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kashi"))
        .current_dir(folder)
        .args(["mail", "."])
        .args(arguments)
        .env("KASHI_TEST_PASSWORD", "correct horse")
        .env("KASHI_TEST_WRONG", "battery staple")
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap()
}

/// What it prints, after it ended with this code.
fn ends(output: &Output, code: i32) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(output.stdout.is_empty());
    assert!(!said.contains("correct horse") && !said.contains("battery staple"), "a password is never printed");
    said
}

fn sends(folder: &Path, arguments: &[&str]) -> String {
    ends(&kashi(folder, arguments), 0)
}

fn fails(folder: &Path, arguments: &[&str], with: &[&str]) {
    let said = ends(&kashi(folder, arguments), 2);
    for words in with.iter().chain(&["\n  help: "]) {
        assert!(said.contains(words), "{words:?} is not in: {said}");
    }
}

const FINANCE: &[&str] = &["--from", "卡时 <kashi@example.com>", "--to", "张三 <zhang@example.com>, li@example.com"];

#[test]
fn the_mail_is_right_in_every_part() {
    for lang in [Lang::En, Lang::Zh] {
        let folder = written(lang);
        let arguments = [FINANCE, &["--cc", "\"Wei, Li\" <wei@example.com>", "--dry-run"]].concat();
        sends(folder.path(), &arguments);
        let first = std::fs::read(folder.path().join("mail.eml")).unwrap();
        sends(folder.path(), &arguments);
        assert_eq!(first, std::fs::read(folder.path().join("mail.eml")).unwrap(), "the same bytes each time");
        assert!(first.is_ascii(), "every server takes it");
        assert!(!folder.path().join(".sent.json").exists());
        if !python_has("email") {
            continue;
        }
        let output = Command::new("python3").arg("tests/mail.py").arg(folder.path().join("mail.eml")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).unwrap();
        golden::check(&Path::new("tests/reports").join(lang.as_str()).join("mail.txt"), &said);
        for name in ["bcc", "Bcc"] {
            assert!(!said.lines().any(|l| l.starts_with(name)), "a resource's name became a header");
        }
        assert!(HOSTILE.contains("Bcc"));
    }
}

#[test]
fn it_is_sent_once_to_each_over_tls_with_a_login() {
    let Some(office) = Office::open() else { return };
    for (mode, tls) in [("starttls", "starttls"), ("tls", "tls")] {
        let folder = written(Lang::Zh);
        let before = office.envelopes().len();
        let (port, ca) = (office.port(mode), office.ca());
        let server = ["--server", "localhost", "--port", &port, "--tls", tls, "--ca", &ca];
        let login = ["--user", "finance", "--password-env", "KASHI_TEST_PASSWORD"];
        let arguments = [FINANCE, &server, &login].concat();
        let said = sends(folder.path(), &arguments);
        assert!(said.contains("was sent to li@example.com, zhang@example.com"), "{said}");
        let said = sends(folder.path(), &arguments);
        assert!(said.contains("was sent to all of them before"), "{said}");
        sends(folder.path(), &[&arguments[..], &["--cc", "new@example.com"]].concat());
        sends(folder.path(), &[&arguments[..], &["--again"]].concat());
        let all = office.recipients();
        assert_eq!(
            all[before..],
            [
                vec!["li@example.com".to_owned(), "zhang@example.com".to_owned()],
                vec!["new@example.com".to_owned()],
                vec!["li@example.com".to_owned(), "zhang@example.com".to_owned()],
            ]
        );
        for envelope in &office.envelopes()[before..] {
            assert_eq!(envelope["encrypted"], true, "{mode}");
            assert_eq!(envelope["user"], "finance");
            assert_eq!(envelope["from"], "kashi@example.com");
        }
    }
    let mails = office.folder.path().join("mails");
    let id = |n: u32| {
        let text = std::fs::read_to_string(mails.join(format!("{n}.eml"))).unwrap();
        text.lines().find(|l| l.starts_with("Message-ID")).unwrap().to_owned()
    };
    assert_eq!(id(1), id(2), "the same mail, to one more");
    assert_ne!(id(1), id(3), "a deliberate copy is not taken for the same mail by the reader's server");
}

#[test]
fn nobody_gets_it_if_one_is_refused() {
    let Some(office) = Office::open() else { return };
    let folder = written(Lang::En);
    let port = office.port("plain");
    let server = ["--server", "127.0.0.1", "--port", &port, "--tls", "none"];
    let with =
        |to: &'static str| [&["--from", "k@example.com", "--to", "a@example.com", "--cc", to], &server[..]].concat();
    fails(
        folder.path(),
        &with("refused@example.com"),
        &[
            "refuses 1 of 2 recipients; nothing was sent to anybody",
            "refused@example.com: 550 5.1.1 there is nobody of that name",
        ],
    );
    fails(folder.path(), &with("later@example.com"), &["451 4.7.1 greylisted", "in some minutes"]);
    fails(folder.path(), &with("gone@example.com"), &["the connection broke", "nothing was sent"]);
    fails(folder.path(), &with("spam@example.com"), &["did not take the mail (554 5.7.1 looks like spam)"]);
    assert!(office.envelopes().is_empty());
    assert!(!folder.path().join(".sent.json").exists(), "nothing half done");
    sends(folder.path(), &with("b@example.com"));
    assert_eq!(office.envelopes().len(), 1);
    let nosender = [&["--from", "nosender@example.com", "--to", "c@example.com"], &server[..]].concat();
    fails(folder.path(), &nosender, &["does not accept mail from nosender@example.com (553"]);
}

/// The server has the mail, but its answer was lost: a second run does not send it again unasked.
#[test]
fn a_mail_without_an_answer_is_not_sent_again() {
    let Some(office) = Office::open() else { return };
    let folder = written(Lang::En);
    let port = office.port("plain");
    let arguments = [
        "--from",
        "k@example.com",
        "--to",
        "lost@example.com",
        "--server",
        "127.0.0.1",
        "--port",
        &port,
        "--tls",
        "none",
    ];
    fails(folder.path(), &arguments, &["may or may not have been sent"]);
    fails(folder.path(), &arguments, &["an earlier run handed report 3f2a9c0d1e4b5a67 over for lost@example.com"]);
    assert_eq!(office.envelopes().len(), 1);
}

#[test]
fn a_server_that_cannot_be_trusted_gets_nothing() {
    let Some(office) = Office::open() else { return };
    let folder = written(Lang::En);
    let ca = office.ca();
    let login = ["--user", "finance", "--password-env", "KASHI_TEST_PASSWORD"];
    for (mode, tls) in [("starttls", "starttls"), ("tls", "tls")] {
        let port = office.port(mode);
        let with = |host: &'static str| [FINANCE, &["--server", host, "--port", &port, "--tls", tls], &login].concat();
        fails(
            folder.path(),
            &with("localhost"),
            &["does not prove that this is localhost", "UnknownIssuer", "--ca FILE"],
        );
        fails(
            folder.path(),
            &[&with("127.0.0.1")[..], &["--ca", &ca]].concat(),
            &["does not prove that this is 127.0.0.1", "give --server the name that the certificate carries"],
        );
    }
    let plain = office.port("plain");
    let at =
        |tls: &'static str| [FINANCE, &["--server", "localhost", "--port", &plain, "--tls", tls, "--ca", &ca]].concat();
    fails(folder.path(), &at("starttls"), &["does not offer STARTTLS"]);
    fails(folder.path(), &at("tls"), &["it does not speak as --tls says"]);
    assert!(office.envelopes().is_empty());
}

#[test]
fn a_wrong_login_and_a_server_that_is_gone() {
    let Some(office) = Office::open() else { return };
    let folder = written(Lang::En);
    let port = office.port("starttls");
    // A copy, since the server takes its own along when it goes.
    std::fs::copy(office.ca(), folder.path().join("ca.pem")).unwrap();
    let server = ["--server", "localhost", "--port", &port, "--ca", "ca.pem"];
    let wrong = ["--user", "finance", "--password-env", "KASHI_TEST_WRONG"];
    fails(
        folder.path(),
        &[FINANCE, &server, &wrong].concat(),
        &["refuses the login of \"finance\" (535", "password from the environment variable KASHI_TEST_WRONG", "授权码"],
    );
    fails(folder.path(), &[FINANCE, &server].concat(), &["530", "many servers want a login (--user)"]);
    let file = folder.path().join("password");
    std::fs::write(&file, "correct horse\n").unwrap();
    sends(folder.path(), &[FINANCE, &server, &["--user", "finance", "--password-file", "password"]].concat());
    assert_eq!(office.envelopes().len(), 1);
    drop(office);
    let gone = [FINANCE, &server, &wrong, &["--again"]].concat();
    fails(folder.path(), &gone, &["the server cannot be reached", "check --server and --port"]);
}

#[test]
fn a_kashi_toml_says_the_rest() {
    let Some(office) = Office::open() else { return };
    let folder = written(Lang::Zh);
    let settings = format!(
        "[mail]\nfrom = \"卡时 <kashi@example.com>\"\nto = [\"张三 <zhang@example.com>\"]\ncc = [\"li@example.com\"]\nserver = \"localhost\"\nport = {}\ntls = \"starttls\"\nuser = \"finance\"\npassword_file = \"password\"\nca = {:?}\n",
        office.port("starttls"),
        office.ca()
    );
    std::fs::write(folder.path().join("kashi.toml"), settings).unwrap();
    std::fs::write(folder.path().join("password"), "correct horse\r\n").unwrap();
    sends(folder.path(), &[]);
    assert_eq!(office.recipients(), [["li@example.com", "zhang@example.com"]]);
}

#[test]
fn what_cannot_be_sent_is_said_before_a_server_is_asked() {
    let folder = written(Lang::En);
    let says = |arguments: &[&str], words: &str| {
        let said = ends(&kashi(folder.path(), arguments), 2);
        assert!(said.starts_with("error: ") && said.contains(words), "{words:?} is not in: {said}");
    };
    says(&[], "nobody to send to; name recipients with --to");
    says(&["--to", "a@b.c"], "no sender; name one with --from");
    says(&[FINANCE, &["--cc", "not an address"]].concat(), "\"not an address\" is not a mail address; expected");
    says(FINANCE, "no server; name one with --server");
    let server = [FINANCE, &["--server", "mail.example.com", "--user", "u"]].concat();
    says(&server, "no password for \"u\"; name an environment variable with --password-env");
    says(&[&server[..], &["--password-env", "KASHI_NOT_SET"]].concat(), "KASHI_NOT_SET is not set");
    let clear = [&server[..], &["--password-env", "KASHI_TEST_PASSWORD", "--tls", "none"]].concat();
    says(&clear, "the password would cross the network in the clear");
    says(&[FINANCE, &["--dry-run", "--date", "yesterday"]].concat(), "expected 2026-11-01");
    std::fs::write(folder.path().join("report.json"), "{}").unwrap();
    says(FINANCE, "is not a report that this kashi wrote; audit again");
    std::fs::remove_file(folder.path().join("report.json")).unwrap();
    says(FINANCE, "write a report first: kashi audit");
}

#[test]
fn addresses_are_read_strictly() {
    let read = |text: &str| mailboxes(text).map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(read("a@b.cn").unwrap(), ["a@b.cn"]);
    assert_eq!(read("张三 <z@b.cn>，\"Li, Wei\" <l@b.cn>").unwrap().len(), 2);
    for wrong in
        ["", "a", "a@", "a@b c@d", "a@b.cn garbage", "<a@b.cn", "x\r\nBcc: y@z.cn <a@b.cn>", "a@b.cn,", "张@b.cn"]
    {
        assert!(read(wrong).is_err(), "{wrong:?} was taken");
    }
}

/// A report whose id and figures were tampered with cannot break a header.
#[test]
fn a_report_cannot_write_headers() {
    let folder = tempfile::tempdir().unwrap();
    let mut forged = json::of(&report(), Lang::En);
    forged.id = "x\r\nBcc: all@example.com\r\n\r\n".to_owned();
    forged.totals[0].currency = "CNY\r\nBcc: all@example.com".to_owned();
    std::fs::write(folder.path().join("report.json"), serde_json::to_vec(&forged).unwrap()).unwrap();
    sends(folder.path(), &[FINANCE, &["--dry-run"]].concat());
    let mail = std::fs::read_to_string(folder.path().join("mail.eml")).unwrap();
    let head = mail.split("\r\n\r\n").next().unwrap();
    assert!(!head.lines().any(|l| l.to_lowercase().starts_with("bcc")), "{head}");
}
