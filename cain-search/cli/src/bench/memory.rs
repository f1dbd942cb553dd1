//! The memory of this process.

use std::fs;

/// Starts measuring the peak anew, if the system can: Linux has done so since 4.0 when 5 is written there.
pub(crate) fn reset_peak() {
    // If this fails, the peak is that of the whole run so far.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory in use at any time, in MiB; unknown on systems other than Linux.
pub(crate) fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes.div_ceil(1024))
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn the_peak_is_known() {
        super::reset_peak();
        assert!(super::peak().is_some_and(|peak| peak > 0));
    }
}
