//! Bits as ORs of registers.

use super::gates::{Network, Value};

/// A bit that need not be in a register of its own: it, its complement, or both are known as ORs of one or two
/// registers.
///
/// Words read up to four registers, so most of them can read such a bit as well as one in a register, which saves the
/// word that would put it there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wires {
    /// The bit is the OR of these, if there are any.
    pub(super) yes: Vec<Value>,
    /// The complement of the bit is the OR of these, if there are any.
    pub(super) no: Vec<Value>,
}

impl Wires {
    pub(super) fn yes(wires: impl Into<Vec<Value>>) -> Self {
        Self { yes: wires.into(), no: Vec::new() }
    }

    pub(super) fn no(wires: impl Into<Vec<Value>>) -> Self {
        Self { yes: Vec::new(), no: wires.into() }
    }

    /// Whether the bit and its complement are both known.
    pub(super) fn is_complete(&self) -> bool {
        !self.yes.is_empty() && !self.no.is_empty()
    }

    pub(super) fn complement(self) -> Self {
        Self { yes: self.no, no: self.yes }
    }

    /// One of the two ORs, and whether it is the complement.
    pub(super) fn either(&self) -> (&[Value], bool) {
        if self.yes.is_empty() { (&self.no, true) } else { (&self.yes, false) }
    }

    /// Computes the missing one of the two, with one word.
    pub(super) fn complete(&mut self, network: &mut Network) {
        if self.yes.is_empty() {
            self.yes = vec![network.nor(&self.no)];
        } else if self.no.is_empty() {
            self.no = vec![network.nor(&self.yes)];
        }
    }

    /// The bit, or its complement, in one register and nothing else.
    pub(super) fn narrowed(mut self, network: &mut Network) -> Self {
        match (self.yes.as_slice(), self.no.as_slice()) {
            ([yes], _) => Self::yes([*yes]),
            (_, [no]) => Self::no([*no]),
            _ => Self::yes([self.register(network)]),
        }
    }

    /// The bit in one register.
    pub(super) fn register(&mut self, network: &mut Network) -> Value {
        let register = match (self.yes.as_slice(), self.no.is_empty()) {
            ([register], _) => *register,
            (wires, true) => network.any(wires, false),
            (_, false) => network.nor(&self.no),
        };
        self.yes = vec![register];
        register
    }

    /// The complement of the bit in one register.
    pub(super) fn complement_register(&mut self, network: &mut Network) -> Value {
        let mut complement = std::mem::take(self).complement();
        let register = complement.register(network);
        *self = complement.complement();
        register
    }
}
