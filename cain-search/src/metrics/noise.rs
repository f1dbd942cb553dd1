//! Computes how much of the words' own errors reaches the outputs.

use cain_analysis::prove::Polynomial;
use cain_analysis::sorted::Map;
use cain_isa::{Fraction, Instruction, Reg, Store, Word};

/// The noise of a program: the sum of the variances of its outputs if every cell that a control word writes gets an
/// independent error of variance 1.
///
/// Later words carry an error in a cell along with the value itself, so it reaches an output with a weight per
/// displacement: a Laurent polynomial. The noise is the sum over all words, their written cells, and the outputs, of
/// the squared coefficients of that polynomial. A cell that is overwritten before it is used adds nothing. `None` if a
/// weight does not fit exact arithmetic.
///
/// That each word adds an error to each cell it writes is shown by the published accumulation experiment on SCAMP-5
/// ("CNNs on FPSPs", an identity of nine words repeated up to 32 times). Gains are taken to be exactly 1, and offset
/// errors, which cancel in macro instructions, are left out. The cells that `bus2` and `bus3` write count like others:
/// they are said to be noisier, but nobody has published by how much.
///
/// ```
/// use cain_isa::asm::{A, B, C, divq, mov};
///
/// // Two words, each of which writes its error into the copy.
/// assert_eq!(cain_search::noise(&[mov(B, A)], &[B]), Some(2.0));
/// // Halving quarters the variance that was there, and adds that of two more writes.
/// assert_eq!(cain_search::noise(&[mov(B, A), divq(C, B)], &[C]), Some(2.5));
/// ```
#[must_use]
pub fn noise(listing: &[Instruction], outputs: &[Reg]) -> Option<f64> {
    let square = |weight: Fraction| weight.to_f64() * weight.to_f64();
    let errors = Errors::of(listing, outputs)?;
    // Folding from 0.0, because the sum of nothing would be −0.0.
    Some(errors.writes.iter().flat_map(Polynomial::terms).fold(0.0, |sum, (_, weight)| sum + square(weight)))
}

/// The weights with which errors reach the outputs, where output i is channel i.
pub(crate) struct Errors {
    /// The weights of the error of each write that is used, last write first.
    pub(crate) writes: Vec<Polynomial>,
    /// For each cell that is used, the weights of an error that it holds before the program.
    pub(crate) cells: Map<Store, Polynomial>,
}

impl Errors {
    /// Follows a program from its end to its beginning; `None` if exact arithmetic overflows.
    pub(crate) fn of(listing: &[Instruction], outputs: &[Reg]) -> Option<Self> {
        let mut cells: Map<Store, Polynomial> = (0..=u16::MAX)
            .zip(outputs)
            .map(|(channel, &output)| (Store::Reg(output), Polynomial::input(channel)))
            .collect();
        let mut writes = Vec::new();
        let words: Vec<Word> = listing.iter().flat_map(Instruction::words).collect();
        for word in words.into_iter().rev() {
            // No word reads what it writes, so its destinations can be handled one after the other.
            for transfer in word.transfers() {
                let Some(weight) = cells.remove(&transfer.store) else { continue };
                for &(source, displacement) in transfer.terms() {
                    cells.get_or_default(source).add_scaled(&weight, transfer.factor(), displacement)?;
                }
                writes.push(weight);
            }
        }
        Some(Self { writes, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::noise;
    use cain_isa::asm::{A, B, C, D, E, EAST, NEWS, WEST, XE, add, bus, div, div_copy, mov, movx, reg, res, sub};
    use cain_isa::{Instruction, Reg};

    #[track_caller]
    fn expect(listing: &[Instruction], outputs: &[Reg], variance: f64) {
        assert_eq!(noise(listing, outputs), Some(variance));
    }

    #[test]
    fn each_written_cell_adds_its_error() {
        expect(&[], &[A], 0.0);
        assert!(noise(&[], &[A]).is_some_and(f64::is_sign_positive));
        expect(&[res(B)], &[B], 2.0);
        expect(&[mov(B, A), mov(C, B)], &[C], 4.0);
        expect(&[bus(&[NEWS], &[reg(A)]), bus(&[reg(B)], &[XE])], &[B], 2.0);
    }

    /// bus3(B,C,D,A) writes three errors; their sum reaches E, as does that of bus(E,B,C,D).
    #[test]
    fn several_destinations_count_each() {
        expect(&[bus(&[reg(B), reg(C), reg(D)], &[reg(A)]), bus(&[reg(E)], &[reg(B), reg(C), reg(D)])], &[E], 4.0);
    }

    /// The two errors of the copy arrive twice, at the same place and so with weight 2, or at different ones.
    #[test]
    fn equal_places_add_up_before_they_are_squared() {
        let copies = [mov(B, A), mov(C, B)];
        // add: 2; mov(C, B): 2; mov(B, A): 2 · 2².
        expect(&[copies[0], copies[1], add(D, B, C)], &[D], 12.0);
        // Cancelled: sub 2, mov(C, B) 2, and nothing of mov(B, A).
        expect(&[copies[0], copies[1], sub(D, B, C)], &[D], 4.0);
        // Shifted: add 2, movx 2, mov(B, A) 2 · (1² + 1²).
        expect(&[copies[0], movx(C, B, EAST), add(D, B, C)], &[D], 8.0);
        // There and back: only one place in the end.
        expect(&[copies[0], movx(C, B, EAST), movx(C, C, WEST), add(D, B, C)], &[D], 14.0);
    }

    /// The errors e1 to e7, in the order of the writes of `div(B,C,D,A)`: B = A/2 + (e2 − e3 − e1 + e4)/2 − e6 + e7, C
    /// = −A/2 − (e2 − e3 − e1 + e4)/2 + e6, D = A + e2 − e3 − e1 + e4; e5 is overwritten.
    #[test]
    fn division() {
        expect(&[div_copy(B, C, D, A)], &[B], 3.0);
        expect(&[div_copy(B, C, D, A)], &[C], 2.0);
        expect(&[div_copy(B, C, D, A)], &[D], 4.0);
        expect(&[div_copy(B, C, D, A)], &[B, C, D], 9.0);
        expect(&[div(B, C, A)], &[A], 4.0);
    }

    #[test]
    fn a_weight_beyond_exact_arithmetic_is_no_number() {
        let doubled: Vec<_> = [mov(B, A), add(A, A, B)].into_iter().cycle().take(160).collect();
        assert_eq!(noise(&doubled, &[A]), None);
    }
}
