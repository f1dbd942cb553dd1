//! Writes XML as text.

use std::fmt;

/// The style of pictures, light and dark.
pub(crate) const STYLE: &str = include_str!("style.css");

/// The margin around everything.
pub(crate) const MARGIN: f64 = 24.0;
/// The height of a line of small text.
pub(crate) const LINE: f64 = 17.0;

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

    /// Begins a picture of a program with its name and these lines of text, which is at least so wide. Its height follows from
    /// where the space below them begins. Both are without margins. Returns the width and where that space begins.
    pub(crate) fn begin(
        &mut self,
        name: &str,
        head: &[String],
        width: f64,
        height: impl FnOnce(f64) -> f64,
    ) -> (f64, f64) {
        let top = MARGIN + 56.0 + LINE * length(head.len());
        let text = head.iter().map(|line| length(line.chars().count()) * 7.3).fold(560.0, f64::max);
        let width = width.max(MARGIN + text) + MARGIN;
        let height = height(top) + MARGIN;
        self.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" role="img">"#
        ));
        self.add(format_args!("<title>{}</title>", escaped(name)));
        self.add(format_args!("<style>\n{STYLE}</style>"));
        self.add(format_args!(r#"<rect class="paper" width="100%" height="100%"/>"#));
        self.text("name", (MARGIN, MARGIN + 16.0), name);
        for (i, line) in head.iter().enumerate() {
            self.text("fact", (MARGIN, MARGIN + 36.0 + LINE * length(i)), line);
        }
        (width, top)
    }

    /// Ends the picture.
    pub(crate) fn end(mut self) -> String {
        self.add(format_args!("</svg>"));
        self.0
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// A count as a length.
pub(crate) fn length(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

/// A text broken into lines of about this width.
pub(crate) fn wrapped(text: &str, width: f64) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match all.last_mut().filter(|line| length(line.chars().count() + word.chars().count()) * 6.2 < width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => all.push(word.to_owned()),
        }
    }
    all
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
