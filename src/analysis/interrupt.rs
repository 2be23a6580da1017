//! Ctrl-C for commands that think: the first one ends the thinking, the second one the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::search::limits::Control;

/// The exit code of a program that an interrupt ended.
pub const INTERRUPTED: u8 = 130;

/// What an interrupt says to.
#[derive(Clone, Debug)]
pub struct Interrupt {
    /// Stopped by the first interrupt.
    pub control: Arc<Control>,
}

impl Interrupt {
    /// From now on an interrupt stops the control. To be called once in a program.
    ///
    /// # Errors
    /// If the system does not let us know.
    pub fn listen() -> anyhow::Result<Self> {
        let control = Arc::new(Control::new(false));
        let (theirs, again) = (Arc::clone(&control), AtomicBool::new(false));
        ctrlc::set_handler(move || {
            if again.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED.into());
            }
            theirs.stop();
        })
        .context("interrupts cannot be heard")?;
        Ok(Self { control })
    }

    /// Has there been one?
    pub fn came(&self) -> bool {
        self.control.is_stopped()
    }
}
