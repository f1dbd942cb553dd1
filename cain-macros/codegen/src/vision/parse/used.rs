//! `use gauss, sobel from "filters.toml";`

use syn::parse::ParseStream;
use syn::{LitStr, Token};

use super::tokens::{expected, name, semicolon, word};
use crate::vision::tree::{Name, Use};

const FILE: &str =
    "the path of a kernel file, as in `use \"filters.toml\";` or `use gauss, sobel from \"filters.toml\";`";

/// What a text uses of a kernel file.
pub(super) fn used(input: ParseStream<'_>) -> syn::Result<Use> {
    input.parse::<Token![use]>()?;
    let mut names = Vec::new();
    if !input.peek(LitStr) {
        names.push(name(input, FILE)?);
        while input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            names.push(name(input, "the name of a filter or network of the kernel file")?);
        }
        word(input, "from").map_err(|_| expected(input, &format!("`,`, or `from` and {FILE}")))?;
    }
    let is_path = input.fork().parse::<LitStr>().is_ok_and(|file| !file.value().is_empty());
    if !is_path {
        return Err(expected(input, FILE));
    }
    let file: LitStr = input.parse()?;
    semicolon(input, "the path")?;
    Ok(Use { file: Name { value: file.value(), at: file.span() }, names })
}
