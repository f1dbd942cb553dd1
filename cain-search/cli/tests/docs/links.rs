//! Tests that the links between pages have a target.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use crate::{PAGES, root};

/// The anchors of a page's headings, and the targets of its links and pictures.
#[derive(Default)]
struct Outline {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

fn outline(page: &str) -> Outline {
    let mut outline = Outline::default();
    let mut heading: Option<String> = None;
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => outline.anchors.extend(heading.take().map(|text| anchor(&text))),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                outline.links.push(dest_url.into_string());
            }
            _ => {}
        }
    }
    outline
}

/// The anchor that repository hosts make of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn no_link_is_dead() {
    let outlines: BTreeMap<PathBuf, Outline> = PAGES
        .iter()
        .map(|page| (root().join(page).canonicalize().unwrap(), root().join(page)))
        .map(|(key, page)| (key, outline(&fs::read_to_string(page).unwrap())))
        .collect();
    let is_dead = |page: &Path, link: &str| {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { page.to_owned() } else { page.with_file_name(path) };
        let Ok(target) = target.canonicalize() else { return true };
        !anchor.is_empty() && !outlines.get(&target).is_some_and(|outline| outline.anchors.contains(anchor))
    };
    let mut dead = Vec::new();
    for (page, Outline { links, .. }) in &outlines {
        let local = links.iter().filter(|link| !link.contains("://"));
        dead.extend(local.filter(|link| is_dead(page, link)).map(|link| format!("{}: {link}", page.display())));
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}
