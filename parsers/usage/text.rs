//! A file as a stream of UTF-8 text, whatever it was kept in.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use encoding_rs::{Decoder, Encoding, UTF_8};

use super::buffer::Buffer;
use crate::error::{Error, Result};
use crate::open::{Newlines, looks_utf16};

/// Opens a file, or standard input for `-`; gzip and UTF-16 are undone on the way.
pub(super) fn open(path: &Path, name: &str) -> Result<Box<dyn BufRead>> {
    let raw: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(|e| Error::io(name, &e))?)
    };
    decoded(raw, name)
}

/// Undoes gzip and UTF-16.
pub(super) fn decoded<'a>(raw: impl Read + 'a, name: &str) -> Result<Box<dyn BufRead + 'a>> {
    let mut reader = Buffer::new(raw);
    let head = reader.fill_buf().map_err(|e| Error::io(name, &e))?;
    if head.starts_with(&[0x1f, 0x8b]) {
        let unpacked = flate2::bufread::MultiGzDecoder::new(reader);
        return utf8(Buffer::new(unpacked), name);
    }
    utf8(reader, name)
}

fn utf8<'a>(mut reader: impl BufRead + 'a, name: &str) -> Result<Box<dyn BufRead + 'a>> {
    let head = reader.fill_buf().map_err(|e| Error::io(name, &e))?;
    let marked = Encoding::for_bom(head).map(|(encoding, _)| encoding);
    match marked.or_else(|| looks_utf16(head)) {
        Some(encoding) if encoding != UTF_8 => {
            let decoding = Decoding { raw: reader, decoder: encoding.new_decoder_with_bom_removal(), ended: false };
            lined(Buffer::new(decoding), name)
        }
        _ => lined(reader, name),
    }
}

/// Lines that end with a lone `\r`, as old spreadsheets write them, end with `\n`.
fn lined<'a>(mut reader: impl BufRead + 'a, name: &str) -> Result<Box<dyn BufRead + 'a>> {
    let head = reader.fill_buf().map_err(|e| Error::io(name, &e))?;
    if head.contains(&b'\r') && !head.contains(&b'\n') {
        return Ok(Box::new(Buffer::new(Newlines::new(reader, true))));
    }
    Ok(Box::new(reader))
}

/// Decodes piece by piece, so that a long log is never held as a whole.
struct Decoding<R> {
    raw: R,
    decoder: Decoder,
    ended: bool,
}

impl<R: BufRead> Read for Decoding<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let bytes = self.raw.fill_buf()?;
            let last = bytes.is_empty();
            if last && self.ended {
                return Ok(0);
            }
            let (_, read, written, _) = self.decoder.decode_to_utf8(bytes, out, last);
            self.raw.consume(read);
            self.ended = last;
            if written > 0 || last {
                return Ok(written);
            }
        }
    }
}
