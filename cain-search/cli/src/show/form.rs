//! The result of one instruction as a function of the registers before it.

use std::collections::BTreeMap;
use std::fmt;

use cain_analysis::prove::{Polynomial, ProveError};
use cain_isa::{Displacement, Fraction, Instruction, Reg, Store};

/// A sum of shifted and weighted registers, such as `A[2 west] - 1/2 B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form(Vec<Part>);

/// A part of such a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) store: Store,
    /// The displacement of the PE whose register is read.
    pub(crate) displacement: Displacement,
    pub(crate) weight: Fraction,
}

/// Every cell that an instruction writes, as a function of the cells before it.
pub(crate) fn forms(instruction: Instruction) -> Result<BTreeMap<Store, Form>, ProveError> {
    let mut written: BTreeMap<Store, Polynomial> = BTreeMap::new();
    for word in instruction.words() {
        let transfers: Vec<_> = word.transfers().collect();
        for transfer in transfers {
            let mut sum = Polynomial::new();
            for &(store, displacement) in transfer.terms() {
                // An unknown value from before the instruction has a channel of its own.
                let value = written.get(&store).cloned().unwrap_or_else(|| Polynomial::input(channel(store)));
                sum.add_scaled(&value, transfer.factor(), displacement).ok_or(ProveError::Overflow)?;
            }
            written.insert(transfer.store, sum);
        }
    }
    Ok(written.into_iter().map(|(store, sum)| (store, Form::of(&sum))).collect())
}

/// Numbers the cells: registers by their index, then the others.
fn channel(store: Store) -> u16 {
    match store {
        Store::Reg(reg) => reg.index().into(),
        Store::News => 256,
        Store::Pix => 257,
        Store::In => 258,
    }
}

fn store(channel: u16) -> Store {
    match (u8::try_from(channel), channel) {
        (Ok(index), _) => Store::Reg(Reg::from_index(index)),
        (_, 257) => Store::Pix,
        (_, 258) => Store::In,
        _ => Store::News,
    }
}

impl Form {
    /// The form of a polynomial, with positive weights first.
    fn of(sum: &Polynomial) -> Self {
        let part = |(atom, weight): (cain_analysis::prove::Atom, _)| Part {
            store: store(atom.channel),
            displacement: atom.displacement,
            weight,
        };
        let mut parts: Vec<Part> = sum.terms().map(part).collect();
        parts.sort_by_key(|part| part.weight < Fraction::ZERO);
        Self(parts)
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.0
    }

    /// Whether this is the unchanged value of the cell.
    pub(crate) fn is_unchanged(&self, store: Store) -> bool {
        matches!(self.0.as_slice(), [part] if *part == Part { store, displacement: Displacement::ZERO, weight: Fraction::ONE })
    }
}

impl Part {
    /// The change of the register's value: `-`, `2 west`, `-1/2, east`; empty if there is none.
    pub(crate) fn change(&self) -> String {
        let weight = match self.weight {
            Fraction::ONE => None,
            weight if weight.abs() == Fraction::ONE => Some("-".to_owned()),
            weight => Some(weight.to_string()),
        };
        let shift = (self.displacement != Displacement::ZERO).then(|| place(self.displacement));
        weight.into_iter().chain(shift).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (i, part) in self.0.iter().enumerate() {
            f.write_str(match (i, part.weight < Fraction::ZERO) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let weight = part.weight.abs();
            if weight != Fraction::ONE {
                write!(f, "{weight} ")?;
            }
            f.write_str(&name(part.store))?;
            if part.displacement != Displacement::ZERO {
                write!(f, "[{}]", place(part.displacement))?;
            }
        }
        Ok(())
    }
}

/// The cell's name in listings.
pub(crate) fn name(store: Store) -> String {
    match store {
        Store::Reg(reg) => reg.to_string(),
        Store::News => "NEWS".to_owned(),
        Store::Pix => "PIX".to_owned(),
        Store::In => "IN".to_owned(),
    }
}

/// The place of a PE relative to another one: `2 west`, `north east`.
pub(crate) fn place(displacement: Displacement) -> String {
    let along = |distance: i16, positive: &str, negative: &str| {
        let direction = if distance < 0 { negative } else { positive };
        match distance.unsigned_abs() {
            0 => None,
            1 => Some(direction.to_owned()),
            more => Some(format!("{more} {direction}")),
        }
    };
    let [vertical, horizontal] = [along(displacement.y, "north", "south"), along(displacement.x, "east", "west")];
    vertical.into_iter().chain(horizontal).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{forms, name, place};
    use cain_isa::{Displacement, Instruction};

    fn spelled(line: &str) -> Vec<String> {
        let forms = forms(line.parse::<Instruction>().unwrap()).unwrap();
        forms.into_iter().map(|(store, form)| format!("{} = {form}", name(store))).collect()
    }

    #[test]
    fn macro_instructions_and_words() {
        assert_eq!(spelled("sub2x(A,B,west,west,B);"), ["A = B[2 west] - B", "NEWS = -B[west]"]);
        assert_eq!(spelled("diva(A,D,E);"), ["A = 1/2 A", "D = -1/2 A", "E = -1/2 A", "NEWS = -1/2 A"]);
        assert_eq!(spelled("add(B,A,B);"), ["B = A + B", "NEWS = -A - B"]);
        assert_eq!(spelled("bus2(B,NEWS,A);"), ["B = -1/2 A", "NEWS = -1/2 A"]);
        assert_eq!(spelled("bus(B,XE,A);"), ["B = -A - NEWS[east]"]);
        assert_eq!(spelled("bus(XW,A);"), ["NEWS = -A[east]"]);
        assert_eq!(spelled("res(C);"), ["C = 0", "NEWS = 0"]);
    }

    #[test]
    fn places() {
        assert_eq!(place(Displacement::new(1, 2)), "2 north east");
        assert_eq!(place(Displacement::new(-2, 0)), "2 west");
        assert_eq!(place(Displacement::new(0, -1)), "south");
    }
}
