//! Declarations of one file that would have the same name.

use std::collections::BTreeMap;

use super::Item;

/// The names so far, and what has them.
#[derive(Debug, Default)]
pub struct SameNames(BTreeMap<String, Owner>);

/// What has a name.
#[derive(Debug)]
struct Owner {
    what: &'static str,
    name: String,
    /// Whether it is the name of its Rust type.
    is_type: bool,
}

impl SameNames {
    /// Adds the names of a declaration, with that of its type, if it has one and Rust is generated; what is said if something before
    /// has one of them, which is `equal` where both are simply called like that.
    pub fn add(&mut self, item: &Item, in_rust: bool, equal: &str) -> Option<String> {
        let (what, name) = (item.what(), item.name());
        // One that is called like its type is refused where that is generated.
        let kind = item.type_name().filter(|kind| in_rust && kind != name).map(|kind| (kind, true));
        let mut clash = None;
        for (taken, is_type) in kind.into_iter().chain([(name.to_owned(), false)]) {
            let owner = Owner { what, name: name.to_owned(), is_type };
            let Some(first) = self.0.insert(taken.clone(), owner) else { continue };
            let before = format!("{} `{}`", first.what, first.name);
            clash = Some(match (is_type, first.is_type) {
                (false, false) => equal.to_owned(),
                (true, true) => format!("its Rust type would be `{taken}`, as that of {before}; rename one"),
                (true, false) => format!("its Rust type would be `{taken}`, the name of {before}; rename one"),
                (false, true) => format!("this would be the Rust type of {before}, too; rename one"),
            });
        }
        clash
    }
}
