//! Constants, at times computed by nodes as exporters write them.

use super::super::evaluator::tensor::{Kind, Number, Tensor, whole};
use super::builder::{Builder, int, tensor};

impl Builder<'_> {
    /// An array of these sizes with the same number everywhere.
    pub(super) fn number(&mut self, number: f64, dims: &[usize]) -> String {
        if self.dice.once_in(6)
            && let Some(calculated) = self.calculated(number, dims)
        {
            return calculated;
        }
        self.real(dims, &vec![number; dims.iter().product()])
    }

    /// Numbers in floating point.
    pub(super) fn real(&mut self, dims: &[usize], numbers: &[f64]) -> String {
        let numbers = numbers.iter().copied().map(Number::Real).collect();
        self.constant(&Tensor { kind: Kind::Single, dims: dims.to_vec(), numbers })
    }

    /// An array of the same integer everywhere.
    pub(super) fn whole(&mut self, kind: Kind, number: i64, dims: &[usize]) -> String {
        let numbers = vec![Number::Whole(number); dims.iter().product()];
        self.constant(&Tensor { kind, dims: dims.to_vec(), numbers })
    }

    /// A number that nodes compute from other constants.
    fn calculated(&mut self, number: f64, dims: &[usize]) -> Option<String> {
        let same = |number: f64| vec![number; dims.iter().product()];
        let is_whole = number.fract() == 0.0;
        let (tag, made) = match self.dice.below(8) {
            0 => {
                let (double, half) = (self.real(dims, &same(2.0 * number)), self.real(&[], &[0.5]));
                ("product of constants", self.node("Mul", &[&double, &half], Vec::new()))
            }
            1 => {
                // The bound is one of three, in any place.
                let op = self.dice.pick(&["Max", "Min"]);
                let away = if op == "Max" { -3.0 } else { 3.0 };
                let mut all = [number, number + away, number + 2.0 * away];
                all.rotate_left(self.dice.below(3));
                let all = all.map(|number| self.real(dims, &same(number)));
                ("bound of three constants", self.node(op, &[&all[0], &all[1], &all[2]], Vec::new()))
            }
            2 if is_whole && number >= 0.0 => {
                let real = self.real(dims, &same(number + 0.5));
                let cut = self.node("Cast", &[&real], vec![int("to", 7)])?;
                ("constant cut by a cast", self.node("Cast", &[&cut], vec![int("to", 1)]))
            }
            3 if is_whole => {
                // The numbers are rounded towards zero.
                let kind = self.dice.pick(&[Kind::Int32, Kind::Int64]);
                #[expect(clippy::cast_possible_truncation, reason = "a small whole number")]
                let more = number as i64 * 2 + if number < 0.0 { -1 } else { 1 };
                let (more, two) = (self.whole(kind, more, dims), self.whole(kind, 2, &[]));
                let quotient = self.node("Div", &[&more, &two], Vec::new())?;
                ("quotient of whole constants", self.node("Cast", &[&quotient], vec![int("to", 1)]))
            }
            4 => {
                let numbers = same(-number).into_iter().map(Number::Real).collect();
                let double = self.constant(&Tensor { kind: Kind::Double, dims: dims.to_vec(), numbers });
                let single = self.node("Cast", &[&double], vec![int("to", 1)])?;
                ("negated constant", self.node("Neg", &[&single], Vec::new()))
            }
            5 => {
                let square = self.real(dims, &same(number * number));
                let root = self.node("Sqrt", &[&square], Vec::new())?;
                let sign = self.real(&[], &[if number < 0.0 { -1.0 } else { 1.0 }]);
                ("root of a constant", self.node("Mul", &[&root, &sign], Vec::new()))
            }
            6 => {
                let sizes: Vec<i64> = dims.iter().copied().map(whole).collect();
                let (sizes, value) = (self.list(&sizes), Tensor::reals(&[1], &[number]).ok()?);
                let attribute = tensor("value", &value, true);
                ("constant of sizes", self.node("ConstantOfShape", &[&sizes], vec![attribute]))
            }
            _ => {
                let constant = self.real(dims, &same(number));
                ("identity of a constant", self.node("Identity", &[&constant], Vec::new()))
            }
        };
        if made.is_some() {
            self.constructs.insert(tag);
        }
        made
    }

    /// The sizes for a reshape of `source` to rows of all numbers of a picture, as exporters write them.
    pub(super) fn sizes_of_rows(&mut self, source: &str) -> Option<String> {
        let minus_one = self.list(&[-1]);
        let batch = match self.dice.below(3) {
            0 if self.opset >= 15 => self.node("Shape", &[source], vec![int("start", 0), int("end", 1)])?,
            1 => {
                let sizes = self.node("Shape", &[source], Vec::new())?;
                let (start, end) = (self.list(&[0]), self.list(&[1]));
                self.node("Slice", &[&sizes, &start, &end], Vec::new())?
            }
            _ => {
                let sizes = self.node("Shape", &[source], Vec::new())?;
                let place = self.whole(Kind::Int64, 0, &[]);
                let batch = self.node("Gather", &[&sizes, &place], vec![int("axis", 0)])?;
                self.with_axes("Unsqueeze", &batch, &[0], 13, Vec::new())?
            }
        };
        self.constructs.insert("sizes of rows");
        self.node("Concat", &[&batch, &minus_one], vec![int("axis", 0)])
    }

    /// Half of the size along an axis, rounded down, as a list of one.
    pub(super) fn half_of_size(&mut self, source: &str, axis: i64) -> Option<String> {
        let sizes = self.node("Shape", &[source], Vec::new())?;
        let place = self.list(&[axis]);
        let size = self.node("Gather", &[&sizes, &place], Vec::new())?;
        let two = self.list(&[2]);
        let half = self.node("Div", &[&size, &two], Vec::new())?;
        self.constructs.insert("half of a size");
        if self.dice.once_in(2) { self.node("Cast", &[&half], vec![int("to", 7)]) } else { Some(half) }
    }
}
