//! Draws arrows from operands to results.

use cain_isa::{Fraction, Store};

use super::markup::{Markup, escaped, length, typeset};
use crate::show::form::{Form, Part};

/// The course of an arrow, which ends below its start.
#[derive(Clone, Copy)]
struct Curve {
    from: (f64, f64),
    to: (f64, f64),
    /// The fraction of the height at which it runs across.
    level: f64,
}

/// The curves from the operands at these places to the top of one result, given its left, top and width.
fn curves(from: &[(f64, f64)], (left, top): (f64, f64), width: f64) -> Vec<Curve> {
    let count = length(from.len());
    let curve = |(i, &from): (usize, &(f64, f64))| Curve {
        from,
        to: (left + width * length(i + 1) / (count + 1.0), top),
        level: 0.5,
    };
    let mut curves: Vec<Curve> = from.iter().enumerate().map(curve).collect();
    // The widest curve runs above the others, so that they neither cross nor cover each other.
    let mut by_span: Vec<&mut Curve> = curves.iter_mut().collect();
    by_span.sort_by(|a, b| b.span().total_cmp(&a.span()));
    for (rank, curve) in by_span.into_iter().enumerate().filter(|_| from.len() > 1) {
        curve.level = 0.3 + 0.42 * length(rank) / (count - 1.0);
    }
    curves
}

impl Curve {
    /// The horizontal distance.
    fn span(&self) -> f64 {
        (self.from.0 - self.to.0).abs()
    }

    fn level(&self) -> f64 {
        self.from.1 + (self.to.1 - self.from.1) * self.level
    }

    /// The SVG path: down, across, and down again.
    fn path(self) -> String {
        let ((x0, y0), (x1, y1), level) = (self.from, self.to, self.level());
        format!("M{x0:.1} {y0:.1}C{x0:.1} {level:.1} {x1:.1} {level:.1} {x1:.1} {y1:.1}")
    }

    /// The point halfway along the curve.
    fn middle(self) -> (f64, f64) {
        let ((x0, y0), (x1, y1)) = (self.from, self.to);
        (f64::midpoint(x0, x1), (y0 + y1) / 8.0 + self.level() * 0.75)
    }
}

/// Draws the arrows of all operands of a result; `centre` gives the start of each, the other parameters are those of
/// [`curves`].
pub(crate) fn arrows(
    svg: &mut Markup,
    form: &Form,
    centre: impl Fn(Store) -> (f64, f64),
    left_top: (f64, f64),
    width: f64,
) {
    let middle = left_top.0 + width / 2.0;
    let mut parts: Vec<(&Part, (f64, f64))> = form.parts().iter().map(|part| (part, centre(part.store))).collect();
    // From the left the nearest comes first, from the right the farthest: then no arrow crosses another.
    let side = |x: f64| (x - middle).partial_cmp(&0.0);
    parts.sort_by(|(_, (a, _)), (_, (b, _))| side(*a).cmp(&side(*b)).then(b.total_cmp(a)));
    let from: Vec<_> = parts.iter().map(|(_, from)| *from).collect();
    for ((part, _), curve) in parts.iter().zip(curves(&from, left_top, width)) {
        arrow(svg, curve, part);
    }
}

/// Draws the arrow of an operand.
fn arrow(svg: &mut Markup, curve: Curve, part: &Part) {
    let class = if part.weight < Fraction::ZERO { "arrow minus" } else { "arrow plus" };
    svg.add(format_args!(r#"<path class="{class}" d="{}"/>"#, curve.path()));
    let (x, y) = curve.to;
    svg.add(format_args!(
        r#"<path class="head {class}" d="M{:.1} {:.1}L{x:.1} {y:.1}L{:.1} {:.1}Z"/>"#,
        x - 3.6,
        y - 6.5,
        x + 3.6,
        y - 6.5
    ));
    let label = typeset(&part.change());
    if label.is_empty() {
        return;
    }
    let (x, y) = curve.middle();
    let width = 8.0 + 5.7 * length(label.chars().count());
    svg.add(format_args!(
        r#"<rect class="label" x="{:.1}" y="{:.1}" width="{width:.1}" height="13" rx="6.5"/>"#,
        x - width / 2.0,
        y - 6.5
    ));
    let class = if part.weight < Fraction::ZERO { "label minus" } else { "label plus" };
    svg.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{:.1}">{}</text>"#, y + 3.3, escaped(&label)));
}
