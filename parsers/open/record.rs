//! One row's cells, and how they are cut out of delimited text.
//!
//! The `csv` crate walks a state machine byte by byte, which is most of the work of reading a
//! large bill. Here a row is copied whole and its cells are ranges in it; only a cell with quotes
//! inside is touched again. What a quote means is what it means to that crate, and a test holds
//! the two together.

use super::like::Like;
use super::marks::{Marks, closed, unquote};

/// The cells of one row, as bytes.
#[derive(Clone, Debug, Default)]
pub struct Record {
    data: Vec<u8>,
    cells: Vec<(u32, u32)>,
    /// When the quotes are taken off a cell, by place; at once, if nothing is said.
    wanted: Option<Vec<Wanted>>,
    /// The places of the cells whose quotes are taken off late.
    late: Vec<usize>,
    /// Places of the cells in quotes that are taken off at once.
    quoted: Vec<usize>,
    /// Which cells still have their quotes.
    state: State,
    /// The stretches of an earlier row that this one repeats, one bit each.
    repeats: u64,
}

/// When the quotes are taken off a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wanted {
    AtOnce,
    /// When [`Record::late`] is called.
    Late,
    /// When [`Record::whole`] is called.
    #[default]
    Whole,
}

/// Which quotes were taken off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Raw,
    Late,
    Whole,
}

/// What the scan of a row came to.
pub(super) enum Scan {
    /// A row of this many bytes, its line end included.
    Row(usize),
    /// The bytes end before the row does.
    More,
}

impl Record {
    /// An empty row.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A cell.
    #[inline]
    pub fn get(&self, at: usize) -> Option<&[u8]> {
        let (start, end) = *self.cells.get(at)?;
        self.data.get(start as usize..end as usize)
    }

    /// A cell without its quotes, be they still there or not; `None` if there are more in it than at its ends.
    #[inline]
    pub fn bare(&self, at: usize) -> Option<&[u8]> {
        let cell = self.get(at)?;
        let off = match self.wanted(at) {
            Wanted::AtOnce => true,
            Wanted::Late => self.state != State::Raw,
            Wanted::Whole => self.state == State::Whole,
        };
        if off || cell.first() != Some(&b'"') {
            return Some(cell);
        }
        let inner = cell.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        memchr::memchr(b'"', inner).is_none().then_some(inner)
    }

    /// The cells from the left.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.cells.iter().map(|(start, end)| &self.data[*start as usize..*end as usize])
    }

    /// The bytes of the row as they stand in the file, but for cells with quotes inside.
    pub fn as_slice(&self) -> &[u8] {
        &self.data
    }

    /// Takes the quotes off these cells only, and off the late ones when [`Record::late`] is called; the
    /// others are left as they stand until [`Record::whole`] is.
    pub fn want(&mut self, places: impl Iterator<Item = usize>, late: impl Iterator<Item = usize>) {
        self.late = late.collect();
        let mut wanted = Vec::new();
        let late = self.late.iter().map(|place| (*place, Wanted::Late));
        for (place, when) in late.chain(places.map(|place| (place, Wanted::AtOnce))) {
            wanted.resize(wanted.len().max(place + 1), Wanted::Whole);
            wanted[place] = when;
        }
        self.wanted = Some(wanted);
    }

    /// Takes the quotes off the cells that are wanted late.
    pub fn late(&mut self) {
        if self.state == State::Raw {
            self.state = State::Late;
            for place in &self.late {
                if let Some(cell) = self.cells.get_mut(*place) {
                    unquote(&mut self.data, cell);
                }
            }
        }
    }

    /// Takes the quotes off all cells that still have them.
    pub fn whole(&mut self) {
        match std::mem::replace(&mut self.state, State::Whole) {
            State::Raw => self.take_off(|when| when != Wanted::AtOnce),
            State::Late => self.take_off(|when| when == Wanted::Whole),
            State::Whole => {}
        }
    }

    /// Whether every quote that is not taken off at once is still there.
    pub fn is_raw(&self) -> bool {
        self.state == State::Raw
    }

    /// Where the cells lie in [`Record::as_slice`].
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.cells
    }

    /// Whether the row repeats a stretch of the row that it was said to be like.
    #[inline]
    pub fn repeats(&self, stretch: usize) -> bool {
        stretch < 64 && self.repeats >> stretch & 1 == 1
    }

    fn take_off(&mut self, is: impl Fn(Wanted) -> bool) {
        for place in 0..self.cells.len() {
            if is(self.wanted(place)) {
                unquote(&mut self.data, &mut self.cells[place]);
            }
        }
    }

    /// Cuts the row that bytes begin with into cells; it may repeat stretches of one read before.
    pub(super) fn scan(&mut self, bytes: &[u8], delimiter: u8, like: &Like<'_>) -> Scan {
        self.cells.clear();
        self.quoted.clear();
        (self.state, self.repeats) = (State::Raw, 0);
        let marks = Marks::new(delimiter);
        let (mut start, mut at) = (0, 0);
        let (mut stretch, mut begins) = (0, like.place(0));
        let end = 'blocks: loop {
            let found = marks.find(&bytes[at..]);
            // A quote that a cell begins with.
            let opens = (found.delimiters << 1 | u32::from(at == start)) & found.quotes;
            let stops = found.ends | opens;
            let mut delimiters = found.delimiters & stops.wrapping_sub(1) & !stops;
            while delimiters != 0 {
                let mark = at + delimiters.trailing_zeros() as usize;
                delimiters &= delimiters - 1;
                self.cells.push((start as u32, mark as u32));
                start = mark + 1;
                if self.cells.len() == begins {
                    start = self.repeat(bytes, start, stretch, like);
                    (at, stretch) = (start, stretch + 1);
                    begins = like.place(stretch);
                    if at >= bytes.len() {
                        return Scan::More;
                    }
                    continue 'blocks;
                }
            }
            if stops == 0 {
                at += found.bytes;
                if at >= bytes.len() {
                    return Scan::More;
                }
                continue;
            }
            let stop = at + stops.trailing_zeros() as usize;
            if bytes[stop] == b'\n' {
                self.cells.push((start as u32, stop as u32));
                break stop;
            }
            if self.wanted(self.cells.len()) == Wanted::AtOnce {
                self.quoted.push(self.cells.len());
            }
            match closed(bytes, start + 1) {
                Some(after) => at = after,
                None => return Scan::More,
            }
        };
        self.data.clear();
        self.data.extend_from_slice(&bytes[..end]);
        for place in &self.quoted {
            unquote(&mut self.data, &mut self.cells[*place]);
        }
        Scan::Row(end + 1)
    }

    /// Takes over the cells of a stretch if the bytes from here on are its bytes; where to go on.
    ///
    /// A cell begins here, as one does where the stretch begins, and from there on nothing but the
    /// bytes decides what the cells are.
    #[inline]
    fn repeat(&mut self, bytes: &[u8], start: usize, at: usize, like: &Like<'_>) -> usize {
        let Some((known, begin, ends)) = like.stretch(at) else { return start };
        if at >= 64 || bytes.get(start..start + known.len()) != Some(known) {
            return start;
        }
        let (mut next, up) = (start as u32, (start as u32).wrapping_sub(begin as u32));
        self.cells.extend(ends.iter().map(|end| {
            let end = u32::from(*end).wrapping_add(up);
            (std::mem::replace(&mut next, end + 1), end)
        }));
        self.repeats |= 1 << at;
        start + known.len()
    }

    /// Adds empty cells on the right, which lie at the end of the row.
    pub(super) fn widen(&mut self, width: usize) {
        let end = self.data.len() as u32;
        self.cells.resize(self.cells.len().max(width), (end, end));
    }

    #[inline]
    fn wanted(&self, place: usize) -> Wanted {
        match &self.wanted {
            Some(wanted) => wanted.get(place).copied().unwrap_or_default(),
            None => Wanted::AtOnce,
        }
    }
}
