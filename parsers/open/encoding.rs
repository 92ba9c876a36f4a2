//! What encoding a text is in: by its mark, by validity, and only then by detection.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Kind, Origin, Result};

/// What the start of a file on disk shows.
pub(super) enum Found {
    /// UTF-8, with or without a mark: it can be read as it stands.
    Utf8,
    /// Anything else: it must be decoded.
    Other,
}

/// Bytes that are looked at before a file on disk is taken for UTF-8. A bill's header is in its
/// language, so another encoding shows here; a byte further down that is not UTF-8 is refused
/// with its row.
const LOOK: usize = 4 << 20;

pub(super) fn of_file(path: &Path, name: &str) -> Result<Found> {
    let mut head = Vec::new();
    let file = File::open(path).map_err(|e| Error::io(name, &e))?;
    file.take(LOOK as u64).read_to_end(&mut head).map_err(|e| Error::io(name, &e))?;
    if head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || looks_utf16(&head).is_some() {
        return Ok(Found::Other);
    }
    let start = &head[..head.len().min(512)];
    if start.contains(&b'<') {
        // Possibly a web page: let the decoder look at it.
        return Ok(Found::Other);
    }
    Ok(match std::str::from_utf8(&head) {
        Ok(_) => Found::Utf8,
        // A character cut by the end of the look is not an error.
        Err(e) if e.error_len().is_none() && head.len() == LOOK => Found::Utf8,
        Err(_) => Found::Other,
    })
}

/// Decodes bytes to UTF-8 and names the encoding.
pub(super) fn decode(bytes: Vec<u8>, name: &str) -> Result<(Vec<u8>, &'static str)> {
    if let Some((encoding, _)) = encoding_rs::Encoding::for_bom(&bytes)
        && encoding != encoding_rs::UTF_8
    {
        return decoded(&bytes, encoding, name);
    }
    if let Some(encoding) = looks_utf16(&bytes) {
        return decoded(&bytes, encoding, name);
    }
    let valid = match std::str::from_utf8(&bytes) {
        Ok(_) => return Ok((bytes, "UTF-8")),
        Err(e) => e.valid_up_to(),
    };
    if let Ok(found) = decoded(&bytes, encoding_rs::GB18030, name) {
        let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
        detector.feed(&bytes[..bytes.len().min(64 << 10)], false);
        let guess = detector.guess(Some(b"cn"), chardetng::Utf8Detection::Deny);
        if guess == encoding_rs::GBK || guess == encoding_rs::GB18030 {
            return Ok(found);
        }
        return decoded(&bytes, guess, name);
    }
    // The row up to which the better guess holds: where a file that was put together breaks.
    let valid = valid.max(valid_gb18030(&bytes));
    let row = 1 + memchr::memchr_iter(b'\n', &bytes[..valid]).count();
    Err(Error::new(Kind::Format, "holds bytes that are text in none of UTF-8, UTF-16 and GB18030")
        .at(Origin::file(name).at(u32::try_from(row).unwrap_or(0)))
        .hint("open it in a spreadsheet and save it as CSV UTF-8, or download it again"))
}

/// Bytes from the start that are GB18030.
fn valid_gb18030(bytes: &[u8]) -> usize {
    let mut decoder = encoding_rs::GB18030.new_decoder_without_bom_handling();
    let mut text = vec![0; 4096];
    let mut valid = 0;
    loop {
        let (result, read, _) = decoder.decode_to_utf8_without_replacement(&bytes[valid..], &mut text, true);
        valid += read;
        if !matches!(result, encoding_rs::DecoderResult::OutputFull) {
            return valid;
        }
    }
}

fn decoded(bytes: &[u8], encoding: &'static encoding_rs::Encoding, name: &str) -> Result<(Vec<u8>, &'static str)> {
    let (text, used, broken) = encoding.decode(bytes);
    if broken {
        return Err(Error::new(Kind::Format, message!("holds bytes that are not valid {}", used.name()))
            .at(Origin::file(name))
            .hint("the file may be cut off or mix encodings; download it again, or save it as CSV UTF-8"));
    }
    Ok((text.into_owned().into_bytes(), used.name()))
}

/// UTF-16 without a mark: commas, digits and line ends have a zero byte each, all on one side, and
/// what comes out is text.
pub(crate) fn looks_utf16(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let head = &bytes[..bytes.len().min(4096) & !1];
    // Nothing else that is text has a zero byte.
    if head.len() < 16 || !head.contains(&0) {
        return None;
    }
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|b| **b == 0).count();
    // A few characters, such as 一 (U+4E00), have their zero on the other side.
    let (little, big) = (zeros(1), zeros(0));
    let (encoding, unit): (_, fn([u8; 2]) -> u16) = if little > big * 4 {
        (encoding_rs::UTF_16LE, u16::from_le_bytes)
    } else if big > little * 4 {
        (encoding_rs::UTF_16BE, u16::from_be_bytes)
    } else {
        return None;
    };
    let units = head.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut chars: Vec<_> = char::decode_utf16(units).collect();
    // A pair may be cut by the end of the look.
    if chars.last().is_some_and(std::result::Result::is_err) {
        chars.pop();
    }
    chars.into_iter().all(|c| c.is_ok_and(written)).then_some(encoding)
}

/// Whether a character is one that people write; binary data has others.
fn written(c: char) -> bool {
    let control = c.is_control() && !matches!(c, '\t' | '\r' | '\n');
    let private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{ffff}');
    !control && !private
}
