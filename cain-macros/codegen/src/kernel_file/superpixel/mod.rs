//! Filters over super-pixels: numbers whose bits are spread over blocks of PEs.

mod fields;

use super::exact::{Places, SuperPixelFilter};
use super::notation::Mark;
use super::table::FilterTable;
use crate::diagnostic::Positions;
use crate::errors::Errors;
use crate::lower;

pub(crate) use fields::super_pixel;

/// Checks the table of a filter over super-pixels.
pub(super) fn check(
    table: FilterTable,
    positions: &mut Positions<'_>,
    errors: &mut Errors<Mark>,
) -> Option<SuperPixelFilter> {
    let FilterTable { header, body, doc } = table;
    let declaration = lower::superpixel::declaration(&header, &body, errors)?;
    let super_pixel = body.super_pixel.as_ref()?;
    Some(SuperPixelFilter {
        declaration,
        doc,
        places: Places {
            name: positions.of(header.name.at.0),
            bits: positions.of(super_pixel.at.0),
            nodes: body.search.nodes.as_ref().map(|nodes| positions.of(nodes.at.0)),
        },
    })
}
