//! Lines of C++.

use cain_isa::Instruction;

/// One line of comment. In C++, a comment that ends with a backslash would swallow the next line.
pub(crate) fn comment(line: &str) -> String {
    let line: String = line.chars().filter(|character| !character.is_control()).collect();
    format!("// {}", line.trim_end_matches(['\\', ' '])).trim_end().to_owned()
}

/// Instructions as a kernel, which the library launches at once.
pub(crate) fn block<'i>(listing: impl IntoIterator<Item = &'i Instruction>) -> Vec<String> {
    let listing = listing.into_iter().map(|instruction| format!("    {instruction}"));
    let (begin, end) = ("scamp5_kernel_begin();".to_owned(), "scamp5_kernel_end();".to_owned());
    [begin].into_iter().chain(listing).chain([end]).collect()
}

pub(crate) fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Statements within something.
pub(super) fn indented(statements: &[String]) -> impl Iterator<Item = String> {
    statements.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") })
}

/// Statements in braces below a head.
pub(super) fn braced(head: String, statements: &[String]) -> Vec<String> {
    [head, "{".to_owned()].into_iter().chain(indented(statements)).chain(["}".to_owned()]).collect()
}
