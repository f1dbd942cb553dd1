//! The code blocks of a page.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

/// A code block.
#[derive(Debug)]
pub(crate) struct Block {
    /// The text after the opening fence; empty for an indented block.
    pub(crate) language: String,
    pub(crate) text: String,
    /// The line of the opening fence.
    pub(crate) line: usize,
}

/// All code blocks of a page, in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (event, range) in Parser::new(page).into_offset_iter() {
        match (event, &mut open) {
            (Event::Start(Tag::CodeBlock(kind)), _) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                let line = page[..range.start].lines().count() + usize::from(page[..range.start].ends_with('\n'));
                open = Some(Block { language, text: String::new(), line: line.max(1) });
            }
            (Event::Text(text), Some(block)) => block.text.push_str(&text),
            (Event::End(TagEnd::CodeBlock), _) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

#[test]
fn blocks_are_found_with_their_lines() {
    let found = blocks("# T\n\n```toml\na = 1\n```\n\n- x:\n\n  ```sh\n  ls\n  ```\n");
    let found: Vec<_> = found.iter().map(|block| (&*block.language, &*block.text, block.line)).collect();
    assert_eq!(found, [("toml", "a = 1\n", 3), ("sh", "ls\n", 9)]);
}
