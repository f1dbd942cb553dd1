//! Line plots as SVG.

use std::error::Error;
use std::iter;

use plotters::chart::{ChartBuilder, ChartContext, SeriesLabelPosition};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, IntoDrawingArea as _};
use plotters::element::{Circle, EmptyElement, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::{DashedLineSeries, LineSeries, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontDesc, FontFamily, FontStyle, RGBColor, ShapeStyle, TextStyle, WHITE};

use crate::scale::Scale;

// Two colours that colour-blind people can distinguish (Okabe and Ito), and greys.
pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(crate) const ORANGE: RGBColor = RGBColor(213, 94, 0);
const INK: RGBColor = RGBColor(34, 34, 34);
const PALE_INK: RGBColor = RGBColor(96, 96, 96);
const GRID: RGBColor = RGBColor(226, 226, 226);

// The size in pixels; the plot is large because coordinates are whole pixels.
const SIZE: (u32, u32) = (1200, 780);
const MARGIN: i32 = 32;
const HEAD: u32 = 104;
const FOOT: u32 = 44;
const MARKER: i32 = 6;
const SWATCH: i32 = 36;

/// A plot of program lengths.
pub(crate) struct Figure {
    pub(crate) title: &'static str,
    pub(crate) subtitle: String,
    pub(crate) x: Scale,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    /// The series, the lowest first.
    pub(crate) series: Vec<Series>,
    /// A remark on the figures.
    pub(crate) note: Option<&'static str>,
}

/// A line with a marker and a label at each point.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    pub(crate) colour: RGBColor,
    /// Whether the figures are from elsewhere: drawn dashed, with another marker.
    pub(crate) is_reference: bool,
    pub(crate) points: Vec<Point>,
}

#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The quartiles.
    pub(crate) spread: Option<(f64, f64)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Scale, Scale>>;
type Drawn = Result<(), Box<dyn Error + Send + Sync>>;

/// The plot as the text of an SVG file.
pub(crate) fn svg(figure: &Figure) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut text = String::new();
    draw(figure, &SVGBackend::with_string(&mut text, SIZE).into_drawing_area())?;
    Ok(text)
}

fn draw(figure: &Figure, root: &Area<'_>) -> Drawn {
    root.fill(&WHITE)?;
    let (head, rest) = root.split_vertically(HEAD);
    let (body, foot) = rest.split_vertically(SIZE.1 - HEAD - FOOT);
    write(&head, figure.title, 26, &font(30, FontStyle::Bold, INK))?;
    write(&head, &figure.subtitle, 66, &plain(19, PALE_INK))?;
    if let Some(note) = figure.note {
        write(&foot, note, 8, &plain(15, PALE_INK))?;
    }

    let spreads = || points(figure).filter_map(|point| point.spread);
    let ends = points(figure).map(|point| point.y).chain(spreads().flat_map(|(lower, upper)| [lower, upper]));
    let y = Scale::of_lengths(ends);
    let mut chart = ChartBuilder::on(&body)
        .margin_left(MARGIN - 20)
        .margin_right(MARGIN)
        .x_label_area_size(64)
        .y_label_area_size(84)
        .build_cartesian_2d(figure.x.clone(), y)?;
    draw_axes(figure, &mut chart)?;
    for series in &figure.series {
        draw_spread(series, &mut chart)?;
    }
    for series in &figure.series {
        draw_line(series, &mut chart)?;
    }
    for (i, series) in figure.series.iter().enumerate() {
        // Between two lines there may be too little space.
        let is_lowest = i == 0 && figure.series.len() > 1;
        draw_values(series, is_lowest, &mut chart)?;
    }
    draw_legend(figure, &mut chart)?;
    root.present()?;
    Ok(())
}

fn points(figure: &Figure) -> impl Iterator<Item = &Point> + Clone {
    figure.series.iter().flat_map(|series| &series.points)
}

fn write(area: &Area<'_>, text: &str, y: i32, style: &TextStyle<'_>) -> Drawn {
    area.draw(&Text::new(text, (MARGIN, y), style.clone()))?;
    Ok(())
}

fn font(size: u32, style: FontStyle, colour: RGBColor) -> TextStyle<'static> {
    FontDesc::new(FontFamily::SansSerif, size.into(), style).color(&colour)
}

fn plain(size: u32, colour: RGBColor) -> TextStyle<'static> {
    font(size, FontStyle::Normal, colour)
}

fn draw_axes(figure: &Figure, chart: &mut Chart<'_>) -> Drawn {
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .max_light_lines(0)
        .axis_style(PALE_INK)
        .x_desc(figure.x_label)
        .y_desc(figure.y_label)
        .axis_desc_style(plain(22, INK))
        .label_style(plain(20, INK))
        .draw()?;
    Ok(())
}

/// Draws the area between the quartiles.
fn draw_spread(series: &Series, chart: &mut Chart<'_>) -> Drawn {
    let known = || series.points.iter().filter_map(|point| Some((point.x, point.spread?)));
    let lower = known().map(|(x, (lower, _))| (x, lower));
    let upper = known().map(|(x, (_, upper))| (x, upper));
    let outline: Vec<_> = lower.chain(upper.rev()).collect();
    if !outline.is_empty() {
        chart.draw_series([Polygon::new(outline, spread(series.colour))])?;
    }
    Ok(())
}

fn spread(colour: RGBColor) -> ShapeStyle {
    colour.mix(0.16).filled()
}

fn draw_line(series: &Series, chart: &mut Chart<'_>) -> Drawn {
    let places = series.points.iter().map(|point| (point.x, point.y));
    let line = series.colour.stroke_width(3);
    let fill = series.colour.filled();
    if series.is_reference {
        let square = move |x| Rectangle::new([(x - MARKER, -MARKER), (x + MARKER, MARKER)], fill);
        chart.draw_series(DashedLineSeries::new(places.clone(), 10, 8, line))?;
        chart.draw_series(places.map(|place| EmptyElement::at(place) + square(0)))?.label(series.name).legend(
            move |place| {
                let dash = |from, to| PathElement::new([(from, 0), (to, 0)], line);
                EmptyElement::at(place) + dash(0, 10) + square(SWATCH / 2) + dash(SWATCH - 10, SWATCH)
            },
        );
    } else {
        let dot = move |x| Circle::new((x, 0), MARKER, fill);
        chart.draw_series(LineSeries::new(places.clone(), line))?;
        chart.draw_series(places.map(|place| EmptyElement::at(place) + dot(0)))?.label(series.name).legend(
            move |place| EmptyElement::at(place) + PathElement::new([(0, 0), (SWATCH, 0)], line) + dot(SWATCH / 2),
        );
    }
    Ok(())
}

fn draw_values(series: &Series, is_below: bool, chart: &mut Chart<'_>) -> Drawn {
    // The label goes to the side of the point where the line is not.
    let is_left = is_below == is_falling(series);
    let (x, side) = if is_left { (MARKER, HPos::Right) } else { (-MARKER, HPos::Left) };
    let (y, height) = if is_below { (2 * MARKER, VPos::Top) } else { (-2 * MARKER, VPos::Bottom) };
    let style = font(19, FontStyle::Bold, series.colour).pos(Pos::new(side, height));
    let value = |point: &Point| {
        EmptyElement::at((point.x, point.y)) + Text::new(format!("{:.1}", point.y), (x, y), style.clone())
    };
    chart.draw_series(series.points.iter().map(value))?;
    Ok(())
}

fn is_falling(series: &Series) -> bool {
    series.points.first().zip(series.points.last()).is_some_and(|(first, last)| last.y < first.y)
}

/// Draws the legend in the upper corner that the lines avoid.
fn draw_legend(figure: &Figure, chart: &mut Chart<'_>) -> Drawn {
    if points(figure).any(|point| point.spread.is_some()) {
        let swatch = |(x, y)| Rectangle::new([(x, y - 9), (x + SWATCH, y + 9)], spread(PALE_INK));
        chart.draw_series(iter::empty::<Rectangle<(f64, f64)>>())?.label("between the quartiles").legend(swatch);
    }
    let is_falling = figure.series.iter().any(is_falling);
    chart
        .configure_series_labels()
        .position(if is_falling { SeriesLabelPosition::UpperRight } else { SeriesLabelPosition::UpperLeft })
        .legend_area_size(SWATCH + 12)
        .margin(12)
        .background_style(WHITE.mix(0.85))
        .border_style(GRID)
        .label_font(plain(19, INK))
        .draw()?;
    Ok(())
}
