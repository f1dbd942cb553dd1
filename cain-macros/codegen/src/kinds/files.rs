//! Declarations of files as functions: what Rust does not say about them.

use std::path::{Path, PathBuf};

use quote::quote;
use syn::parse::Parser as _;
use syn::{Attribute, Visibility};

use super::{Item, of_each};
use crate::printable::turns;
#[cfg(feature = "networks")]
use crate::text_file::folder_of;

/// The visibility of functions that are made of files.
pub(crate) fn public() -> Visibility {
    Visibility::Public(<syn::Token![pub]>::default())
}

impl<S> Item<S> {
    /// The files beside the source that it was read from, such as those with weights, in that folder.
    pub(crate) fn files(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let files: &[String] = of_each!(self, declared => &declared.files);
        files.iter().map(|file| folder.join(file))
    }

    /// The same, also read from these files.
    #[cfg(feature = "programs")]
    pub(crate) fn read_from(mut self, files: &[String]) -> Self {
        of_each!(&mut self, declared => declared.files.extend_from_slice(files));
        self
    }

    /// The same from a file, as seen from one that names it.
    #[cfg(feature = "networks")]
    pub(crate) fn in_file(mut self, file: &str) -> Self {
        let folder = folder_of(Path::new(file));
        let mut files: Vec<String> = self.files(folder).map(|file| file.to_string_lossy().into_owned()).collect();
        files.push(file.to_owned());
        of_each!(&mut self, declared => declared.files = files);
        self
    }

    /// The doc comment of the function.
    pub(crate) fn doc_comment(&self) -> Vec<Attribute> {
        of_each!(self, declared => declared.doc.as_deref().map(doc_comment).unwrap_or_default())
    }
}

/// The attributes of a doc comment with this text.
///
/// Characters that a source file cannot have in a comment become blanks: control characters, and marks that change the
/// direction of the text, with which a comment can look like code. The words are the same without them, so that there is
/// no need for an error.
fn doc_comment(text: &str) -> Vec<Attribute> {
    let line = |line: &str| match line.trim_end() {
        "" => String::new(),
        line => format!(" {}", line.chars().map(in_a_comment).collect::<String>()),
    };
    let lines = text.trim_end().lines().map(line);
    Attribute::parse_outer.parse2(quote!(#(#[doc = #lines])*)).unwrap_or_default()
}

/// A character as a comment can have it.
fn in_a_comment(character: char) -> char {
    if character.is_control() && character != '\t' || turns(character) { ' ' } else { character }
}

#[cfg(test)]
mod tests {
    use super::doc_comment;
    use quote::quote;

    #[test]
    fn docs_are_lines_without_control_characters() {
        let docs = doc_comment("Blur. \r\n\n  As \u{7}wide\tas\u{202e}3.\n\n");
        assert_eq!(
            quote!(#(#docs)*).to_string(),
            quote!(#[doc = " Blur."] #[doc = ""] #[doc = "   As  wide\tas 3."]).to_string()
        );
        assert!(doc_comment("\n").is_empty());
    }
}
