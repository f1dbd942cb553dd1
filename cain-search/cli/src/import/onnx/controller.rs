//! Nodes that become read-outs and layers on the controller.

use cain_search::network::{Operation, Source, Window};

use super::constants;
use super::forms::Forms;
use super::graph::{Became, Maps, Op, PADDED, Value};
use super::nodes::Reader;
use super::tensor::Tensor;

impl Reader<'_> {
    /// Numbers that a new layer on the controller makes of the first input.
    pub(super) fn number_layer(
        &mut self,
        operation: Operation,
        forms: &Forms,
        dims: Vec<usize>,
    ) -> Result<Value, String> {
        let name = self.layer_name();
        let source = self.graph.numbers(forms, &name)?;
        let layer = self.graph.push(&name, vec![Source::Layer(source)], Op::Ready(operation), None);
        self.became(&Became::Layer(layer));
        Forms::of_layer(layer, dims.iter().product()).reshaped(dims).map(Value::Forms)
    }

    /// The first input as numbers on the controller.
    pub(super) fn forms(&mut self, input: usize) -> Result<Forms, String> {
        match &*self.input(input)? {
            Value::Forms(forms) => Ok(forms.clone()),
            Value::Constant(_) => Err("expected numbers of the picture, found a constant".to_owned()),
            Value::Maps(_) | Value::Padded(..) | Value::Part(..) | Value::Condition(_) => {
                Err("reads maps on the array; expected numbers, which a flattening or sums of windows make".to_owned())
            }
        }
    }

    pub(super) fn softmax(&mut self) -> Result<Value, String> {
        let forms = self.forms(0)?;
        if self.node.opset < 13 {
            // Over this axis and all behind it.
            let axis = constants::axis(self.node.int("axis", 1), forms.dims.len())?;
            let behind: usize = forms.dims.iter().skip(axis).product();
            Self::check_axis(&forms.reshaped(vec![forms.forms.len() / behind.max(1), behind])?, 1)?;
        } else {
            Self::check_axis(&forms, self.node.int("axis", -1))?;
        }
        self.number_layer(Operation::Softmax, &forms, forms.dims.clone())
    }

    pub(super) fn argmax(&mut self) -> Result<Value, String> {
        let forms = self.forms(0)?;
        Self::check_axis(&forms, self.node.int("axis", 0))?;
        if self.node.int("select_last_index", 0) != 0 {
            return Err("of equal numbers the first is taken; `select_last_index` is not possible".to_owned());
        }
        let dims =
            if self.node.int("keepdims", 1) == 1 { vec![1; forms.dims.len()] } else { vec![1; forms.dims.len() - 1] };
        self.number_layer(Operation::Argmax, &forms, dims)
    }

    /// Checks that an axis holds all numbers.
    fn check_axis(forms: &Forms, axis: i64) -> Result<(), String> {
        let axis = constants::axis(axis, forms.dims.len())?;
        if forms.dims.get(axis) == Some(&forms.forms.len()) && !forms.dims.is_empty() {
            return Ok(());
        }
        Err(format!("works along axis {axis} of {:?} numbers; expected the axis of all numbers", forms.dims))
    }

    pub(super) fn reduction(&mut self) -> Result<Value, String> {
        let op = self.node.op.as_str();
        let rank = self.dims(0)?.len();
        let (mean, keep) = (op != "ReduceSum", op == "GlobalAveragePool" || self.node.int("keepdims", 1) == 1);
        let axes = match (op, self.node.ints("axes"), self.constant(1)?) {
            ("GlobalAveragePool", ..) => vec![2, 3],
            (_, Some(axes), _) => axes.to_vec(),
            (_, None, Some(axes)) => axes.integers(),
            // Over all of them, also the picture's own, of size 1.
            (_, None, None) if self.node.int("noop_with_empty_axes", 0) == 0 => {
                (0..rank).map(|axis| i64::try_from(axis).unwrap_or(0)).collect()
            }
            (_, None, None) => Vec::new(),
        };
        let axes: Vec<usize> = axes.into_iter().map(|axis| constants::axis(axis, rank)).collect::<Result<_, _>>()?;
        self.became(&Became::Text("read-out of sums"));
        let whole = |maps: &Maps| {
            (maps.clone(), (0, maps.size.0), Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 })
        };
        let (maps, channels, window) = match &*self.input(0)? {
            Value::Forms(forms) => return forms.sum(&axes, mean, keep).map(Value::Forms),
            Value::Maps(maps) => whole(maps),
            Value::Part(maps, channels, window) => (maps.clone(), *channels, *window),
            Value::Condition(_) => return Err("sums a condition; add a cast".to_owned()),
            Value::Padded(..) => return Err(PADDED.to_owned()),
            Value::Constant(_) => return Err("this sum of constants is not possible".to_owned()),
        };
        let (rows, columns) = (axes.contains(&2), axes.contains(&3));
        if !rows && !columns {
            return Err("sums of maps over channels only; expected sums over rows and columns".to_owned());
        }
        let sums = self.graph.sums(&maps, channels, window, (rows, columns))?;
        let (height, width) = (if rows { window.height } else { 1 }, if columns { window.width } else { 1 });
        let pixels = height * width;
        let sums = if mean {
            sums.affine(&Tensor::scalar(1.0 / constants::number(pixels)), &Tensor::scalar(0.0))?
        } else {
            sums
        };
        // Rows and columns are summed already; what is left are sums over axes of size 1, and over channels.
        sums.sum(&axes, mean, keep).map(Value::Forms)
    }

    pub(super) fn slice(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        let ranges = constants::slices(
            self.node,
            [self.constant(1)?, self.constant(2)?, self.constant(3)?, self.constant(4)?],
            &dims,
        )?;
        self.became(&Became::Text("part of a read-out"));
        let (maps, mut channels, mut window) = match &*self.input(0)? {
            Value::Forms(forms) => {
                let mut forms = forms.clone();
                for range in ranges {
                    forms = forms.slice(&range);
                }
                return Ok(Value::Forms(forms));
            }
            Value::Maps(maps) => {
                (maps.clone(), (0, maps.size.0), Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 })
            }
            Value::Part(maps, channels, window) => (maps.clone(), *channels, *window),
            Value::Padded(..) => return Err(PADDED.to_owned()),
            Value::Condition(_) | Value::Constant(_) => return Err("this slice is not possible".to_owned()),
        };
        for range in ranges {
            if range.step != 1 && range.count > 1 {
                return Err(format!("takes every {}-th of axis {}; expected all of a window", range.step, range.axis));
            }
            match range.axis {
                1 => channels = (channels.0 + range.start, range.count),
                2 => (window.top, window.height) = (window.top + range.start, range.count),
                3 => (window.left, window.width) = (window.left + range.start, range.count),
                _ => {}
            }
        }
        if channels.1 == 0 || window.area() == 0 {
            return Err("the slice is empty".to_owned());
        }
        Ok(Value::Part(maps, channels, window))
    }

    pub(super) fn reshape(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        let shape = self.constant(1)?.map(|shape| shape.integers());
        let to = constants::reshaped(self.node, &dims, shape)?;
        match &*self.input(0)? {
            Value::Forms(forms) => forms.reshaped(to).map(Value::Forms),
            Value::Maps(_) | Value::Padded(..) | Value::Part(..) | Value::Condition(_) if to == dims => {
                Ok((*self.input(0)?).clone())
            }
            Value::Maps(maps) => {
                let window = Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 };
                self.became(&Became::Text("read-out of all values"));
                let forms = self.graph.sums(maps, (0, maps.size.0), window, (false, false))?;
                forms.reshaped(to).map(Value::Forms)
            }
            Value::Part(maps, channels, window) => {
                self.became(&Became::Text("read-out of a window"));
                self.graph.sums(maps, *channels, *window, (false, false))?.reshaped(to).map(Value::Forms)
            }
            Value::Condition(_) => Err("reads a condition as numbers; add a cast".to_owned()),
            Value::Padded(..) => Err(PADDED.to_owned()),
            Value::Constant(_) => Err("this change of sizes is not possible".to_owned()),
        }
    }

    pub(super) fn transposition(&mut self) -> Result<Value, String> {
        let dims = self.dims(0)?;
        let order = constants::permutation(self.node, dims.len())?;
        if order.iter().enumerate().all(|(place, axis)| place == *axis) {
            return Ok((*self.input(0)?).clone());
        }
        let forms = match &*self.input(0)? {
            Value::Maps(maps) => {
                let window = Window { top: 0, left: 0, height: maps.size.1, width: maps.size.2 };
                self.became(&Became::Text("read-out of all values"));
                self.graph.sums(maps, (0, maps.size.0), window, (false, false))?
            }
            _ => self.forms(0)?,
        };
        Ok(Value::Forms(forms.transposed(&order)))
    }

    /// The larger one of numbers and a bound, or the smaller one for a negative sign.
    pub(super) fn bounded_numbers(&mut self, forms: &Forms, sign: f64, bound: f64) -> Result<Forms, String> {
        let affine = |forms: &Forms, shift: f64| forms.affine(&Tensor::scalar(sign), &Tensor::scalar(shift));
        let beyond = affine(forms, -sign * bound)?;
        match self.number_layer(Operation::Rectify, &beyond, forms.dims.clone())? {
            Value::Forms(rectified) => affine(&rectified, bound),
            _ => Err("expected numbers on the controller".to_owned()),
        }
    }

    pub(super) fn dense(&mut self) -> Result<Value, String> {
        let mut forms = self.forms(0)?;
        let (node, mut weights) = (self.node, self.required(1)?);
        let is_gemm = node.op == "Gemm";
        let (alpha, beta) = if is_gemm { (node.float("alpha", 1.0), node.float("beta", 1.0)) } else { (1.0, 1.0) };
        if is_gemm && node.int("transA", 0) != 0 {
            if forms.dims.len() != 2 {
                return Err(format!("exchanges the sizes {:?}; expected a matrix", forms.dims));
            }
            forms = forms.transposed(&[1, 0]);
        }
        if is_gemm && node.int("transB", 0) != 0 {
            weights = constants::transposed(&weights)?;
        }
        let [inputs, outputs] = *weights.dims.as_slice() else {
            return Err(format!("the weights have the sizes {:?}; expected a matrix", weights.dims));
        };
        if forms.dims.last() != Some(&inputs) || forms.forms.len() != inputs {
            return Err(format!("weights for {inputs} numbers, but reads {:?} numbers", forms.dims));
        }
        let column = |output: usize| {
            let weights = weights.values.iter().skip(output).step_by(outputs);
            weights.map(|weight| weight * alpha).collect::<Vec<f64>>()
        };
        let rows: Vec<Vec<f64>> = (0..outputs).map(column).collect();
        let bias = match if is_gemm { self.constant(2)? } else { None } {
            Some(bias) => {
                let bias = bias.map(|bias| bias * beta);
                let all = Tensor { dims: vec![1, outputs], values: vec![0.0; outputs] };
                let bias = all.combine(&bias, |_, bias| bias)?;
                if bias.values.len() != outputs {
                    return Err(format!("a bias of {:?} numbers for {outputs} outputs", bias.dims));
                }
                bias.values
            }
            None => vec![0.0; outputs],
        };
        let name = self.layer_name();
        let layer = self.graph.weighted(&forms, &rows, &bias, &name)?;
        self.became(&Became::Layer(layer));
        let mut dims = forms.dims.clone();
        if let Some(last) = dims.last_mut() {
            *last = outputs;
        }
        Forms::of_layer(layer, outputs).reshaped(dims).map(Value::Forms)
    }
}
