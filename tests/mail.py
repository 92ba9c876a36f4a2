"""Shows a mail as a mail program reads it: headers, structure, text, and what is attached.

usage: mail.py FILE.eml
"""

import csv
import email
import email.policy
import io
import re
import sys

with open(sys.argv[1], "rb") as file:
    mail = email.message_from_binary_file(file, policy=email.policy.default)
assert not mail.defects, mail.defects
for name in ("From", "To", "Cc", "Subject", "Date", "Message-ID"):
    print(f"{name}: {mail[name]}")
print(f"Headers: {', '.join(mail.keys())}")


def show(part, depth=0):
    assert not part.defects, part.defects
    print(f"{'  ' * depth}- {part.get_content_type()} {part.get_filename() or ''}".rstrip())
    if part.is_multipart():
        for inner in part.iter_parts():
            show(inner, depth + 1)


show(mail)
plain = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
html = mail.get_body(("html",)).get_content()
assert "<script" not in html and "<style" not in html
print(f"HTML: {len(re.findall('<table', html))} tables, {html.count('&lt;script&gt;')} escaped scripts")
(attached,) = mail.iter_attachments()
content = attached.get_content()
content = content if isinstance(content, bytes) else content.encode("utf-8")
assert content.startswith(b"\xef\xbb\xbf"), "Excel needs the mark"
rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
print(f"Attached: {len(rows) - 1} findings, {', '.join(rows[0])}")
print(plain, end="")
