"""A throw-away CA, and a certificate of it for "localhost", for the servers of the tests."""

import datetime

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def signed(name, issuer=None, issuer_key=None, authority=False, alternatives=()):
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer.subject if issuer else subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if alternatives:
        builder = builder.add_extension(x509.SubjectAlternativeName(list(alternatives)), critical=False)
    return builder.sign(issuer_key or key, hashes.SHA256()), key


def for_localhost(folder):
    """Writes ca.pem, and server.pem with the certificate and its key; it does not name 127.0.0.1."""
    ca, ca_key = signed("kashi test CA", authority=True)
    server, key = signed("localhost", ca, ca_key, alternatives=[x509.DNSName("localhost")])
    pem = serialization.Encoding.PEM
    (folder / "ca.pem").write_bytes(ca.public_bytes(pem))
    (folder / "server.pem").write_bytes(
        server.public_bytes(pem)
        + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
