//! Words on bits that have no registers yet.

use cain_isa::{Direction, Directions, Logic};

/// A bit in every PE, identified by the index of the gate that makes it.
pub(crate) type Value = u16;

/// The operation of a word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    /// A given bit.
    Input,
    /// `OR` or `NOR` of up to four bits; of no bits, `CLR` and `SET`.
    Any { sources: Vec<Value>, inverted: bool },
    /// `DNEWS0` or `DNEWS1`: the OR of a bit of some neighbours.
    Move { source: Value, from: Directions, outside: bool },
}

impl Gate {
    pub(crate) fn sources(&self) -> &[Value] {
        match self {
            Self::Input => &[],
            Self::Any { sources, .. } => sources,
            Self::Move { source, .. } => std::slice::from_ref(source),
        }
    }
}

/// Gates, each after its sources, and the bits that are wanted at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Network {
    pub(crate) gates: Vec<Gate>,
    /// The bits of each output, lowest first.
    pub(crate) outputs: Vec<Vec<Value>>,
    /// Whether moves and complements are repeated where they are needed again, so that they need not be held in
    /// between.
    repeats: bool,
}

impl Network {
    pub(super) fn new(repeats: bool) -> Self {
        Self { repeats, ..Self::default() }
    }

    /// The OR of bits, or its complement.
    pub(super) fn any(&mut self, sources: &[Value], inverted: bool) -> Value {
        let mut sources = sources.to_vec();
        sources.sort_unstable();
        sources.dedup();
        while sources.len() > Logic::MAX_OPERANDS {
            let some = sources.drain(..Logic::MAX_OPERANDS).collect();
            let some = self.push(Gate::Any { sources: some, inverted: false });
            sources.push(some);
        }
        self.push(Gate::Any { sources, inverted })
    }

    pub(super) fn nor(&mut self, sources: &[Value]) -> Value {
        self.any(sources, true)
    }

    pub(super) fn neighbours(&mut self, source: Value, from: Directions, outside: bool) -> Value {
        self.push(Gate::Move { source, from, outside })
    }

    pub(super) fn input(&mut self) -> Value {
        self.append(Gate::Input)
    }

    /// A copy of a bit in a register of its own.
    pub(super) fn copy(&mut self, value: Value) -> Value {
        self.append(Gate::Any { sources: vec![value], inverted: false })
    }

    /// The value of a gate; equal gates are shared.
    fn push(&mut self, gate: Gate) -> Value {
        if self.repeats && gate.sources().len() == 1 {
            return self.append(gate);
        }
        match self.gates.iter().position(|other| *other == gate) {
            Some(same) => value(same),
            None => self.append(gate),
        }
    }

    fn append(&mut self, gate: Gate) -> Value {
        self.gates.push(gate);
        value(self.gates.len() - 1)
    }

    /// The number of words, not counting direction set-ups.
    pub(crate) fn words(&self) -> usize {
        self.gates.iter().filter(|gate| **gate != Gate::Input).count()
    }

    /// The number of words, from a gate on, that some values need.
    pub(super) fn words_for(&self, values: &[Value], from: usize) -> usize {
        let mut needed = vec![false; self.gates.len()];
        for &value in values {
            needed[usize::from(value)] = true;
        }
        for (i, gate) in self.gates.iter().enumerate().skip(from).rev() {
            if needed[i] {
                for &source in gate.sources() {
                    needed[usize::from(source)] = true;
                }
            }
        }
        needed.iter().skip(from).filter(|needed| **needed).count()
    }

    /// The most bits that are held while a neighbour is read, if the gates are executed in order.
    pub(crate) fn held(&self) -> usize {
        let mut last_use = vec![0; self.gates.len()];
        for (place, gate) in self.gates.iter().enumerate() {
            for &source in gate.sources() {
                last_use[usize::from(source)] = place;
            }
        }
        for &output in self.outputs.iter().flatten() {
            last_use[usize::from(output)] = usize::MAX;
        }
        let is_move = |place: &usize| matches!(self.gates[*place], Gate::Move { .. });
        let held = |place| last_use[..=place].iter().filter(|&&last| last >= place).count();
        (0..self.gates.len()).filter(is_move).map(held).max().unwrap_or_default()
    }

    /// The number of different sets of neighbours that moves read.
    pub(crate) fn turns(&self) -> usize {
        let mut turns = Vec::new();
        for gate in &self.gates {
            if let Gate::Move { from, .. } = gate
                && !turns.contains(from)
            {
                turns.push(*from);
            }
        }
        turns.len()
    }

    /// The network with its directions permuted into the order of their first use; two networks that differ only by
    /// that become equal.
    pub(crate) fn turned(&self) -> Self {
        let mut turned = Self { repeats: false, ..self.clone() };
        let mut order: Vec<Direction> = Vec::new();
        for gate in &mut turned.gates {
            if let Gate::Move { from, .. } = gate {
                let used: Vec<Direction> = Direction::ALL.into_iter().filter(|used| from.contains(*used)).collect();
                order.extend(used.iter().filter(|used| !order.contains(used)).copied().collect::<Vec<_>>());
                let place = |used: &Direction| order.iter().position(|first| first == used).unwrap_or_default();
                let renamed: Vec<Direction> = used.iter().map(|used| Direction::ALL[place(used)]).collect();
                *from = Directions::new(&renamed);
            }
        }
        turned
    }

    /// The network without gates that are not needed.
    pub(super) fn pruned(self) -> Self {
        let mut needed = vec![false; self.gates.len()];
        for &output in self.outputs.iter().flatten() {
            needed[usize::from(output)] = true;
        }
        for (i, gate) in self.gates.iter().enumerate().rev() {
            if needed[i] {
                for &source in gate.sources() {
                    needed[usize::from(source)] = true;
                }
            }
        }
        let mut places = vec![0; self.gates.len()];
        let mut gates = Vec::new();
        for (i, mut gate) in self.gates.into_iter().enumerate() {
            if !needed[i] && gate != Gate::Input {
                continue;
            }
            match &mut gate {
                Gate::Input => {}
                Gate::Any { sources, .. } => {
                    for source in sources {
                        *source = places[usize::from(*source)];
                    }
                }
                Gate::Move { source, .. } => *source = places[usize::from(*source)],
            }
            places[i] = value(gates.len());
            gates.push(gate);
        }
        let place = |bits: Vec<Value>| bits.into_iter().map(|bit| places[usize::from(bit)]).collect();
        Self { gates, outputs: self.outputs.into_iter().map(place).collect(), repeats: self.repeats }
    }
}

/// Networks stay far below the limit; see [`super::build()`].
fn value(place: usize) -> Value {
    Value::try_from(place).unwrap_or(Value::MAX)
}
