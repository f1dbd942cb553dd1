//! Boolean functions of the bits around a PE.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;

use cain_isa::Displacement;
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

/// A bit of an input number, as seen from a PE.
///
/// Low bits come first, which keeps the diagrams of sums small. Moving all variables of a function preserves their
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Variable {
    pub(crate) bit: u32,
    pub(crate) y: i32,
    pub(crate) x: i32,
    pub(crate) input: usize,
}

/// A function: a node of the diagrams, complemented if the lowest bit is set. Equal functions are equal here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Function(u32);

impl Function {
    pub(crate) const FALSE: Self = Self(0);
    pub(crate) const TRUE: Self = Self(1);

    pub(crate) const fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    pub(crate) const fn not(self) -> Self {
        Self(self.0 ^ 1)
    }

    const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    const fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    const fn complement_if(self, complement: bool) -> Self {
        Self(self.0 ^ complement as u32)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    variable: Variable,
    /// The child for 0, which is not complemented.
    low: Function,
    high: Function,
}

/// The diagrams of many functions, with shared nodes.
#[derive(Debug)]
pub(crate) struct Bdd {
    /// The nodes; node 0 stands for the constant.
    nodes: Vec<Node>,
    /// The places of the nodes.
    known: HashTable<u32>,
    /// Results that are remembered; all are forgotten when there are too many.
    ands: HashMap<(Function, Function), Function, FxBuildHasher>,
    /// The most nodes allowed.
    limit: usize,
    /// The results that were forgotten.
    forgotten: usize,
    /// The nodes made or visited since the steps were last [taken](Self::take_steps).
    steps: u64,
}

/// The error that diagrams exceed their limit; those of sums within the registers never do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The most nodes for proofs.
const LIMIT: usize = 8_000_000;
/// The most results that are computed, for each node allowed.
const RESULTS_PER_NODE: usize = 4;
/// How many of them are remembered at a time, as one in so many: those of proofs take about 100 MB.
const FORGOTTEN_AFTER: usize = 8;

impl Bdd {
    pub(crate) fn new() -> Self {
        Self::with_limit(LIMIT)
    }

    /// Diagrams with a limit on the number of nodes.
    pub(crate) fn with_limit(limit: usize) -> Self {
        let variable = Variable { bit: u32::MAX, y: 0, x: 0, input: 0 };
        let constant = Node { variable, low: Function::FALSE, high: Function::FALSE };
        let (known, ands) = (HashTable::new(), HashMap::default());
        Self { nodes: vec![constant], known, ands, limit, forgotten: 0, steps: 0 }
    }

    /// The number of nodes.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes made or visited since the last call.
    pub(crate) const fn take_steps(&mut self) -> u64 {
        std::mem::replace(&mut self.steps, 0)
    }

    /// The function that is `high` where the variable is 1 and `low` elsewhere; both depend only on later variables.
    pub(crate) fn branch(&mut self, variable: Variable, low: Function, high: Function) -> Result<Function, TooLarge> {
        if low == high {
            return Ok(low);
        }
        let complement = low.is_complemented();
        let node = Node { variable, low: low.complement_if(complement), high: high.complement_if(complement) };
        let hash = FxBuildHasher.hash_one(node);
        if let Some(&known) = self.known.find(hash, |&place| self.nodes[place as usize] == node) {
            return Ok(Function(known << 1).complement_if(complement));
        }
        if self.nodes.len() >= self.limit {
            return Err(TooLarge);
        }
        self.steps += 1;
        let place = u32::try_from(self.nodes.len()).map_err(|_| TooLarge)?;
        self.nodes.push(node);
        self.known.insert_unique(hash, place, |&place| FxBuildHasher.hash_one(self.nodes[place as usize]));
        Ok(Function(place << 1).complement_if(complement))
    }

    /// The function that is the variable.
    pub(crate) fn variable(&mut self, variable: Variable) -> Result<Function, TooLarge> {
        self.branch(variable, Function::FALSE, Function::TRUE)
    }

    /// The most nodes allowed.
    pub(crate) const fn limit(&self) -> usize {
        self.limit
    }

    /// The first variable on which a function depends; if there is none, a variable after all others.
    pub(crate) fn variable_of(&self, function: Function) -> Variable {
        self.nodes[function.node()].variable
    }

    /// The cofactors of a function for a variable that is not after its first one.
    fn parts(&self, function: Function, variable: Variable) -> (Function, Function) {
        let node = self.nodes[function.node()];
        if node.variable != variable {
            return (function, function);
        }
        let complement = function.is_complemented();
        (node.low.complement_if(complement), node.high.complement_if(complement))
    }

    pub(crate) fn and(&mut self, a: Function, b: Function) -> Result<Function, TooLarge> {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Function::FALSE, _) => return Ok(Function::FALSE),
            (Function::TRUE, b) => return Ok(b),
            (a, b) if a == b => return Ok(a),
            (a, b) if a == b.not() => return Ok(Function::FALSE),
            _ => {}
        }
        if let Some(&known) = self.ands.get(&(a, b)) {
            return Ok(known);
        }
        // There may be many more results than nodes.
        let most = self.limit * RESULTS_PER_NODE;
        if self.forgotten + self.ands.len() >= most {
            return Err(TooLarge);
        }
        if self.ands.len() >= most.div_ceil(FORGOTTEN_AFTER) {
            self.forgotten += self.ands.len();
            self.ands.clear();
        }
        self.steps += 1;
        let variable = self.variable_of(a).min(self.variable_of(b));
        let ((low_a, high_a), (low_b, high_b)) = (self.parts(a, variable), self.parts(b, variable));
        let (low, high) = (self.and(low_a, low_b)?, self.and(high_a, high_b)?);
        let result = self.branch(variable, low, high)?;
        self.ands.insert((a, b), result);
        Ok(result)
    }

    pub(crate) fn or(&mut self, a: Function, b: Function) -> Result<Function, TooLarge> {
        Ok(self.and(a.not(), b.not())?.not())
    }

    /// The variables on which a function depends, in order.
    pub(crate) fn variables_of(&self, function: Function) -> Vec<Variable> {
        let mut nodes = vec![function.node()];
        let mut seen: HashMap<usize, (), FxBuildHasher> = HashMap::default();
        let mut variables = BTreeSet::new();
        while let Some(node) = nodes.pop() {
            if node != 0 && seen.insert(node, ()).is_none() {
                let Node { variable, low, high } = self.nodes[node];
                variables.insert(variable);
                nodes.extend([low.node(), high.node()]);
            }
        }
        variables.into_iter().collect()
    }

    /// The value of a function for values of its variables.
    pub(crate) fn evaluate(&self, function: Function, is_one: impl Fn(Variable) -> bool) -> bool {
        let mut function = function;
        while function.node() != 0 {
            let (low, high) = self.parts(function, self.variable_of(function));
            function = if is_one(self.variable_of(function)) { high } else { low };
        }
        function == Function::TRUE
    }

    /// The function as seen from a PE at a displacement: the pixel at the PE itself moves to `by`.
    pub(crate) fn moved(&mut self, function: Function, by: Displacement) -> Result<Function, TooLarge> {
        self.mapped(function, &mut HashMap::default(), &|variable| {
            Some(Variable { x: variable.x + i32::from(by.x), y: variable.y + i32::from(by.y), ..variable })
        })
    }

    /// The function with all variables that satisfy `is_zero` set to 0.
    pub(crate) fn without(
        &mut self,
        function: Function,
        is_zero: impl Fn(Variable) -> bool,
    ) -> Result<Function, TooLarge> {
        self.mapped(function, &mut HashMap::default(), &|variable| (!is_zero(variable)).then_some(variable))
    }

    /// Renames variables, keeping their order, or makes them 0.
    fn mapped(
        &mut self,
        function: Function,
        done: &mut HashMap<usize, Function, FxBuildHasher>,
        map: &impl Fn(Variable) -> Option<Variable>,
    ) -> Result<Function, TooLarge> {
        if function.node() == 0 {
            return Ok(function);
        }
        let complement = function.is_complemented();
        if let Some(known) = done.get(&function.node()) {
            return Ok(known.complement_if(complement));
        }
        self.steps += 1;
        let Node { variable, low, high } = self.nodes[function.node()];
        let low = self.mapped(low, done, map)?;
        let result = match map(variable) {
            Some(variable) => {
                let high = self.mapped(high, done, map)?;
                self.branch(variable, low, high)?
            }
            None => low,
        };
        done.insert(function.node(), result);
        Ok(result.complement_if(complement))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bdd, Function, TooLarge, Variable};
    use cain_isa::Displacement;
    use hashbrown::HashMap;

    fn at(x: i32) -> Variable {
        Variable { bit: 0, y: 0, x, input: 0 }
    }

    #[test]
    fn equal_functions_are_one() {
        let mut bdd = Bdd::new();
        let [a, b] = [0, 1].map(|x| bdd.variable(at(x)).unwrap());
        let either = bdd.or(a, b).unwrap();
        let both = bdd.and(a, b).unwrap();
        let not_both = bdd.or(a.not(), b.not()).unwrap();
        assert_eq!(not_both, both.not());
        let xor = bdd.and(either, not_both).unwrap();
        let (only_a, only_b) = (bdd.and(a, b.not()).unwrap(), bdd.and(b, a.not()).unwrap());
        assert_eq!(bdd.or(only_a, only_b).unwrap(), xor);
        assert_eq!(bdd.and(xor, both).unwrap(), Function::FALSE);
        assert_eq!(bdd.or(xor, xor.not()).unwrap(), Function::TRUE);
    }

    #[test]
    fn moves_and_zeros() {
        let mut bdd = Bdd::new();
        let [a, b, c] = [0, 1, 2].map(|x| bdd.variable(at(x)).unwrap());
        let here = bdd.and(a, b.not()).unwrap();
        let there = bdd.and(b, c.not()).unwrap();
        assert_eq!(bdd.moved(here, Displacement::new(1, 0)), Ok(there));
        assert_eq!(bdd.without(here, |variable| variable.x == 1), Ok(a));
        assert_eq!(bdd.without(here, |variable| variable.x == 0), Ok(Function::FALSE));
    }

    #[test]
    fn steps_are_nodes_made_and_visited() {
        let mut bdd = Bdd::new();
        let steps = |bdd: &mut Bdd| [bdd.take_steps(), bdd.take_steps()];
        let [a, b] = [0, 1].map(|x| bdd.variable(at(x)).unwrap());
        assert_eq!(steps(&mut bdd), [2, 0]);
        bdd.and(a, b).unwrap();
        assert_eq!(steps(&mut bdd), [2, 0]);
        bdd.moved(a, Displacement::new(1, 0)).unwrap();
        assert_eq!(steps(&mut bdd), [1, 0]);
    }

    /// The results of ANDs that make no nodes have a limit too.
    #[test]
    fn results_have_a_limit() {
        const COUNT: i32 = 40;
        let mut bdd = Bdd::new();
        let mut any = Vec::new();
        for first in 0..COUNT {
            let mut functions = vec![Function::FALSE];
            for x in first..COUNT {
                let variable = bdd.variable(at(x)).unwrap();
                functions.push(bdd.or(functions[functions.len() - 1], variable).unwrap());
            }
            any.push(functions);
        }
        bdd.limit = bdd.size();
        (bdd.forgotten, bdd.ands) = (0, HashMap::default());
        let pairs =
            any.iter().flat_map(|functions| functions.iter().flat_map(|a| functions.iter().map(move |b| (*a, *b))));
        // Those that the last one is made of are remembered too.
        let refused = pairs.map(|(a, b)| bdd.and(a, b)).find(Result::is_err);
        assert_eq!((refused, bdd.size()), (Some(Err(TooLarge)), bdd.limit));
        let computed = bdd.forgotten + bdd.ands.len();
        assert!((4 * bdd.limit..4 * bdd.limit + 40).contains(&computed), "{computed}");
        assert!(bdd.ands.len() <= bdd.limit.div_ceil(2) + 40, "{}", bdd.ands.len());
    }
}
