//! Facts about a network that the scheduler needs again and again.

use std::collections::BTreeSet;

use cain_isa::{Direction, Directions};

use crate::network::{Gate, Network, Value};

/// What is demanded of inputs.
#[derive(Debug)]
pub(crate) struct Given {
    /// Those that are kept, which stay where they are.
    pub(crate) kept: Vec<Value>,
    /// The registers of inputs that have a given one.
    pub(crate) at: Vec<Option<usize>>,
}

/// A network with the places where its values are used.
pub(super) struct Uses<'n> {
    pub(super) network: &'n Network,
    /// The gates in order, without inputs.
    pub(super) order: Vec<Value>,
    /// For each value, and then for each joint, the places in the order that read it.
    pub(super) readers: Vec<Vec<u32>>,
    /// For each place in the order, the places that must come before it.
    pub(super) needs: Vec<Vec<u32>>,
    /// Values that must stay: outputs, and inputs that are kept; joints never do.
    pub(super) stays: Vec<bool>,
    pub(super) given: &'n Given,
    /// The moves in order, with the directions that they read.
    pub(super) moves: Vec<(u32, Directions)>,
    /// For each place in the order, the number of moves before it.
    pub(super) moves_before: Vec<usize>,
    /// Pairs of values that a gate reads together.
    pub(super) joints: Vec<[Value; 2]>,
    /// For each value, the joints of which it is the first.
    pub(super) joints_of: Vec<Vec<usize>>,
}

impl<'n> Uses<'n> {
    pub(super) fn of(network: &'n Network, given: &'n Given) -> Self {
        let gates = &network.gates;
        let is_gate = |value: &Value| network.gates[usize::from(*value)] != Gate::Input;
        let order: Vec<Value> = (0..).take(gates.len()).filter(is_gate).collect();
        let mut places = vec![None; gates.len()];
        for (place, &value) in (0_u32..).zip(&order) {
            places[usize::from(value)] = Some(place);
        }
        let mut readers = vec![Vec::new(); gates.len()];
        let mut needs = Vec::new();
        for (place, &value) in (0_u32..).zip(&order) {
            let sources = network.gates[usize::from(value)].sources();
            for &source in sources {
                readers[usize::from(source)].push(place);
            }
            needs.push(sources.iter().filter_map(|&source| places[usize::from(source)]).collect());
        }
        let mut stays = vec![false; gates.len()];
        for &value in network.outputs.iter().flatten().chain(&given.kept) {
            stays[usize::from(value)] = true;
        }
        let (mut moves, mut moves_before) = (Vec::new(), Vec::new());
        for (place, &value) in (0..).zip(&order) {
            moves_before.push(moves.len());
            if let Gate::Move { from, .. } = gates[usize::from(value)] {
                moves.push((place, from));
            }
        }
        moves_before.push(moves.len());
        let joints = joints(network, &stays);
        let mut joints_of = vec![Vec::new(); gates.len()];
        for (place, &[first, second]) in joints.iter().enumerate() {
            joints_of[usize::from(first)].push(place);
            let (first, second) = (&readers[usize::from(first)], &readers[usize::from(second)]);
            let both = first.iter().filter(|reader| second.contains(reader)).copied().collect();
            readers.push(both);
            stays.push(false);
        }
        Self { network, order, readers, needs, stays, given, moves, moves_before, joints, joints_of }
    }

    /// Whether a value may go to another register.
    pub(super) fn is_movable(&self, value: Value) -> bool {
        !self.given.kept.contains(&value)
    }

    /// The value that stands for a joint: the OR of its two values.
    pub(super) fn joint(&self, joint: usize) -> Value {
        Value::try_from(self.network.gates.len() + joint).unwrap_or(Value::MAX)
    }

    /// Whether a register that holds one value can be read in place of another.
    pub(super) fn stands_for(&self, held: Value, value: Value) -> bool {
        let joint = usize::from(held).checked_sub(self.network.gates.len());
        held == value || joint.and_then(|joint| self.joints.get(joint)).is_some_and(|parts| parts.contains(&value))
    }

    pub(super) fn gate(&self, place: u32) -> &Gate {
        &self.network.gates[usize::from(self.order[place as usize])]
    }
}

/// All pairs of values that could be joined at some point.
fn joints(network: &Network, stays: &[bool]) -> Vec<[Value; 2]> {
    let mut joints = BTreeSet::new();
    for gate in &network.gates {
        let goes = |value: &&Value| !stays[usize::from(**value)];
        let sources: Vec<Value> = gate.sources().iter().filter(goes).copied().collect();
        for (i, &second) in sources.iter().enumerate() {
            joints.extend(sources[..i].iter().map(|&first| [first.min(second), first.max(second)]));
        }
    }
    joints.into_iter().collect()
}

/// The contents of `R1` to `R4` that make `DNEWS` read from these directions, by register number less 1.
pub(super) fn switches(from: Directions) -> [bool; 4] {
    let mut switches = [false; 4];
    for direction in Direction::ALL.into_iter().filter(|direction| from.contains(*direction)) {
        switches[usize::from(direction.switch().number()) - 1] = true;
    }
    switches
}
