//! Arrows from operands to results.

use cain_isa::{Fraction, Store};

use super::markup::{Markup, escaped, length, typeset};
use crate::show::form::{Form, Part};

/// Where an arrow begins and ends; it ends below its beginning.
#[derive(Clone, Copy)]
struct Way {
    from: (f64, f64),
    to: (f64, f64),
    /// At which share of the height it runs across.
    level: f64,
}

/// The ways that lead to one result, from operands at these places to the top of a result at its left and width.
fn ways(from: &[(f64, f64)], (left, top): (f64, f64), width: f64) -> Vec<Way> {
    let count = length(from.len());
    let way = |(i, &from): (usize, &(f64, f64))| Way {
        from,
        to: (left + width * length(i + 1) / (count + 1.0), top),
        level: 0.5,
    };
    let mut ways: Vec<Way> = from.iter().enumerate().map(way).collect();
    // The widest runs above the others, so that they neither cross nor cover each other.
    let mut by_span: Vec<&mut Way> = ways.iter_mut().collect();
    by_span.sort_by(|a, b| b.span().total_cmp(&a.span()));
    for (rank, way) in by_span.into_iter().enumerate().filter(|_| from.len() > 1) {
        way.level = 0.3 + 0.42 * length(rank) / (count - 1.0);
    }
    ways
}

impl Way {
    /// How far it runs across.
    fn span(&self) -> f64 {
        (self.from.0 - self.to.0).abs()
    }

    fn level(&self) -> f64 {
        self.from.1 + (self.to.1 - self.from.1) * self.level
    }

    /// Down, across, and down again.
    fn path(self) -> String {
        let ((x0, y0), (x1, y1), level) = (self.from, self.to, self.level());
        format!("M{x0:.1} {y0:.1}C{x0:.1} {level:.1} {x1:.1} {level:.1} {x1:.1} {y1:.1}")
    }

    /// Half-way.
    fn middle(self) -> (f64, f64) {
        let ((x0, y0), (x1, y1)) = (self.from, self.to);
        (f64::midpoint(x0, x1), (y0 + y1) / 8.0 + self.level() * 0.75)
    }
}

/// Draws the arrows of all operands of a result; `centre` is where they come from, the rest as for [`ways`].
pub(crate) fn arrows(
    svg: &mut Markup,
    form: &Form,
    centre: impl Fn(Store) -> (f64, f64),
    left_top: (f64, f64),
    width: f64,
) {
    let middle = left_top.0 + width / 2.0;
    let mut parts: Vec<(&Part, (f64, f64))> = form.parts().iter().map(|part| (part, centre(part.store))).collect();
    // From the left the nearest first, from the right the farthest first: then none crosses another.
    let side = |x: f64| (x - middle).partial_cmp(&0.0);
    parts.sort_by(|(_, (a, _)), (_, (b, _))| side(*a).cmp(&side(*b)).then(b.total_cmp(a)));
    let from: Vec<_> = parts.iter().map(|(_, from)| *from).collect();
    for ((part, _), way) in parts.iter().zip(ways(&from, left_top, width)) {
        arrow(svg, way, part);
    }
}

/// Draws the arrow of an operand.
fn arrow(svg: &mut Markup, way: Way, part: &Part) {
    let class = if part.weight < Fraction::ZERO { "arrow minus" } else { "arrow plus" };
    svg.add(format_args!(r#"<path class="{class}" d="{}"/>"#, way.path()));
    let (x, y) = way.to;
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
    let (x, y) = way.middle();
    let width = 8.0 + 5.7 * length(label.chars().count());
    svg.add(format_args!(
        r#"<rect class="label" x="{:.1}" y="{:.1}" width="{width:.1}" height="13" rx="6.5"/>"#,
        x - width / 2.0,
        y - 6.5
    ));
    let class = if part.weight < Fraction::ZERO { "label minus" } else { "label plus" };
    svg.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{:.1}">{}</text>"#, y + 3.3, escaped(&label)));
}
