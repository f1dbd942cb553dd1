//! Reads `Einsum`: sums of products of numbers of the picture and weights, whose axes have letters.

use std::rc::Rc;

use super::{Made, Reader};
use crate::evaluate::evaluate;
use crate::graph::{Fact, Id};
use crate::op::{Dense, Op, Pair};
use crate::tensor::{Tensor, count};

/// The letters of the axes of each input and of the result.
struct Equation {
    inputs: Vec<Vec<char>>,
    output: Vec<char>,
}

impl Equation {
    fn of(text: &str) -> Result<Self, String> {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let (inputs, output) = text.split_once("->").map_or((&*text, None), |(inputs, output)| (inputs, Some(output)));
        let inputs: Vec<Vec<char>> = inputs.split(',').map(|letters| letters.chars().collect()).collect();
        let mut all: Vec<char> = inputs.iter().flatten().copied().collect();
        all.sort_unstable();
        let times = |letter: &char| all.iter().filter(|other| *other == letter).count();
        let output: Vec<char> = match output {
            Some(letters) => letters.chars().collect(),
            None => all.iter().copied().filter(|letter| times(letter) == 1).collect(),
        };
        let is_twice = |letters: &Vec<char>| {
            letters.iter().enumerate().any(|(at, one)| letters.iter().skip(at + 1).any(|other| one == other))
        };
        if !text.chars().all(|letter| letter.is_ascii_alphabetic() || ",->".contains(letter)) {
            return Err(format!("the equation is `{text}`; expected a letter for each axis, without `...`"));
        }
        if let Some(letters) = inputs.iter().chain([&output]).find(|letters| is_twice(letters)) {
            let letters: String = letters.iter().collect();
            return Err(format!(
                "the equation `{text}` has a letter twice in `{letters}`, which takes a diagonal; expected each once"
            ));
        }
        Ok(Self { inputs, output })
    }
}

/// Constant or not, numbers with a letter for each axis.
struct Lettered<T> {
    of: T,
    letters: Vec<char>,
    dims: Vec<usize>,
}

impl<T> Lettered<T> {
    fn size(&self, letter: char) -> Option<usize> {
        let axis = self.letters.iter().position(|other| *other == letter)?;
        self.dims.get(axis).copied()
    }

    /// The sizes of these letters.
    fn sizes(&self, letters: &[char]) -> Vec<usize> {
        letters.iter().filter_map(|letter| self.size(*letter)).collect()
    }

    /// The axes of these letters, in their order.
    fn axes(&self, letters: &[char]) -> Vec<usize> {
        letters.iter().filter_map(|letter| self.letters.iter().position(|other| other == letter)).collect()
    }
}

impl Lettered<Rc<Tensor>> {
    /// A step that only moves or adds up the weights.
    fn step(&mut self, op: &Op, letters: Vec<char>, dims: Vec<usize>) -> Result<(), String> {
        let fact = Fact { kind: self.of.kind, dims: dims.clone() };
        let made =
            evaluate(op, &fact, &[Rc::clone(&self.of)]).ok_or("this calculation with weights is not possible")?;
        *self = Self { of: Rc::new(made?), letters, dims };
        Ok(())
    }

    /// The weights with the axes of these letters, in their order.
    fn ordered(&mut self, letters: &[char]) -> Result<(), String> {
        let order = self.axes(letters);
        self.step(&Op::Transpose { order }, letters.to_vec(), self.sizes(letters))
    }
}

impl Reader<'_> {
    /// Products of numbers of the picture with weights, which are added up over the letters that the result does not have.
    pub(super) fn by_letters(&mut self) -> Result<Id, String> {
        self.check_float()?;
        let equation = Equation::of(&self.node.text("equation").unwrap_or_default())?;
        if equation.inputs.len() != self.node.inputs.len() || equation.inputs.len() > 2 {
            return Err(format!(
                "reads {} arrays by an equation of {}; expected one or two, the numbers of the picture and weights",
                self.node.inputs.len(),
                equation.inputs.len()
            ));
        }
        let is_constant = |input: usize| Ok::<bool, String>(self.graph.constant(self.id(input)?).is_some());
        let numbers = usize::from(equation.inputs.len() == 2 && is_constant(0)?);
        let weights = (equation.inputs.len() == 2).then_some(1 - numbers);
        if let Some(weights) = weights
            && !is_constant(weights)?
        {
            return Err(
                "multiplies two results; one of them has to be weights, which are constant: train without attention"
                    .to_owned(),
            );
        }
        let read = |input: usize| {
            let (dims, letters) = (self.dims(input)?.to_vec(), equation.inputs.get(input).cloned().unwrap_or_default());
            if dims.len() == letters.len() {
                return Ok((letters, dims));
            }
            let letters: String = letters.iter().collect();
            Err(format!("reads the sizes {dims:?} as `{letters}`; expected a letter for each"))
        };
        let (letters, dims) = read(numbers)?;
        let mut numbers = Lettered { of: self.id(numbers)?, letters, dims };
        let mut weights = match weights {
            Some(input) => {
                let (letters, dims) = read(input)?;
                Some(Lettered { of: self.required(input)?, letters, dims })
            }
            None => None,
        };
        let output = equation.output;
        if let Some(letter) = output.iter().find(|letter| {
            numbers.size(**letter).is_none() && weights.as_ref().is_none_or(|weights| weights.size(**letter).is_none())
        }) {
            return Err(format!("the result has the letter `{letter}`, which no input has"));
        }
        let others = weights.as_ref().map_or(Vec::new(), |weights| weights.letters.clone());
        self.added_up(&mut numbers, |letter| output.contains(&letter) || others.contains(&letter))?;
        if let Some(weights) = &mut weights {
            self.multiplied(&mut numbers, weights, &output)?;
        }
        let order = numbers.axes(&output);
        if order.is_sorted() {
            return self.add(Made::Same(numbers.of));
        }
        self.step(numbers.of, Op::Transpose { order }, numbers.sizes(&output))
    }

    /// Adds up over the letters that are not kept.
    fn added_up(&mut self, numbers: &mut Lettered<Id>, is_kept: impl Fn(char) -> bool) -> Result<(), String> {
        let (letters, gone): (Vec<char>, Vec<char>) = numbers.letters.iter().partition(|letter| is_kept(**letter));
        if gone.is_empty() {
            return Ok(());
        }
        let axes = numbers.axes(&gone);
        let one = |(axis, size): (usize, &usize)| if axes.contains(&axis) { 1 } else { *size };
        let ones = numbers.dims.iter().enumerate().map(one).collect();
        let dims = numbers.sizes(&letters);
        let sums = self.step(numbers.of, Op::Reduce { axes, is_mean: false, keeps: true }, ones)?;
        *numbers = Lettered { of: self.step(sums, Op::Reshape, dims.clone())?, letters, dims };
        Ok(())
    }

    /// Multiplies with weights, and adds up over the letters of both that the result does not have.
    fn multiplied(
        &mut self,
        numbers: &mut Lettered<Id>,
        weights: &mut Lettered<Rc<Tensor>>,
        output: &[char],
    ) -> Result<(), String> {
        // Letters of the weights alone that the result does not have, and those of size 1 that the numbers have, too.
        let is_kept = |letter: char| match numbers.size(letter) {
            Some(_) => weights.size(letter) != Some(1),
            None => output.contains(&letter),
        };
        let (kept, gone): (Vec<char>, Vec<char>) = weights.letters.iter().partition(|letter| is_kept(**letter));
        let dims = weights.sizes(&kept);
        let axes = weights.axes(&gone);
        weights.step(&Op::Reduce { axes, is_mean: false, keeps: false }, kept, dims)?;
        let is_shared = |letter: &&char| numbers.size(**letter).is_some();
        let (shared, new): (Vec<char>, Vec<char>) = weights.letters.iter().partition(is_shared);
        if let Some(letter) = shared.iter().find(|letter| numbers.size(**letter) != weights.size(**letter)) {
            return Err(format!(
                "the letter `{letter}` stands for {} numbers and for {} weights",
                numbers.size(*letter).unwrap_or_default(),
                weights.size(*letter).unwrap_or_default()
            ));
        }
        let (beside, summed): (Vec<char>, Vec<char>) = shared.iter().partition(|letter| output.contains(letter));
        if new.is_empty() && summed.is_empty() {
            return self.times(numbers, weights);
        }
        if let Some(letter) = beside.first() {
            return Err(format!(
                "both inputs and the result have the letter `{letter}`, so that each of its places has weights of its own; write it as a \
                 `Conv2d` with `groups`"
            ));
        }
        // Those that are added up although no weights have them, of size 1.
        let rows: Vec<char> = numbers.letters.iter().copied().filter(|letter| !summed.contains(letter)).collect();
        let all =
            |letters: &[char], sizes: Vec<usize>| count(&sizes).ok_or_else(|| format!("{letters:?} are too many"));
        let (inputs, outputs) = (all(&summed, weights.sizes(&summed))?, all(&new, weights.sizes(&new))?);
        weights.ordered(&[&*summed, &*new].concat())?;
        let matrix = Tensor { dims: vec![inputs, outputs], ..(*weights.of).clone() };
        let ordered = [&*rows, &*summed].concat();
        let order = numbers.axes(&ordered);
        let in_order = if order.is_sorted() {
            numbers.of
        } else {
            self.step(numbers.of, Op::Transpose { order }, numbers.sizes(&ordered))?
        };
        let front = if rows.is_empty() { vec![1] } else { numbers.sizes(&rows) };
        let read = self.shaped(in_order, [&*front, &[inputs]].concat())?;
        let (weights_of, bias) = (Rc::new(matrix), vec![0.0; outputs]);
        let dense = Dense { weights: weights_of, is_transposed: false, reads_transposed: false, factor: 1.0, bias };
        let product = self.step(read, Op::Dense(dense), [&*front, &[outputs]].concat())?;
        let dims = [numbers.sizes(&rows), weights.sizes(&new)].concat();
        *numbers = Lettered { of: self.shaped(product, dims.clone())?, letters: [rows, new].concat(), dims };
        Ok(())
    }

    /// Multiplies numbers with the weights of their letters.
    fn times(&mut self, numbers: &mut Lettered<Id>, weights: &mut Lettered<Rc<Tensor>>) -> Result<(), String> {
        let own: Vec<char> = numbers.letters.iter().copied().filter(|letter| weights.size(*letter).is_some()).collect();
        weights.ordered(&own)?;
        let spread = numbers.letters.iter().map(|letter| weights.size(*letter).unwrap_or(1)).collect();
        let factors = Tensor { dims: spread, ..(*weights.of).clone() };
        let fact = Fact { kind: factors.kind, dims: factors.dims.clone() };
        let factors = self.add(Made::New(Op::Constant(Rc::new(factors)), Vec::new(), fact))?;
        let fact = Fact { kind: self.fact_of(numbers.of)?.kind, dims: numbers.dims.clone() };
        numbers.of = self.add(Made::New(Op::Pair(Pair::Mul), vec![numbers.of, factors], fact))?;
        self.graph.became.remove(&self.place);
        Ok(())
    }

    /// The same numbers with other sizes.
    pub(super) fn shaped(&mut self, numbers: Id, dims: Vec<usize>) -> Result<Id, String> {
        if self.fact_of(numbers)?.dims == dims { Ok(numbers) } else { self.step(numbers, Op::Reshape, dims) }
    }
}
