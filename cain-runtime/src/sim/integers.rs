//! Programs on integers: an array whose registers are wide instead of analogue.
//!
//! An automaton runs for hundreds of steps of thousands of instructions, which only exact integers make comparable. An
//! [`IntegerProgram`] is a listing as sums of planes, prepared once; an [`IntegerArray`] has the planes. What is halved must
//! be even, and registers must be wide enough: both follow from the program, and are not checked here.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the wider vectors")]

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::mem;

#[cfg(feature = "simd")]
use fearless_simd::{Level, dispatch};

use crate::isa::{Displacement, Instruction, Reg, Store, Word};

/// A program of linear instructions, as sums of planes.
#[derive(Clone, Debug)]
pub struct IntegerProgram {
    sums: Vec<Sum>,
}

/// A plane as a sum of others.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sum {
    store: Store,
    /// Those that are added, and then those that are subtracted.
    terms: Vec<(Store, Displacement)>,
    added: usize,
    halvings: u32,
}

/// The most terms of a sum: the sources of a word.
const MOST: usize = 4;

/// A value in terms of what was stored before an instruction.
#[derive(Clone, Default)]
struct Form {
    terms: Vec<Term>,
}

/// A plane, where it is read, whether it is subtracted, and how often it is halved.
type Term = (Store, Displacement, bool, u32);

/// Why a listing is no program on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntegerProgramError {
    /// It has a word that is no transfer, or reads something else than registers and NEWS.
    NotATransfer(Word),
    /// It divides by another number than two.
    Divisor(u8),
    /// It reads farther away than the array has room around its pixels.
    Reach(Displacement),
}

impl fmt::Display for IntegerProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATransfer(word) => write!(f, "`{word}` is no transfer between registers"),
            Self::Divisor(divisor) => write!(f, "integers are halved only, not divided by {divisor}"),
            Self::Reach(Displacement { x, y }) => {
                write!(f, "an instruction reads {x} PEs to the east and {y} to the north")
            }
        }
    }
}

impl core::error::Error for IntegerProgramError {}

impl IntegerProgram {
    /// The program of a listing. What a macro instruction leaves in NEWS is not kept.
    pub fn new(listing: &[Instruction]) -> Result<Self, IntegerProgramError> {
        let mut sums = Vec::new();
        for instruction in listing {
            let mut forms: BTreeMap<Store, Form> = BTreeMap::new();
            for word in instruction.words() {
                let written = transfers(&word, &forms)?;
                forms.extend(written);
            }
            let is_macro = matches!(instruction, Instruction::Macro(_));
            let uneven = |form: &Form| form.terms.windows(2).any(|pair| pair[0].3 != pair[1].3);
            let kept: Vec<_> = forms.into_iter().filter(|(store, _)| !is_macro || *store != Store::News).collect();
            // Several results at once could read one another, and terms of several scales need more than one sum.
            let is_sum = |form: &Form| form.terms.len() <= MOST && !uneven(form);
            if kept.len() > 1 || !kept.iter().all(|(_, form)| is_sum(form)) {
                for word in instruction.words() {
                    let written = transfers(&word, &BTreeMap::new())?;
                    sums.extend(written.into_iter().map(|(store, form)| form.into_sum(store)));
                }
            } else {
                sums.extend(kept.into_iter().map(|(store, form)| form.into_sum(store)));
            }
        }
        Ok(Self { sums })
    }

    /// The sums that it is made of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether it does nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }
}

/// What a word writes, where some stores hold forms.
fn transfers(word: &Word, forms: &BTreeMap<Store, Form>) -> Result<Vec<(Store, Form)>, IntegerProgramError> {
    if !matches!(word, Word::Bus(_)) {
        return Err(IntegerProgramError::NotATransfer(*word));
    }
    let mut written = Vec::new();
    for transfer in word.transfers() {
        let halving = match transfer.divisor {
            1 => 0,
            2 => 1,
            divisor => return Err(IntegerProgramError::Divisor(divisor)),
        };
        let mut form = Form::default();
        for &(store, displacement) in transfer.terms() {
            match forms.get(&store) {
                Some(known) => {
                    let through = |&(store, at, negative, halvings): &Term| {
                        (store, at + displacement, !negative, halvings + halving)
                    };
                    form.terms.extend(known.terms.iter().map(through));
                }
                None if matches!(store, Store::Reg(_) | Store::News) => {
                    form.terms.push((store, displacement, true, halving));
                }
                None => return Err(IntegerProgramError::NotATransfer(*word)),
            }
        }
        written.push((transfer.store, form));
    }
    Ok(written)
}

impl Form {
    fn into_sum(self, store: Store) -> Sum {
        let halvings = self.terms.first().map_or(0, |term| term.3);
        let of = |wanted: bool| self.terms.iter().filter(move |term| term.2 == wanted).map(|term| (term.0, term.1));
        let added = of(false).count();
        Sum { store, terms: of(false).chain(of(true)).collect(), added, halvings }
    }
}

/// Planes of integers: registers, and NEWS.
///
/// Rows follow one another with room between them, into which values may be moved on their way.
#[derive(Clone, Debug)]
pub struct IntegerArray {
    planes: Vec<Vec<i32>>,
    spare: Vec<i32>,
    width: usize,
    height: usize,
    room: usize,
}

impl IntegerArray {
    /// An array of zeros, with room for values that come from so many PEs away.
    #[must_use]
    pub fn new(width: usize, height: usize, room: usize) -> Self {
        let mut array = Self { planes: Vec::new(), spare: Vec::new(), width, height, room };
        let length = array.core() + 2 * array.edge();
        array.spare = vec![0; length];
        array.planes = vec![vec![0; length]; 1];
        array
    }

    fn stride(&self) -> usize {
        self.width + 2 * self.room
    }

    /// The places that are computed: rows with room on all sides.
    fn core(&self) -> usize {
        (self.height + 2 * self.room) * self.stride()
    }

    /// The places before and behind, which are 0 at all times.
    fn edge(&self) -> usize {
        (self.room + 1) * self.stride()
    }

    /// The place of a PE; rows and columns may be in the room around the pixels.
    fn place(&self, row: usize, column: usize) -> usize {
        self.edge() + row * self.stride() + column
    }

    fn index(store: Store) -> usize {
        match store {
            Store::Reg(reg) => 1 + usize::from(reg.index()),
            _ => 0,
        }
    }

    fn ensure(&mut self, index: usize) {
        let length = self.spare.len();
        while self.planes.len() <= index {
            self.planes.push(vec![0; length]);
        }
    }

    /// Writes a register in all PEs and in the room around them: the value of a row and a column, which are negative in the
    /// north and west of the array.
    pub fn load(&mut self, reg: Reg, value: impl Fn(isize, isize) -> i32) {
        let index = Self::index(Store::Reg(reg));
        self.ensure(index);
        let room = self.room.cast_signed();
        for row in 0..self.height + 2 * self.room {
            for column in 0..self.stride() {
                let place = self.place(row, column);
                self.planes[index][place] = value(row.cast_signed() - room, column.cast_signed() - room);
            }
        }
    }

    /// Replaces all values of a register.
    pub fn map(&mut self, reg: Reg, mut value: impl FnMut(i32) -> i32) {
        let index = Self::index(Store::Reg(reg));
        self.ensure(index);
        let core = self.edge()..self.edge() + self.core();
        self.planes[index][core].iter_mut().for_each(|place| *place = value(*place));
    }

    /// The values of a register, row by row.
    pub fn read(&self, reg: Reg) -> impl Iterator<Item = &[i32]> {
        let plane = self.planes.get(Self::index(Store::Reg(reg)));
        (0..self.height).map(move |row| {
            let start = self.place(row + self.room, self.room);
            plane.and_then(|plane| plane.get(start..start + self.width)).unwrap_or_default()
        })
    }

    /// Carries out a program. Within the room of the array no value comes from beyond.
    pub fn run(&mut self, program: &IntegerProgram) -> Result<(), IntegerProgramError> {
        let is_near = |at: &Displacement| at.x.unsigned_abs().max(at.y.unsigned_abs()) as usize <= self.room;
        let terms = || program.sums.iter().flat_map(|sum| &sum.terms);
        if let Some((_, at)) = terms().find(|(_, at)| !is_near(at)) {
            return Err(IntegerProgramError::Reach(*at));
        }
        let stores = terms().map(|(store, _)| *store).chain(program.sums.iter().map(|sum| sum.store));
        let most = stores.map(Self::index).max().unwrap_or(0);
        self.ensure(most);
        self.vectorised(program);
        Ok(())
    }

    /// With the vector instructions of this processor.
    #[cfg(feature = "simd")]
    fn vectorised(&mut self, program: &IntegerProgram) {
        dispatch!(Level::new(), _ => self.carry_out(program));
    }

    /// With the vector instructions that every processor of the target has.
    #[cfg(not(feature = "simd"))]
    fn vectorised(&mut self, program: &IntegerProgram) {
        self.carry_out(program);
    }

    #[inline(always)]
    fn carry_out(&mut self, program: &IntegerProgram) {
        program.sums.iter().for_each(|sum| self.add_up(sum));
    }

    #[inline(always)]
    fn add_up(&mut self, sum: &Sum) {
        let (edge, core, stride) = (self.edge(), self.core(), self.stride().cast_signed());
        let mut sources: [&[i32]; MOST] = [&[]; MOST];
        for (source, &(store, at)) in sources.iter_mut().zip(&sum.terms) {
            // What is as near as the room lies within the plane.
            let start = edge.wrapping_add_signed(isize::from(at.x) - isize::from(at.y) * stride);
            *source = &self.planes[Self::index(store)][start..start + core];
        }
        let sources = &sources[..sum.terms.len()];
        Sums {
            into: &mut self.spare[edge..edge + core],
            added: &sources[..sum.added],
            subtracted: &sources[sum.added..],
            halvings: sum.halvings,
        }
        .run();
        mem::swap(&mut self.spare, &mut self.planes[Self::index(sum.store)]);
    }
}

/// A sum, in a loop that the compiler turns into vector instructions.
struct Sums<'a> {
    into: &'a mut [i32],
    added: &'a [&'a [i32]],
    subtracted: &'a [&'a [i32]],
    halvings: u32,
}

impl Sums<'_> {
    #[inline(always)]
    fn run(self) {
        match (self.added.len(), self.subtracted.len()) {
            (1, 0) => self.fill::<1, 0>(),
            (0, 1) => self.fill::<0, 1>(),
            (2, 0) => self.fill::<2, 0>(),
            (1, 1) => self.fill::<1, 1>(),
            (0, 2) => self.fill::<0, 2>(),
            (3, 0) => self.fill::<3, 0>(),
            (2, 1) => self.fill::<2, 1>(),
            (1, 2) => self.fill::<1, 2>(),
            (0, 3) => self.fill::<0, 3>(),
            (4, 0) => self.fill::<4, 0>(),
            (3, 1) => self.fill::<3, 1>(),
            (2, 2) => self.fill::<2, 2>(),
            (1, 3) => self.fill::<1, 3>(),
            (0, 4) => self.fill::<0, 4>(),
            _ => self.into.fill(0),
        }
    }

    /// Of so many planes that are added, and so many that are subtracted.
    #[inline(always)]
    fn fill<const P: usize, const N: usize>(self) {
        let Self { into, added, subtracted, halvings } = self;
        let (Some(added), Some(subtracted)) = (added.first_chunk::<P>(), subtracted.first_chunk::<N>()) else { return };
        let added = added.map(|plane| &plane[..into.len()]);
        let subtracted = subtracted.map(|plane| &plane[..into.len()]);
        let sum = |i: usize| {
            let sum = added.iter().fold(0_i32, |sum, plane| sum.wrapping_add(plane[i]));
            subtracted.iter().fold(sum, |sum, plane| sum.wrapping_sub(plane[i]))
        };
        if halvings == 0 {
            into.iter_mut().enumerate().for_each(|(i, into)| *into = sum(i));
        } else {
            into.iter_mut().enumerate().for_each(|(i, into)| *into = sum(i) >> halvings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IntegerArray, IntegerProgram, IntegerProgramError};
    use crate::isa::{Instruction, Reg};
    use alloc::vec::Vec;

    fn listing(lines: &[&str]) -> Vec<Instruction> {
        lines.iter().map(|line| line.parse().unwrap()).collect()
    }

    fn array(values: &[i32], width: usize) -> IntegerArray {
        let mut array = IntegerArray::new(width, values.len() / width, 2);
        array.load(Reg::A, |row, column| {
            let at = usize::try_from(row).ok().zip(usize::try_from(column).ok().filter(|column| *column < width));
            at.and_then(|(row, column)| values.get(row * width + column)).copied().unwrap_or(0)
        });
        array
    }

    /// Every macro instruction as one sum, and every word as one.
    #[test]
    fn macro_instructions_and_their_words_agree_with_arithmetic() {
        let values: Vec<i32> = (0..20).map(|i| 8 * ((i * 37) % 50 - 25)).collect();
        let at = |row: usize, column: usize| values[row * 5 + column];
        let macros = listing(&[
            "movx(B,A,east);",
            "sub(C,B,A);",
            "divq(D,C);",
            "add(E,A,B,D);",
            "sub2x(F,A,north,west,E);",
            "div(B,C,A);",
        ]);
        let words: Vec<Instruction> = macros.iter().flat_map(Instruction::words).map(Instruction::Word).collect();
        for (listing, sums) in [(&macros, 12), (&words, 18)] {
            let program = IntegerProgram::new(listing).unwrap();
            assert_eq!(program.len(), sums);
            let mut array = array(&values, 5);
            array.run(&program).unwrap();
            let half = |row, column| (at(row, column + 1) - at(row, column)) / 2;
            let sum = |row, column| at(row, column) + at(row, column + 1) + half(row, column);
            let read = |reg| array.read(reg).map(<[i32]>::to_vec).collect::<Vec<_>>();
            assert_eq!(read(Reg::D)[1][2], half(1, 2));
            assert_eq!(read(Reg::E)[1][2], sum(1, 2));
            assert_eq!(read(Reg::F)[1][2], at(0, 1) - sum(1, 2));
            assert_eq!(read(Reg::B)[2][3], at(2, 3) / 2);
            assert_eq!(read(Reg::C)[2][3], -at(2, 3) / 2);
        }
    }

    #[test]
    fn what_is_no_sum_of_planes_is_refused() {
        let thirds = IntegerProgram::new(&listing(&["bus3(B,C,D,A);"]));
        assert!(matches!(thirds, Err(IntegerProgramError::Divisor(3))), "{thirds:?}");
        let camera = IntegerProgram::new(&listing(&["get_image(A);"]));
        assert!(matches!(camera, Err(IntegerProgramError::NotATransfer(_))), "{camera:?}");
        let far = IntegerProgram::new(&listing(&["mov2x(B,A,east,east);"])).unwrap();
        let mut narrow = IntegerArray::new(3, 3, 1);
        assert!(matches!(narrow.run(&far), Err(IntegerProgramError::Reach(_))));
    }
}
