//! Properties that every answer must have.

use cain_codegen::diagnostic::{Diagnostic, Position};

/// A message must not be empty, nor pass for something else on a terminal.
pub(crate) fn printable(message: &str) -> Result<(), String> {
    if message.trim().is_empty() {
        return Err("an error without a message".to_owned());
    }
    match message.chars().find(|character| character.is_control()) {
        Some(character) => Err(format!("a message with the control character {character:?}: {message:?}")),
        None => Ok(()),
    }
}

/// Code must not contain characters that hide its meaning: no control characters except line ends, and none that change
/// the direction of text.
pub(crate) fn readable(code: &str) -> Result<(), String> {
    let hides = |character: &char| {
        character.is_control() && *character != '\n'
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    match code.chars().find(hides) {
        Some(character) => Err(format!("the code has the character {character:?}")),
        None => Ok(()),
    }
}

/// Problems must be printable and lie within the text.
pub(crate) fn placed(text: &str, problems: &[Diagnostic]) -> Result<(), String> {
    problems.iter().try_for_each(|Diagnostic { place, message }| {
        printable(message)?;
        within(text, *place).map_err(|reason| format!("{reason}: {place}: {message}"))
    })
}

/// A place must lie within a text, or just behind one of its lines.
pub(crate) fn within(text: &str, Position { line, column }: Position) -> Result<(), String> {
    // A text that ends with a line break has an empty line after it.
    let found = line.checked_sub(1).and_then(|line| text.split('\n').nth(line));
    let Some(found) = found else { return Err("a place on a line that is not there".to_owned()) };
    if (1..=found.chars().count() + 1).contains(&column) {
        Ok(())
    } else {
        Err("a place at a column that is not there".to_owned())
    }
}

/// Fails with a message unless something holds.
pub(crate) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
