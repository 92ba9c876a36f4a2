//! The list of texts that the sheets of a workbook share.

/// The number of texts in the pieces of the list; `None` if one is cut off or has marks that there are not.
pub(super) fn count(pieces: &[&[u8]]) -> Option<u32> {
    let mut pieces = pieces.iter().copied();
    let mut texts = Texts { data: pieces.next()?.get(8..)?, more: pieces };
    let mut count = 0;
    while texts.goes_on() {
        texts.text()?;
        count += 1;
    }
    Some(count)
}

/// What is left of the list.
struct Texts<'a, I> {
    data: &'a [u8],
    more: I,
}

impl<'a, I: Iterator<Item = &'a [u8]>> Texts<'a, I> {
    fn goes_on(&mut self) -> bool {
        while self.data.is_empty() {
            match self.more.next() {
                Some(data) => self.data = data,
                None => return false,
            }
        }
        true
    }

    /// Passes over a text: its characters, what formats them, and what is said beside them.
    fn text(&mut self) -> Option<()> {
        let characters = usize::from(self.short()?);
        let marks = self.byte()?;
        // Wide characters, phonetic help, runs of formats; there is no other mark.
        if marks & !0b1101 != 0 {
            return None;
        }
        let runs = if marks & 8 == 0 { 0 } else { usize::from(self.short()?) };
        let beside = if marks & 4 == 0 { 0 } else { usize::from(self.short()?) | usize::from(self.short()?) << 16 };
        self.characters(characters, marks & 1 != 0)?;
        self.skip(4 * runs)?;
        self.skip(beside)
    }

    /// Characters may go on in the next piece, which says anew whether they are wide.
    fn characters(&mut self, mut left: usize, mut wide: bool) -> Option<()> {
        loop {
            let size = if wide { 2 } else { 1 };
            let here = left.min(self.data.len() / size);
            self.data = &self.data[here * size..];
            left -= here;
            if left == 0 {
                return Some(());
            }
            // Half a character at the end of a piece is none.
            if !self.data.is_empty() || !self.goes_on() {
                return None;
            }
            wide = match self.byte()? {
                mark @ 0..=1 => mark == 1,
                _ => return None,
            };
        }
    }

    fn skip(&mut self, mut left: usize) -> Option<()> {
        while left > 0 {
            if !self.goes_on() {
                return None;
            }
            let here = left.min(self.data.len());
            self.data = &self.data[here..];
            left -= here;
        }
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.goes_on().then_some(self.data)?.split_first()?;
        self.data = rest;
        Some(*first)
    }

    fn short(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.byte()?, self.byte()?]))
    }
}
