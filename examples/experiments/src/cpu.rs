//! CPU time, in seconds.

#[cfg(unix)]
mod counted {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::{TimeVal, TimeValLike as _};

    /// That of all processes that were started and have ended.
    pub(crate) fn of_children() -> f64 {
        of(UsageWho::RUSAGE_CHILDREN)
    }

    /// That of this process.
    pub(crate) fn of_this() -> f64 {
        of(UsageWho::RUSAGE_SELF)
    }

    fn of(who: UsageWho) -> f64 {
        let seconds = |time: TimeVal| {
            let micros = u32::try_from(time.num_microseconds() % 1_000_000).unwrap_or_default();
            f64::from(u32::try_from(time.num_seconds()).unwrap_or(u32::MAX)) + f64::from(micros) / 1e6
        };
        getrusage(who).map_or(0.0, |usage| seconds(usage.user_time()) + seconds(usage.system_time()))
    }
}

/// A clock: what runs on one thread takes about as much CPU time where nothing else runs.
#[cfg(not(unix))]
mod counted {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub(crate) fn of_children() -> f64 {
        START.elapsed().as_secs_f64()
    }

    pub(crate) fn of_this() -> f64 {
        START.elapsed().as_secs_f64()
    }
}

pub(crate) use counted::{of_children, of_this};
