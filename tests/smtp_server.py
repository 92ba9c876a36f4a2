"""A real SMTP server on loopback for the tests of `kashi mail`.

usage: smtp_server.py FOLDER

Makes a throw-away CA and a server certificate for "localhost" in FOLDER, listens on free ports and
prints one line of JSON: the port of each mode. Accepted mails are saved as FOLDER/mails/<n>.eml,
their envelopes as <n>.json. It ends when its standard input is closed.

Behaviour that a test asks for through an address:
  refused@…   550 for the recipient          later@…    451 for the recipient
  gone@…      hangs up on the recipient      lost@…     hangs up after the mail, saved
  spam@…      554 after the mail             nosender@… 553 for the sender
The login is "finance" / "correct horse".
"""

import asyncio
import json
import pathlib
import ssl
import sys

from aiosmtpd.smtp import AuthResult, SMTP

import certificate

FOLDER = pathlib.Path(sys.argv[1])
MAILS = FOLDER / "mails"


def context():
    """The CA goes to FOLDER/ca.pem; the server's certificate names localhost, not 127.0.0.1."""
    certificate.for_localhost(FOLDER)
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(FOLDER / "server.pem")
    return made


class Office:
    async def handle_MAIL(self, server, session, envelope, address, options):
        if address.startswith("nosender@"):
            return "553 5.7.1 you may not send as " + address
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("refused@"):
            return "550 5.1.1 there is nobody of that name"
        if address.startswith("later@"):
            return "451 4.7.1 greylisted, try again later"
        if address.startswith("gone@"):
            server.transport.abort()
            return "421 gone"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if any(to.startswith("spam@") for to in envelope.rcpt_tos):
            return "554 5.7.1 looks like spam"
        number = len(list(MAILS.glob("*.eml"))) + 1
        (MAILS / f"{number}.eml").write_bytes(envelope.original_content)
        about = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "encrypted": session.ssl is not None or isinstance(server.transport.get_extra_info("sslcontext"), ssl.SSLContext),
            "user": session.auth_data.decode() if session.auth_data else None,
        }
        (MAILS / f"{number}.json").write_text(json.dumps(about))
        if any(to.startswith("lost@") for to in envelope.rcpt_tos):
            server.transport.abort()
        return "250 2.0.0 taken"


def login(server, session, envelope, mechanism, data):
    right = data.login == b"finance" and data.password == b"correct horse"
    return AuthResult(success=right, handled=False, auth_data=data.login)


async def listen(wrapper=None, **options):
    def session():
        return SMTP(Office(), hostname="kashi.test", enable_SMTPUTF8=False, **options)

    loop = asyncio.get_running_loop()
    listening = await loop.create_server(session, "127.0.0.1", 0, ssl=wrapper)
    return listening.sockets[0].getsockname()[1], listening


async def main():
    MAILS.mkdir(parents=True, exist_ok=True)
    tls = context()
    login_wanted = {"authenticator": login, "auth_required": True}
    modes = {
        "plain": await listen(),
        "plain_login": await listen(auth_require_tls=False, **login_wanted),
        "starttls": await listen(tls_context=tls, require_starttls=True, **login_wanted),
        "open": await listen(tls_context=tls, require_starttls=True),
        "tls": await listen(wrapper=tls, auth_require_tls=False, **login_wanted),
    }
    print(json.dumps({mode: port for mode, (port, _) in modes.items()}), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
