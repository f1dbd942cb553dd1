//! Writes XML as text.

use std::fmt;

/// An XML text in the making.
#[derive(Default)]
pub(crate) struct Markup(String);

impl Markup {
    pub(crate) fn add(&mut self, markup: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = fmt::Write::write_fmt(&mut self.0, markup);
        self.0.push('\n');
    }

    /// Adds a text element, unless the text is empty.
    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        if !text.is_empty() {
            self.add(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escaped(text)));
        }
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// A count as a length.
pub(crate) fn length(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A text escaped for elements and attributes; characters that XML does not allow are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(character),
            '\u{fffe}' | '\u{ffff}' => {}
            character if character.is_control() => {}
            character => escaped.push(character),
        }
    }
    escaped
}

/// A text with its signs as they are typeset.
pub(crate) fn typeset(text: &str) -> String {
    text.replace('-', "\u{2212}")
}
