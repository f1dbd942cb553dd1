//! Fractal noise that is the same everywhere: integers are hashed, and lattice values interpolated.

/// Noise in 0 to 1 with details of about one unit, smooth in between.
pub(crate) fn smooth(x: f32, y: f32, seed: u32) -> f32 {
    let (cell_x, cell_y) = (x.floor(), y.floor());
    let (u, v) = (fade(x - cell_x), fade(y - cell_y));
    let lattice = |dx: f32, dy: f32| hash(cell_x + dx, cell_y + dy, seed);
    let north = mix(lattice(0.0, 0.0), lattice(1.0, 0.0), u);
    let south = mix(lattice(0.0, 1.0), lattice(1.0, 1.0), u);
    mix(north, south, v)
}

/// Noise in 0 to 1 that is rough at every scale from one unit down, halved in size and strength `octaves` times.
pub(crate) fn fractal(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut strength, mut scale, mut total) = (0.0, 1.0, 1.0, 0.0);
    for octave in 0..octaves {
        sum += strength * smooth(x * scale, y * scale, seed + octave);
        total += strength;
        strength *= 0.5;
        scale *= 2.0;
    }
    sum / total
}

/// A value in 0 to 1 for a lattice point.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
pub(crate) fn hash(x: f32, y: f32, seed: u32) -> f32 {
    let mut bits = (x as i32 as u32).wrapping_mul(0x9E37_79B1) ^ (y as i32 as u32).wrapping_mul(0x85EB_CA77);
    bits = (bits ^ seed.wrapping_mul(0xC2B2_AE3D)).wrapping_mul(0x27D4_EB2F);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
    (bits >> 8) as f32 / (1 << 24) as f32
}

/// From `a` at 0 to `b` at 1.
pub(crate) fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}

fn fade(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}
