//! Nodes that become layers on the array.

use cain_search::network::{Operation, Padding, Source};

use super::constants;
use super::graph::{Became, Condition, Maps, Op, Size, Value};
use super::nodes::Reader;
use super::tensor::Tensor;

impl Reader<'_> {
    pub(super) fn normalisation(&mut self) -> Result<Value, String> {
        if self.node.int("training_mode", 0) != 0 {
            return Err("normalises over a batch; export the model after `model.eval()`".to_owned());
        }
        let [scale, bias, mean, variance] = [1, 2, 3, 4].map(|input| self.required(input));
        let (scale, bias, mean, variance) = (scale?, bias?, mean?, variance?);
        let epsilon = self.node.float("epsilon", 1e-5);
        let factor = scale.combine(&variance, |scale, variance| scale / (variance + epsilon).sqrt())?;
        let summand = bias.combine(&mean.combine(&factor, |mean, factor| mean * factor)?, |bias, mean| bias - mean)?;
        if factor.values.iter().chain(&summand.values).any(|value| !value.is_finite()) {
            return Err("the variances are not positive".to_owned());
        }
        let rank = self.dims(0)?.len();
        let of_channels = |tensor: Tensor| {
            let mut dims = vec![1; rank];
            if let Some(size) = dims.get_mut(1) {
                *size = tensor.values.len();
            }
            Tensor { dims, values: tensor.values }
        };
        self.affine_of(0, &of_channels(factor), &of_channels(summand))
    }

    pub(super) fn leaky_relu(&mut self) -> Result<Value, String> {
        let alpha = self.node.float("alpha", 0.01);
        let exponent = (0..=20).min_by(|a, b| {
            let distance = |exponent: i32| (0.5_f64.powi(exponent) - alpha).abs();
            distance(*a).total_cmp(&distance(*b))
        });
        let exponent = exponent.unwrap_or(0);
        let near = 0.5_f64.powi(exponent);
        if (near - alpha).abs() > 1e-6 * near {
            return Err(format!(
                "the slope {alpha:.4} is not one half, a quarter, an eighth and so on; train with {near}, 1/2^{exponent}"
            ));
        }
        self.maps_layer(Operation::LeakyRelu { exponent: exponent.unsigned_abs() })
    }

    pub(super) fn clip(&mut self) -> Result<Value, String> {
        let bound = |reader: &Self, input: usize, name: &str| -> Result<Option<f64>, String> {
            if reader.node.has(name) {
                return Ok(Some(reader.node.float(name, 0.0)));
            }
            let bound = reader.constant(input)?.and_then(|tensor| tensor.single());
            // The largest numbers of the type mean that there is no bound.
            Ok(bound.filter(|bound| bound.abs() < f64::from(f32::MAX)))
        };
        match (bound(self, 1, "min")?, bound(self, 2, "max")?) {
            (None, None) => Ok((*self.input(0)?).clone()),
            (Some(low), Some(high)) if low <= high && matches!(&*self.input(0)?, Value::Forms(_)) => {
                let raised = self.forms(0).and_then(|forms| self.bounded_numbers(&forms, 1.0, low))?;
                self.bounded_numbers(&raised, -1.0, high).map(Value::Forms)
            }
            (Some(low), Some(high)) if low > high => Err(format!("clips to {low}..{high}, which is empty")),
            (Some(low), Some(high)) => self.maps_layer(Operation::Clamp { low, high }),
            (Some(low), None) => self.at_least(0, low),
            (None, Some(high)) => self.at_most(0, high),
        }
    }

    /// The larger one of maps and a number.
    fn at_least(&mut self, input: usize, low: f64) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.input(input)? {
            return self.bounded_numbers(forms, 1.0, low).map(Value::Forms);
        }
        let (source, size) = self.settled(input)?;
        Ok(self.bounded(source, size, (1.0, -low), (1.0, low)))
    }

    /// The smaller one of maps and a number.
    fn at_most(&mut self, input: usize, high: f64) -> Result<Value, String> {
        if let Value::Forms(forms) = &*self.input(input)? {
            return self.bounded_numbers(forms, -1.0, high).map(Value::Forms);
        }
        let (source, size) = self.settled(input)?;
        Ok(self.bounded(source, size, (-1.0, high), (-1.0, high)))
    }

    /// A rectifier between two affine layers, which are left out where they do nothing.
    fn bounded(&mut self, source: Source, size: Size, before: (f64, f64), after: (f64, f64)) -> Value {
        let of = |(scale, shift): (f64, f64)| Op::Affine { scale: vec![scale; size.0], shift: vec![shift; size.0] };
        let name = self.layer_name();
        let does_nothing = |affine: (f64, f64)| affine.0 == 1.0 && affine.1 == 0.0;
        let source = if does_nothing(before) {
            source
        } else {
            Source::Layer(self.graph.push(&name, vec![source], of(before), Some(size)))
        };
        let rectified = self.graph.push(&name, vec![source], Op::Ready(Operation::Relu), Some(size));
        if does_nothing(after) {
            self.became(&Became::Layer(rectified));
            return Value::Maps(Maps { source: Source::Layer(rectified), size, pending: None });
        }
        self.layer(vec![Source::Layer(rectified)], of(after), size)
    }

    /// The largest or smallest of maps and of one constant.
    pub(super) fn most(&mut self) -> Result<Value, String> {
        let is_max = self.node.op == "Max";
        let mut maps = Vec::new();
        let mut bound: Option<f64> = None;
        for input in 0..self.node.inputs.len() {
            match &*self.input(input)? {
                Value::Constant(constant) => {
                    let single = constant.single().ok_or("compares with several constants; expected one number")?;
                    let combine = if is_max { f64::max } else { f64::min };
                    bound = Some(bound.map_or(single, |bound| combine(bound, single)));
                }
                _ => maps.push(input),
            }
        }
        match (maps.as_slice(), bound) {
            (&[only], Some(bound)) if is_max => self.at_least(only, bound),
            (&[only], Some(bound)) => self.at_most(only, bound),
            (&[only], None) => Ok((*self.input(only)?).clone()),
            (several, None) if !several.is_empty() => {
                let read = several.iter().map(|input| self.settled(*input)).collect::<Result<Vec<_>, _>>()?;
                let size = read.first().map_or((0, 0, 0), |(_, size)| *size);
                if read.iter().any(|(_, other)| *other != size) {
                    return Err("compares maps of different sizes".to_owned());
                }
                let operation = if is_max { Operation::Maximum } else { Operation::Minimum };
                Ok(self.layer(read.into_iter().map(|(source, _)| source).collect(), Op::Ready(operation), size))
            }
            _ => Err("compares several maps and a constant; expected either".to_owned()),
        }
    }

    /// The sum of two maps, or their difference for a negative sign: a convolution over both, of a pixel each.
    pub(super) fn sum_of_maps(&mut self, sign: f64) -> Result<Value, String> {
        let ((first, size), (second, other)) = (self.settled(0)?, self.settled(1)?);
        if size != other {
            return Err("adds maps of different sizes".to_owned());
        }
        let (channels, height, width) = size;
        let name = self.layer_name();
        let concatenate = Op::Ready(Operation::Concatenate);
        let both = self.graph.push(&name, vec![first, second], concatenate, Some((2 * channels, height, width)));
        super::check_numbers(2 * channels * channels)?;
        let weight = |output: usize, input: usize| match (input == output, input == output + channels) {
            (true, _) => 1.0,
            (_, true) => sign,
            _ => 0.0,
        };
        let kernel = |output: usize| (0..2 * channels).map(|input| vec![vec![weight(output, input)]]).collect();
        let op = Op::Convolution {
            weights: (0..channels).map(kernel).collect(),
            bias: vec![0.0; channels],
            stride: (1, 1),
            dilation: (1, 1),
            padding: Padding::NONE,
        };
        Ok(self.layer(vec![Source::Layer(both)], op, size))
    }

    pub(super) fn comparison(&mut self) -> Result<Value, String> {
        let op = self.node.op.as_str();
        let greater = op.starts_with("Greater");
        let or_equal = op.ends_with("OrEqual");
        let (input, constant, is_swapped) = match (&*self.input(0)?, &*self.input(1)?) {
            (_, Value::Constant(constant)) => (0, constant.clone(), false),
            (Value::Constant(constant), _) => (1, constant.clone(), true),
            _ => return Err("compares two results; expected one constant".to_owned()),
        };
        let Value::Maps(maps) = (*self.input(input)?).clone() else {
            return Err("compares what are no maps on the array".to_owned());
        };
        let at = constants::channels(&constant, maps.size.0)?;
        // With the maps on the left: `x > t` and `x <= t` decide strictly, `x >= t` and `x < t` with the equal ones above.
        let above = greater != is_swapped;
        self.became(&Became::Text("part of a threshold"));
        Ok(Value::Condition(Condition { maps, at, inclusive: above == or_equal, above }))
    }

    pub(super) fn not(&mut self) -> Result<Value, String> {
        match &*self.input(0)? {
            Value::Condition(condition) => {
                self.became(&Became::Text("part of a threshold"));
                Ok(Value::Condition(Condition { above: !condition.above, ..condition.clone() }))
            }
            _ => Err("expected a comparison".to_owned()),
        }
    }

    pub(super) fn cast(&mut self) -> Result<Value, String> {
        let to = self.node.int("to", 1);
        let is_float = matches!(to, 1 | 10 | 11 | 16);
        match &*self.input(0)? {
            Value::Condition(condition) if to == 9 => Ok(Value::Condition(condition.clone())),
            Value::Condition(condition) => Ok(self.threshold(&condition.clone(), 0.0, 1.0)),
            // Bits and places are whole already.
            value if is_float || self.is_whole(value) => Ok(value.clone()),
            _ => Err("rounds results to whole numbers; expected a comparison before".to_owned()),
        }
    }

    /// Whether a value is known to be whole numbers.
    fn is_whole(&self, value: &Value) -> bool {
        let layer = match value {
            Value::Maps(Maps { source: Source::Layer(layer), pending: None, .. }) => Some(*layer),
            Value::Forms(forms) => match forms.forms.as_slice() {
                [form] => form.terms.keys().next().and_then(|element| match element {
                    super::forms::Element::Number { layer, .. } => Some(*layer),
                    super::forms::Element::Sum { .. } => None,
                }),
                _ => None,
            },
            _ => None,
        };
        let op = layer.and_then(|layer| self.graph.drafts.get(layer)).map(|draft| &draft.op);
        matches!(op, Some(Op::Ready(Operation::Threshold { .. } | Operation::Argmax)))
    }

    /// Maps of bits, with the numbers for false and true.
    fn threshold(&mut self, condition: &Condition, no: f64, yes: f64) -> Value {
        let (source, at, is_exchanged) = self.graph.compared(&condition.maps, &condition.at);
        let above = condition.above != is_exchanged;
        let (below, above) = if above { (no, yes) } else { (yes, no) };
        let inclusive = condition.inclusive != is_exchanged;
        let op = Op::Ready(Operation::Threshold { at: shortened(at), inclusive, below, above });
        self.layer(vec![source], op, condition.maps.size)
    }

    pub(super) fn selection(&mut self) -> Result<Value, String> {
        let Value::Condition(condition) = (*self.input(0)?).clone() else {
            return Err("the condition is not a comparison of maps with constants".to_owned());
        };
        match (&*self.input(1)?, &*self.input(2)?) {
            (Value::Constant(yes), Value::Constant(no)) => {
                let (Some(yes), Some(no)) = (yes.single(), no.single()) else {
                    return Err("selects between several constants; expected one number each".to_owned());
                };
                Ok(self.threshold(&condition, no, yes))
            }
            (Value::Maps(maps), Value::Constant(other)) => {
                check_rectifier(&condition, maps, other)?;
                self.rectifier(1, condition.above, other)
            }
            (Value::Constant(other), Value::Maps(maps)) => {
                check_rectifier(&condition, maps, other)?;
                self.rectifier(2, !condition.above, other)
            }
            _ => Err("selects between two results; expected constants, or a rectifier".to_owned()),
        }
    }

    /// Maps where they are above a number, or below, and otherwise that number.
    fn rectifier(&mut self, input: usize, keeps_above: bool, other: &Tensor) -> Result<Value, String> {
        let bound = other.single().unwrap_or_default();
        if keeps_above { self.at_least(input, bound) } else { self.at_most(input, bound) }
    }

    pub(super) fn sign(&mut self) -> Result<Value, String> {
        let Value::Maps(maps) = (*self.input(0)?).clone() else {
            return Err("expected maps on the array".to_owned());
        };
        let (source, at, is_exchanged) = self.graph.compared(&maps, &vec![0.0; maps.size.0]);
        let value = self.layer(vec![source], Op::Sign { at }, maps.size);
        let (true, Value::Maps(signs)) = (is_exchanged, &value) else { return Ok(value) };
        let op = Op::Affine { scale: vec![-1.0; maps.size.0], shift: vec![0.0; maps.size.0] };
        Ok(self.layer(vec![signs.source], op, maps.size))
    }
}

/// Checks that maps are compared with the number that takes their place.
fn check_rectifier(condition: &Condition, maps: &Maps, other: &Tensor) -> Result<(), String> {
    let steps = |maps: &Maps| maps.pending.as_ref().map(|pending| pending.steps.clone());
    let is_same = maps.source == condition.maps.source && steps(maps) == steps(&condition.maps);
    if is_same && other.single().is_some_and(|other| condition.at.iter().all(|at| *at == other)) {
        return Ok(());
    }
    Err("selects between a result and a constant; expected two constants, or a rectifier".to_owned())
}

/// One number if all are the same.
pub(super) fn shortened(list: Vec<f64>) -> Vec<f64> {
    match list.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => vec![*first],
        _ => list,
    }
}
