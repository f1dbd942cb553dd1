//! The forms of control words: what they compute, read off the machine.

use cain_isa::{BusLimits, Cell, Reg, Store, Transfer, Word};

use crate::engine::instructions::NEWS_FAMILY;
use crate::engine::step::FormId;
use crate::engine::terms;

/// A control word without its registers: it makes −(sum of its operands, each read from its place)/divisor.
#[derive(Clone, Debug)]
pub(crate) struct WordForm {
    /// The first destination; a register stands for any register.
    pub(crate) destination: Cell,
    /// The number of cells that it writes. All of them after the first are registers, except that one may be NEWS.
    pub(crate) divisor: u8,
    /// The name under which it reads NEWS, that of a neighbour or its own, if it does. NEWS is then its first operand.
    pub(crate) reading: Option<Cell>,
    /// The number of registers that it reads.
    pub(crate) registers: usize,
    /// The displacement from which it reads registers, seen from the PE that is written, as a key step.
    pub(crate) registers_from: u32,
    /// The displacement from which it reads NEWS, as a key step.
    pub(crate) news_from: u32,
}

impl WordForm {
    /// Whether the first destination is NEWS.
    pub(crate) fn makes_news(&self) -> bool {
        !matches!(self.destination, Cell::Reg(_))
    }
}

/// All words of one machine.
pub(crate) struct WordForms {
    list: Vec<WordForm>,
}

impl WordForms {
    /// All words that the bus allows within the limits of a machine.
    pub(crate) fn new(bus: BusLimits) -> Self {
        let mut list = Vec::new();
        let any = Cell::Reg(Reg::from_index(0));
        for destination in std::iter::once(any).chain(NEWS_FAMILY) {
            for divisor in 1..=Word::MAX_DESTINATIONS {
                for reading in std::iter::once(None).chain(NEWS_FAMILY.map(Some)) {
                    let registers = 0..=Word::MAX_SOURCES;
                    list.extend(registers.filter_map(|n| WordForm::read_off(destination, divisor, reading, n, bus)));
                }
            }
        }
        Self { list }
    }

    /// The form with this number.
    pub(crate) fn get(&self, id: FormId) -> &WordForm {
        &self.list[usize::from(id)]
    }

    /// All forms, with their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (FormId, &WordForm)> {
        (0..).zip(&self.list)
    }
}

impl WordForm {
    /// The form of such words, read off the machine; `None` if the bus does not allow them.
    fn read_off(
        destination: Cell,
        divisor: usize,
        reading: Option<Cell>,
        registers: usize,
        bus: BusLimits,
    ) -> Option<Self> {
        let mut unused = (1..).map(|index| Cell::Reg(Reg::from_index(index)));
        let destinations: Vec<Cell> = std::iter::once(destination).chain(unused.by_ref()).take(divisor).collect();
        let other = unused.next()?;
        let sources: Vec<Cell> = reading.into_iter().chain(unused.take(registers)).collect();
        let word = Word::new(&destinations, &sources).ok().filter(|word| bus.allows(word).is_ok())?;
        // It is the same for any number of registers, including none.
        let with_register = Word::new(&destinations, &[other]).ok()?;
        Some(Self {
            destination,
            divisor: word.transfers().next()?.divisor,
            reading,
            registers,
            registers_from: read_from(&with_register, false),
            news_from: read_from(&word, true),
        })
    }

    /// The word on these registers; `None` if the bus does not allow it.
    ///
    /// `further` are the destinations after the first, `registers` the sources after NEWS.
    pub(crate) fn assemble(&self, first: Option<Reg>, further: &[Cell], registers: &[Reg]) -> Option<Word> {
        let destination = first.map_or(self.destination, Cell::Reg);
        let destinations: Vec<Cell> = std::iter::once(destination).chain(further.iter().copied()).collect();
        let registers = registers.iter().copied().map(Cell::Reg);
        let sources: Vec<Cell> = self.reading.into_iter().chain(registers).collect();
        Word::new(&destinations, &sources).ok()
    }
}

/// The displacement from which a word reads NEWS or registers, seen from the PE that is written, as a key step; 0 if it
/// reads none.
pub(super) fn read_from(word: &Word, news: bool) -> u32 {
    let transfer = word.transfers().next();
    let mut terms = transfer.iter().flat_map(Transfer::terms);
    let of_kind = terms.find(|(store, _)| (*store == Store::News) == news);
    of_kind.map_or(0, |(_, displacement)| terms::step(*displacement))
}

#[cfg(test)]
mod tests {
    use cain_isa::{BusLimits, Cell};

    use super::{WordForm, WordForms};

    #[test]
    fn the_words_of_the_vendor() {
        let forms = WordForms::new(BusLimits::SCAMP5);
        let count = |divisor, news, reads: bool| {
            let all = forms.iter().map(|(_, form)| form);
            all.filter(|form| form.divisor == divisor && form.makes_news() == news && form.reading.is_some() == reads)
                .count()
        };
        // Into a register: up to four registers, or up to three and NEWS under one of five names.
        assert_eq!((count(1, false, false), count(1, false, true)), (5, 20));
        // Into NEWS or through a port: registers only.
        assert_eq!((count(1, true, false), count(1, true, true)), (25, 0));
        // bus2 takes up to two sources, and NEWS only under its own name; bus3 takes one.
        assert_eq!((count(2, false, false), count(2, false, true), count(2, true, false)), (3, 10, 3));
        // This includes words that push nothing but the error.
        let pushes = |form: &WordForm| matches!(form.destination, Cell::Port(_));
        assert!(forms.iter().all(|(_, form)| pushes(form) == (form.makes_news() && form.registers_from != 0)));
        assert_eq!((count(3, false, false), count(3, false, true), count(3, true, false)), (1, 5, 1));
    }
}
