//! Strings of TOML.

/// A basic string.
#[must_use]
pub fn string(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            character if character.is_control() => {
                quoted.extend(format!("\\u{:04X}", u32::from(character)).chars());
            }
            character => quoted.push(character),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::string;

    #[test]
    fn strings_are_quoted() {
        assert_eq!(string("a\"b\\c\n\u{1}\u{7f}é"), "\"a\\\"b\\\\c\\n\\u0001\\u007Fé\"");
    }
}
