//! Walls, trajectories and crashes as a drawing.

use std::fmt::{self, Write as _};

use crate::course::Course;
use crate::drive::Drive;
use crate::geometry::Point;

/// Pixels per metre, and metres around the walls.
const SCALE: f64 = 60.0;
const MARGIN: f64 = 0.5;
/// The colours of the trajectories, which can be distinguished in print too (Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#009e73", "#e69f00", "#d55e00"];

/// An SVG drawing of drives with their names; a cross marks a crash.
pub(crate) fn svg(course: &Course, drives: &[(String, &Drive)]) -> Result<String, fmt::Error> {
    let corners = || course.walls.iter().flat_map(|wall| [wall.from, wall.to]);
    let least = |of: fn(Point) -> f64| corners().map(of).fold(f64::INFINITY, f64::min) - MARGIN;
    let (west, south) = (least(|corner| corner.x), least(|corner| corner.y));
    let (east, north) = (-least(|corner| -corner.x), -least(|corner| -corner.y));
    let place = |point: Point| ((point.x - west) * SCALE, (north - point.y) * SCALE);

    let mut text = String::new();
    writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" font-family=\"sans-serif\" font-size=\"16\">",
        (east - west) * SCALE,
        (north - south) * SCALE
    )?;
    writeln!(text, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>")?;
    write!(text, "<path stroke=\"black\" stroke-width=\"3\" d=\"")?;
    for wall in &course.walls {
        let ((x, y), (to_x, to_y)) = (place(wall.from), place(wall.to));
        write!(text, "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}")?;
    }
    writeln!(text, "\"/>")?;
    let middle = ((east - west) * SCALE / 2.0, (north - south) * SCALE / 2.0);
    for (i, (name, drive)) in drives.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        write!(text, "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"")?;
        for (x, y) in drive.path.iter().map(|point| place(*point)) {
            write!(text, "{x:.1},{y:.1} ")?;
        }
        writeln!(text, "\"/>")?;
        for (x, y) in drive.crashes.iter().map(|point| place(*point)) {
            writeln!(
                text,
                "<path stroke=\"{colour}\" stroke-width=\"4\" d=\"M{x:.1} {y:.1}m-8-8l16 16m0-16l-16 16\"/>"
            )?;
        }
        let down = f64::from(u8::try_from(i).unwrap_or(u8::MAX)) * 24.0 - 36.0;
        let (x, y) = (middle.0, middle.1 + down);
        writeln!(text, "<text x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"middle\" fill=\"{colour}\">{name}</text>")?;
    }
    writeln!(text, "</svg>")?;
    Ok(text)
}
