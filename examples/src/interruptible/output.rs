//! Writes rows as text, JSON, CSV, and a plot.

use std::fmt::Write as _;

use crate::comparison::Row;

pub(crate) const HEADER: &str = "task           by          method                 positions    mean/µs   worst/µs  bound/µs   extra/µs   added/DN  wrong";

/// A line of the table.
pub(crate) fn line(row: &Row) -> String {
    let Row { task, by, method, positions, mean, worst, bound, extra, added, wrong, .. } = row;
    let [bound, added] = [bound, added].map(|number| number.map_or(String::new(), |number| format!("{number:.2}")));
    format!(
        "{task:<14} {by:<11} {method:<22} {positions:>9} {mean:>10.2} {worst:>10.2} {bound:>9} {extra:>10.2} {added:>10} \
         {wrong:>6}"
    )
}

/// A line of JSON.
pub(crate) fn json(row: &Row) -> String {
    let Row { task, by, method, positions, mean, worst, bound, extra, added, added_bound, wrong } = row;
    let [bound, added, added_bound] =
        [bound, added, added_bound].map(|number| number.map_or("null".to_owned(), |number| format!("{number:.3}")));
    format!(
        "{{\"task\":\"{task}\",\"by\":\"{by}\",\"method\":\"{method}\",\"positions\":{positions},\"mean_us\":{mean:.3},\
         \"worst_us\":{worst:.3},\"bound_us\":{bound},\"extra_us\":{extra:.3},\"wrong\":{wrong},\
         \"added_dn\":{added},\"added_bound_dn\":{added_bound}}}"
    )
}

/// All rows, with a header.
pub(crate) fn csv(rows: &[Row]) -> String {
    let mut text =
        "task,by,method,positions,mean_us,worst_us,bound_us,extra_us,wrong,added_dn,added_bound_dn\n".to_owned();
    for Row { task, by, method, positions, mean, worst, bound, extra, added, added_bound, wrong } in rows {
        let [bound, added, added_bound] =
            [bound, added, added_bound].map(|number| number.map_or(String::new(), |number| format!("{number:.3}")));
        let _ = writeln!(
            text,
            "{task},{by},\"{method}\",{positions},{mean:.3},{worst:.3},{bound},{extra:.3},{wrong},{added},{added_bound}"
        );
    }
    text
}

/// The worst waits as bars on a logarithmic scale, a group for each pair of programs.
pub(crate) fn svg(rows: &[Row]) -> String {
    const METHODS: [(&str, &str); 3] =
        [("save everything", "#999999"), ("end of layer", "#cc7700"), ("switch points", "#0066aa")];
    const LEFT: f64 = 60.0;
    const HEIGHT: f64 = 300.0;
    const BAR: f64 = 14.0;
    const GAP: f64 = 24.0;
    let most = rows.iter().map(|row| row.worst).fold(1.0, f64::max).log10().ceil();
    // The scale begins at a tenth of a microsecond.
    let height = |us: f64| (us.max(0.1).log10() + 1.0) / (most + 1.0) * HEIGHT;
    let mut groups: Vec<(&str, &str)> = rows.iter().map(|row| (row.task, row.by)).collect();
    groups.dedup();
    let group_width = 3.0 * BAR + GAP;
    #[expect(clippy::cast_precision_loss, reason = "a few groups")]
    let width = LEFT + groups.len() as f64 * group_width + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"460\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<text x=\"{LEFT}\" y=\"16\">Worst response in µs, on a logarithmic scale</text>\n"
    );
    let mut tick = 0.1;
    while tick <= 10_f64.powf(most) {
        let y = 330.0 - height(tick);
        let _ = writeln!(
            text,
            "<line x1=\"{LEFT}\" x2=\"{width:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            LEFT - 6.0,
            y + 4.0
        );
        tick *= 10.0;
    }
    let mut x = LEFT + GAP / 2.0;
    for group in groups {
        let _ = writeln!(
            text,
            "<text transform=\"translate({:.1},342) rotate(45)\">{} by {}</text>",
            x + BAR,
            group.0,
            group.1
        );
        for (method, colour) in METHODS {
            let of_method = rows.iter().find(|row| (row.task, row.by) == group && row.method == method);
            if let Some(row) = of_method {
                let bar = height(row.worst);
                let _ = writeln!(
                    text,
                    "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{BAR}\" height=\"{bar:.1}\" fill=\"{colour}\"/>",
                    330.0 - bar
                );
            }
            x += BAR;
        }
        x += GAP;
    }
    for ((method, colour), y) in METHODS.into_iter().zip([30.0, 46.0, 62.0]) {
        let _ = writeln!(
            text,
            "<rect x=\"{:.0}\" y=\"{y}\" width=\"10\" height=\"10\" fill=\"{colour}\"/><text x=\"{:.0}\" y=\"{}\">{method}</text>",
            width - 120.0,
            width - 104.0,
            y + 10.0
        );
    }
    text.push_str("</svg>\n");
    text
}
