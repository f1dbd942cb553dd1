//! The report of a trace: one page without scripts, with all pictures in it.

use super::layers::{Figures, Layer};
use super::record::Record;
use super::sheet::Row;
use crate::show::svg::markup::{Markup, escaped, typeset};

const STYLE: &str =
    "body { font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1d2028; }
table { border-collapse: collapse; } th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ccd; }
th:first-child, td:first-child { text-align: left; } th { background: #eef1f6; } .wide { overflow-x: auto; }
img { image-rendering: pixelated; vertical-align: top; } figure { margin: .3em 0; } figcaption { color: #556; }
.maps td { padding: .2em; border: 0; vertical-align: top; text-align: left; } small { color: #556; }";

/// A picture with the values of all layers.
pub(super) struct Section {
    /// The number of the picture in the data.
    pub(super) number: usize,
    /// The names of its class, of that in floating point, on the ideal array, and on the array with errors.
    pub(super) classes: [String; 4],
    pub(super) rows: Vec<Row>,
}

/// The page; the error is that a picture cannot be encoded.
pub(super) fn html(record: &Record<'_>, sections: &[Section]) -> Result<String, String> {
    let mut page = Markup::default();
    let title = escaped(&format!("Trace of {}", record.network));
    page.add(format_args!("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>"));
    page.add(format_args!("<style>{STYLE}</style></head><body>\n<h1>{title}</h1>"));
    let Record { words, microseconds, microjoules, fps, images, .. } = record;
    page.add(format_args!(
        "<p>{words} control words; {microseconds:.1} µs and {microjoules:.1} µJ with read-outs, {fps:.0} frames per second. \
         Recognised: {} of {images} pictures in floating point, {} on the ideal array, {} with the errors of the model \
         <code>{}</code>, seed {}.</p>",
        record.correct.float, record.correct.ideal, record.correct.measured, record.model, record.seed
    ));
    page.add(format_args!("<h2>Layers</h2>\n<div class=\"wide\"><table><tr>"));
    for title in [
        "layer",
        "operation",
        "values",
        "registers",
        "words",
        "µs",
        "µJ",
        "range/DN",
        "ideal mean",
        "ideal RMS",
        "mean",
        "RMS",
        "wrong bits",
        "recognised",
    ] {
        page.add(format_args!("<th>{title}</th>"));
    }
    page.add(format_args!("</tr>"));
    for layer in &record.layers {
        row(&mut page, layer);
    }
    page.add(format_args!("</table></div>\n<p><small>{}</small></p>", escaped(NOTES)));
    for section in sections {
        let [label, float, ideal, measured] = section.classes.each_ref().map(|class| escaped(class));
        page.add(format_args!(
            "<h2>Picture {}</h2>\n<p>Class {label}; in floating point {float}, on the ideal array {ideal}, with errors \
             {measured}.</p>",
            section.number
        ));
        page.add(format_args!(
            "<table class=\"maps\"><tr><th></th><th>float</th><th>ideal</th><th>{}</th><th>error</th></tr>",
            escaped(record.model)
        ));
        for row in &section.rows {
            let caption = match &row.scale {
                Some(scale) => format!("{}<br><small>{}</small>", escaped(&row.name), escaped(&typeset(scale))),
                None => escaped(&row.name),
            };
            page.add(format_args!("<tr><td>{caption}</td>"));
            for picture in &row.pictures {
                let png = picture.png().map_err(|error| error.to_string())?;
                let (width, height) = (picture.width(), picture.height());
                let data = base64(&png);
                page.add(format_args!(
                    "<td><img width=\"{width}\" height=\"{height}\" alt=\"\" src=\"data:image/png;base64,{data}\"></td>"
                ));
            }
            page.add(format_args!("</tr>"));
        }
        page.add(format_args!("</table>"));
    }
    page.add(format_args!("</body></html>"));
    Ok(page.into_text())
}

/// What the columns of the table mean.
const NOTES: &str = "Errors are those of values in registers in DN, those of numbers in numbers of the network, each minus the \
    value in floating point; the mean over all values and pictures, and the root mean square. Values on the array are \
    converted by the straight line through those of the ideal array; known constants for which thresholds compensate are no \
    errors. Layers without registers of their own are part of the layers behind them. Recognised is the share of pictures whose class is right if nothing after this layer has errors; \
    the mean error of maps that only thresholds and rectifiers read is left out there. \
    Times and energies are those of control words and read-outs of one picture.";

fn row(page: &mut Markup, layer: &Layer) {
    let dash = || "–".to_owned();
    let of = |figures: Option<Figures>, which: fn(&Figures) -> f64| {
        figures.map_or_else(dash, |figures| typeset(&format!("{:.3}", which(&figures))))
    };
    let cells = [
        escaped(&layer.name),
        layer.operation.to_owned(),
        escaped(&layer.shape),
        escaped(&layer.place),
        layer.words.to_string(),
        format!("{:.2}", layer.microseconds),
        format!("{:.2}", layer.microjoules),
        layer.used.map_or_else(dash, |(low, high)| typeset(&format!("{low:.0}..{high:.0}"))),
        of(layer.ideal, |figures| figures.mean),
        of(layer.ideal, |figures| figures.rms),
        of(layer.measured, |figures| figures.mean),
        of(layer.measured, |figures| figures.rms),
        layer.measured.and_then(|figures| figures.wrong).map_or_else(dash, |wrong| format!("{:.2} %", 100.0 * wrong)),
        layer.accuracy.map_or_else(dash, |share| format!("{:.1} %", 100.0 * share)),
    ];
    page.add(format_args!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat()));
}

/// Bytes as text.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or_default());
        let number = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = DIGITS.get((number >> (18 - 6 * place) & 63) as usize).copied().unwrap_or_default();
            text.push(if place > three.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn bytes_become_text() {
        for (bytes, text) in [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("\u{ff}~", "w79+")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }
}
