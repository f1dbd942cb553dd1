//! Tests interrupts before any access to an atomic word: requests while the scheduler looks, and looks while a request
//! is made.

extern crate std;

use core::cell::{Cell, RefCell};
use std::boxed::Box;
use std::rc::Rc;
use std::thread_local;

use super::Requests;

thread_local! {
    static HANDLER: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
}

/// Runs the handler, if there is one and it is not already running.
pub(super) fn interrupt() {
    if let Some(mut handler) = HANDLER.take() {
        handler();
        HANDLER.set(Some(handler));
    }
}

/// Makes requests at times equal to their numbers.
struct Requester {
    requests: Requests<1>,
    made: Cell<u32>,
    served: Cell<u32>,
}

impl Requester {
    fn new() -> Rc<Self> {
        let requester = Self { requests: Requests::new(), made: Cell::new(0), served: Cell::new(0) };
        requester.requests.exists(0);
        Rc::new(requester)
    }

    fn request(&self) {
        self.made.set(self.made.get() + 1);
        self.requests.make(0, self.made.get()).unwrap();
    }

    /// Checks that a batch has the requests after those of the batch before it, and waits since the first of them.
    fn look(&self) {
        let batches = self.requests.of(0);
        if batches.is_requested() {
            let (more, since) = batches.close();
            assert!(more > 0);
            assert_eq!(since, self.served.get() + 1);
            self.served.set(self.served.get() + more);
        }
    }
}

/// Does one thing a few times while the other interrupts it at each of these three accesses; returns the number of
/// accesses.
fn interrupted(work: fn(&Requester), handler: fn(&Requester), at: [u32; 3]) -> u32 {
    let requester = Requester::new();
    requester.request();
    let steps = Rc::new(Cell::new(0));
    let of_handler = (Rc::clone(&requester), Rc::clone(&steps));
    HANDLER.set(Some(Box::new(move || {
        let (requester, steps) = &of_handler;
        at.iter().filter(|&&at| at == steps.get()).for_each(|_| handler(requester));
        steps.set(steps.get() + 1);
    })));
    (0..3).for_each(|_| work(&requester));
    HANDLER.set(None);
    // The last request may have seen the batch open that followed the one before it.
    (0..2).for_each(|_| requester.look());
    assert_eq!(requester.served, requester.made, "{at:?}");
    steps.get()
}

#[test]
fn batches_have_all_requests_and_the_time_of_the_first() {
    for (work, handler) in [
        (Requester::look as fn(&Requester), Requester::request as fn(&Requester)),
        (Requester::request, Requester::look),
    ] {
        let most = interrupted(work, handler, [0; 3]).max(interrupted(work, handler, [u32::MAX; 3])) + 10;
        assert!(most > 20, "{most}");
        for first in 0..most {
            for second in first..most {
                for third in second..most {
                    interrupted(work, handler, [first, second, third]);
                }
            }
        }
    }
}
