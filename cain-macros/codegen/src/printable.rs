//! The text of users in messages and in generated files.

use std::fmt::{self, Display, Write};

/// Displays a value with Rust's escapes, such as `\n` or `\u{202e}`, instead of characters that act on the display: line
/// breaks, escapes of terminals, and marks that change the direction of text.
///
/// A message is one line, and a name in it must not be able to forge another.
#[derive(Clone, Copy, Debug)]
pub struct Printable<T>(pub T);

impl<T: Display> Display for Printable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(character) = rest.chars().find(|character| acts(*character)) {
            let (before, after) = rest.split_once(character).unwrap_or((rest, ""));
            write!(self.0, "{before}{}", character.escape_default())?;
            rest = after;
        }
        self.0.write_str(rest)
    }
}

/// Whether a character acts on the display or is invisible.
fn acts(character: char) -> bool {
    character.is_control()
        || turns(character)
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{2060}'
                ..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

/// Whether a character changes the direction of the text after it, which the compiler refuses in source files.
pub(crate) fn turns(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text as one word of a shell command, in quotes if it needs them.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_-+./:=@%,".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Printable, shell_word};

    #[test]
    fn characters_that_act_are_escaped_and_others_are_not() {
        for (text, shown) in [
            ("größe `x` \"y\" \\ e\u{301} 日本 👩‍🔬", "größe `x` \"y\" \\ e\u{301} 日本 👩‍🔬"),
            ("a\nb\r\tc\u{1b}[31m\u{7f}\u{9b}", r"a\nb\r\tc\u{1b}[31m\u{7f}\u{9b}"),
            ("a\u{202e}b\u{2066}\u{200f}\u{2028}\u{feff}", r"a\u{202e}b\u{2066}\u{200f}\u{2028}\u{feff}"),
        ] {
            assert_eq!(Printable(text).to_string(), shown);
            assert_eq!(Printable(Printable(text)).to_string(), shown);
        }
    }

    #[test]
    fn words_of_a_shell_are_one_word() {
        for (text, word) in [
            ("sim", "sim"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(rm x); y", "'$(rm x); y'"),
            ("it's", r"'it'\''s'"),
            ("ü", "'ü'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
