//! Sums over blocks of PEs.

use super::planes::{pictures, plane};
use super::run::Run;

#[test]
fn directions() {
    let mut run = Run::of("directions", "directions");
    let pictures = pictures(50, 3);
    let mut last = &pictures[0];
    for picture in &pictures {
        let answers = run.frame(picture, &[]);
        for (k, (y, x)) in [(-1, 0), (0, 1), (1, 0), (0, -1)].into_iter().enumerate() {
            let misfit =
                |row: i64, column: i64| Some((last.get(row + y, column + x)? - picture.get(row, column)?).abs());
            let sum = plane(|row, column| {
                let places = (0..4).flat_map(|y| (0..4).map(move |x| (y, x)));
                places.map(|(y, x)| misfit(row + y, column + x)).sum::<Option<f64>>().map(|sum| sum / 16.0)
            });
            answers.has_levels(&format!("misfits.{k}"), &sum);
        }
        last = picture;
    }
}
