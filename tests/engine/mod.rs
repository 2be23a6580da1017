//! The built program over pipes, as a front end sees it.

#![allow(dead_code)] // Each test file uses its part.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::rc::{Rc, Weak};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes, on a busy machine too.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub const START: &str = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 d";

/// Engines that compete for the processor and a test that measures time exclude each other.
static PROCESSOR: RwLock<()> = RwLock::new(());

type Share = RwLockReadGuard<'static, ()>;

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(false) };
    /// What the engines of one test hold together: a second lock behind a waiting writer would
    /// wait for ever.
    static SHARE: RefCell<Weak<Share>> = const { RefCell::new(Weak::new()) };
}

fn share() -> Option<Rc<Share>> {
    if ALONE.get() {
        return None;
    }
    let share = SHARE.with_borrow(Weak::upgrade);
    Some(share.unwrap_or_else(|| {
        let share = Rc::new(PROCESSOR.read().unwrap_or_else(PoisonError::into_inner));
        SHARE.set(Rc::downgrade(&share));
        share
    }))
}

/// While this lives, no other test of the file has an engine running.
pub struct Alone {
    _guard: RwLockWriteGuard<'static, ()>,
}

impl Alone {
    pub fn wait() -> Self {
        let _guard = PROCESSOR.write().unwrap_or_else(PoisonError::into_inner);
        ALONE.set(true);
        Self { _guard }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        ALONE.set(false);
    }
}

/// A running engine.
pub struct Engine {
    _share: Option<Rc<Share>>,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Everything said so far, for the message of a failed test.
    transcript: Vec<String>,
}

impl Engine {
    /// The protocol loop.
    pub fn start() -> Self {
        Self::with_arguments(&[])
    }

    pub fn with_arguments(arguments: &[&str]) -> Self {
        let _share = share();
        let mut child = Command::new(env!("CARGO_BIN_EXE_konakis"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { _share, child, input, lines, transcript: Vec::new() }
    }

    /// With a rule set and a FEN (or `startpos`).
    pub fn at(variant: &str, fen: &str) -> Self {
        let mut engine = Self::start();
        engine.send(&format!("setoption name UCI_Variant value {variant}"));
        engine.position(fen);
        engine
    }

    pub fn position(&mut self, fen: &str) {
        match fen {
            "startpos" => self.send("position startpos"),
            fen => self.send(&format!("position fen {fen}")),
        }
    }

    /// Sends a line, or several.
    pub fn send(&mut self, text: &str) {
        self.transcript.extend(text.lines().map(|line| format!("> {line}")));
        self.send_raw(format!("{text}\n").as_bytes());
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// The next line, if there is one within the time.
    pub fn next(&mut self, within: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(within).ok()?;
        self.transcript.push(format!("< {line}"));
        Some(line)
    }

    /// The lines up to and including the first that begins with `prefix`.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        self.until_within(prefix, PATIENCE)
    }

    pub fn until_within(&mut self, prefix: &str, within: Duration) -> Vec<String> {
        let deadline = Instant::now() + within;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.next(left) {
                Some(line) => {
                    let found = line.starts_with(prefix);
                    lines.push(line);
                    if found {
                        return lines;
                    }
                }
                None => self.fail(&format!("no line '{prefix}…' within {within:?}")),
            }
        }
    }

    /// The line that begins with `prefix`, whatever comes before it.
    pub fn line(&mut self, prefix: &str) -> String {
        self.until(prefix).pop().unwrap_or_default()
    }

    /// The answer to a query, without the word `response`.
    pub fn query(&mut self, what: &str) -> String {
        self.send(&format!("query {what}"));
        self.line("response ").trim_start_matches("response ").to_owned()
    }

    /// Searches and returns the answer.
    pub fn go(&mut self, limits: &str) -> Answer {
        self.send(&format!("go {limits}"));
        self.answer()
    }

    pub fn answer(&mut self) -> Answer {
        let mut lines = self.until("bestmove");
        let best = lines.pop().unwrap_or_default();
        Answer { infos: lines.into_iter().filter(|line| is_report(line)).collect(), best }
    }

    /// Asserts that nothing is said for a while.
    pub fn silent_for(&mut self, while_: Duration) {
        if let Some(line) = self.next(while_) {
            self.fail(&format!("unexpected: {line}"));
        }
    }

    /// Asserts that nothing but reports of a running search is said, and returns them.
    pub fn only_reports_for(&mut self, while_: Duration) -> Vec<String> {
        let deadline = Instant::now() + while_;
        let mut reports = Vec::new();
        while let Some(line) = self.next(deadline.saturating_duration_since(Instant::now())) {
            if !is_report(&line) {
                self.fail(&format!("unexpected: {line}"));
            }
            reports.push(line);
        }
        reports
    }

    /// Asserts that the engine is idle and has said nothing more before `readyok`.
    pub fn sync(&mut self) {
        self.send("isready");
        let lines = self.until("readyok");
        if lines.len() != 1 {
            self.fail("said something before readyok");
        }
    }

    /// Closes the input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Everything said until the output is closed.
    pub fn rest(&mut self) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => self.fail("the output stays open"),
            }
        }
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self, within: Duration) -> ExitStatus {
        let deadline = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            if Instant::now() > deadline {
                self.fail(&format!("still running after {within:?}"));
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// The processor time used so far (Linux only), in clock ticks of 10 ms.
    pub fn processor_ticks(&self) -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
    }

    pub fn fail(&self, what: &str) -> ! {
        panic!("{what}\n{}", self.transcript.join("\n"));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_report(line: &str) -> bool {
    line.starts_with("info depth")
}

/// What a search said.
#[derive(Debug)]
pub struct Answer {
    pub infos: Vec<String>,
    pub best: String,
}

impl Answer {
    /// The move.
    pub fn mv(&self) -> &str {
        self.best.split(' ').nth(1).unwrap_or("")
    }

    pub fn last(&self) -> &str {
        self.infos.last().map_or("", String::as_str)
    }

    /// The nodes of the last report.
    pub fn nodes(&self) -> u64 {
        number(self.last(), "nodes")
    }

    /// Such as `cp 3` or `mate -2`.
    pub fn score(&self) -> String {
        score(self.last())
    }
}

/// The number after a word of a report.
pub fn number(line: &str, word: &str) -> u64 {
    let value = line.split(' ').skip_while(|other| *other != word).nth(1);
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {word} in: {line}"))
}

pub fn score(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').skip_while(|word| *word != "score").collect();
    format!("{} {}", words[1], words[2])
}

/// The moves after `pv`.
pub fn pv(line: &str) -> Vec<String> {
    line.split(' ').skip_while(|word| *word != "pv").skip(1).map(str::to_owned).collect()
}

/// Runs the engine on an input and returns what it says, when it has ended well.
pub fn one_shot(input: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_raw(input.as_bytes());
    engine.hang_up();
    let lines = engine.rest();
    assert!(engine.wait(PATIENCE).success());
    lines
}
