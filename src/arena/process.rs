//! [`Process`]: an engine as a child process, its pipes served by threads of their own.
//!
//! One thread reads each pipe and one writes, so that an engine which does not read, does not
//! write or writes without end can block nobody but itself: lines are cut at a length, the queue
//! of unread ones is short (the engine then waits at its pipe), and what arrives during one
//! question is counted.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::player::{Failure, Fault, FaultKind};
use super::spec::{EngineSpec, Program, Protocol};
use super::spec_text::split_words;

/// The longest line that is kept, in bytes; the rest is dropped.
const MAX_LINE: usize = 16 * 1024;
/// The most output that may arrive between two questions, in bytes.
const MAX_OUTPUT: usize = 16 * 1024 * 1024;
/// Lines that wait to be read.
const QUEUE: usize = 512;
/// Lines of the conversation that are kept.
const KEPT_LINES: usize = 16;
/// Characters of a line that are kept there.
const KEPT_CHARS: usize = 300;
/// How often a waiting arena looks whether the game is called off.
const CANCEL_POLL: Duration = Duration::from_millis(50);
/// How long an engine may take to leave after `quit`.
const QUIT_TIME: Duration = Duration::from_millis(500);

/// The process groups of the engines that run, for an arena that leaves at once.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Ends every engine and whatever it has started, without a word. None may be started any more.
pub fn kill_all() {
    // The lock is kept: who wants to start or end an engine now waits for the end of the program.
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    groups.iter().for_each(|group| kill_group(*group));
    std::mem::forget(groups);
}

/// Ends a process group; one that is gone already is none to end.
fn kill_group(group: u32) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        if let Ok(group) = i32::try_from(group) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
    #[cfg(not(unix))]
    let _ = group;
}

/// An engine's process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<Sender<String>>,
    output: Receiver<Event>,
    /// Bytes received since the last question.
    received: usize,
    conversation: Conversation,
    cancel: Arc<AtomicBool>,
    /// The last line to the engine.
    farewell: &'static str,
}

/// A line that an engine said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Without its end.
    pub text: String,
    /// When it arrived.
    pub at: Instant,
}

#[derive(Debug)]
enum Event {
    Line(Line),
    /// So many bytes have been dropped from a line without end.
    Dropped(usize),
}

impl Process {
    /// Starts the program of a spec. Waiting for it ends early when `cancel` becomes true.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(spec: &EngineSpec, cancel: &Arc<AtomicBool>) -> Result<Self, Fault> {
        let failed = |error: String| FaultKind::StartFailed.because(error);
        let mut command = command(spec).map_err(failed)?;
        let shown = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut child = command
            .spawn()
            .map_err(|error| failed(format!("'{shown}' cannot be started: {error}")))?;
        groups.insert(child.id());
        drop(groups);
        let conversation = Conversation::default();
        let (input, lines) = mpsc::channel::<String>();
        let (events, output) = mpsc::sync_channel(QUEUE);
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                // An engine that has closed its input will be found out by its silence.
                for line in lines {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            let heard = conversation.clone();
            thread::spawn(move || read_lines(stdout, &heard, '<', Some(&events)));
        }
        if let Some(stderr) = child.stderr.take() {
            let heard = conversation.clone();
            thread::spawn(move || read_lines(stderr, &heard, '!', None));
        }
        let cancel = Arc::clone(cancel);
        Ok(Self {
            child,
            input: Some(input),
            output,
            received: 0,
            conversation,
            cancel,
            farewell: "quit",
        })
    }

    /// What to say at the end, if not `quit`.
    pub fn farewell(&mut self, line: &'static str) {
        self.farewell = line;
    }

    /// Says a line to the engine.
    pub fn send(&mut self, line: &str) {
        self.conversation.add('>', line);
        self.received = 0;
        if let Some(input) = &self.input {
            // The writer may have ended with the engine; the next wait finds that out.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// The next line; `None` if none comes before `deadline`.
    ///
    /// # Errors
    /// If the engine has ended, closed its output or floods it, or the game was called off.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<Line>, Failure> {
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(Failure::Cancelled);
            }
            let wait = deadline.saturating_duration_since(Instant::now());
            let bytes = match self.output.recv_timeout(wait.min(CANCEL_POLL)) {
                Ok(Event::Line(line)) => {
                    self.received += line.text.len() + 1;
                    if self.received <= MAX_OUTPUT {
                        return Ok(Some(line));
                    }
                    0
                }
                Ok(Event::Dropped(bytes)) => bytes,
                Err(RecvTimeoutError::Timeout) if wait > CANCEL_POLL => 0,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended().into()),
            };
            self.received += bytes;
            if self.received > MAX_OUTPUT {
                let sentence = format!("more than {MAX_OUTPUT} bytes of output without an answer");
                return Err(FaultKind::Flood.because(sentence).into());
            }
        }
    }

    /// The first line that `wanted` accepts; `None` if it does not come within `patience`.
    ///
    /// # Errors
    /// As [`Process::receive`].
    pub fn wait_for(
        &mut self,
        patience: Duration,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> Result<Option<Line>, Failure> {
        let deadline = Instant::now() + patience;
        while let Some(line) = self.receive(deadline)? {
            if wanted(line.text.trim()) {
                return Ok(Some(line));
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Ok(None)
    }

    /// The last lines, oldest first: `> ` to the engine, `< ` from it, `! ` its error output.
    pub fn conversation(&self) -> Vec<String> {
        self.conversation.lines()
    }

    /// What has become of an engine whose output has ended.
    fn ended(&mut self) -> Fault {
        // The end of the pipe is often seen before the end of the process.
        match wait(&mut self.child, Duration::from_millis(300)) {
            Some(status) => FaultKind::Crash.because(format!("the process ended ({status})")),
            None => FaultKind::Disconnected.because("the process closed its output"),
        }
    }

    /// Closes the engine's input: the end of the conversation.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// The exit status, if the process ends within `patience`.
    pub fn exit_status(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        wait(&mut self.child, patience)
    }

    /// Ends the process and whatever it has started.
    fn kill(&mut self) {
        let id = self.child.id();
        kill_group(id);
        let _ = self.child.kill();
        let _ = self.child.wait();
        GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send(self.farewell);
        self.input = None;
        wait(&mut self.child, QUIT_TIME);
        self.kill();
    }
}

/// Waits for the end of a process; the standard library has no such wait with a limit.
fn wait(child: &mut Child, patience: Duration) -> Option<std::process::ExitStatus> {
    let deadline = Instant::now() + patience;
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        if Instant::now() >= deadline {
            return None;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// The arguments with which this program speaks a protocol.
fn subcommand(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::Uci | Protocol::Ugi => &[],
        Protocol::Otep => &["otep", "--by-the-text"],
        Protocol::Htp => &["htp"],
    }
}

/// The command that starts a spec's program.
fn command(spec: &EngineSpec) -> Result<Command, String> {
    let (program, mut args) = match &spec.program {
        Program::Konakis => {
            let this = std::env::current_exe()
                .map_err(|error| format!("this program's own path is not known: {error}"))?;
            let words = subcommand(spec.protocol).iter().map(|word| (*word).to_owned());
            (this, words.collect())
        }
        Program::Command(text) => program_and_args(text)?,
        Program::Yardstick(yardstick) => {
            return Err(format!("builtin:{} is no program", yardstick.name()));
        }
    };
    args.extend(spec.args.iter().cloned());
    let mut command = Command::new(located(&program, spec.dir.as_deref()));
    command.args(args);
    if let Some(dir) = &spec.dir {
        if !dir.is_dir() {
            return Err(format!("dir={}: there is no such folder", dir.display()));
        }
        command.current_dir(dir);
    }
    // In a process group of its own an engine does not get the terminal's interrupts.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    Ok(command)
}

/// A file of this name, blanks included, or else a program and its arguments.
fn program_and_args(text: &str) -> Result<(PathBuf, Vec<String>), String> {
    if Path::new(text).is_file() {
        return Ok((PathBuf::from(text), Vec::new()));
    }
    let mut words = split_words(text)?;
    if words.is_empty() {
        return Err("the command is empty".to_owned());
    }
    let program = PathBuf::from(words.remove(0));
    Ok((program, words))
}

/// A relative path counts from here or, if nothing is there, from the engine's folder; a bare name
/// is looked up in `PATH`.
fn located(program: &Path, dir: Option<&Path>) -> PathBuf {
    if program.components().count() < 2 && !program.is_file() {
        let inside = dir.map(|dir| dir.join(program)).filter(|path| path.is_file());
        return inside.and_then(|path| path.canonicalize().ok()).unwrap_or(program.to_owned());
    }
    let there = dir.map(|dir| dir.join(program));
    let found = std::iter::once(program.to_owned()).chain(there).find(|path| path.is_file());
    found.and_then(|path| path.canonicalize().ok()).unwrap_or_else(|| program.to_owned())
}

/// Reads lines until the pipe ends; only as many as are asked for if there are `events`.
fn read_lines(
    pipe: impl Read,
    conversation: &Conversation,
    mark: char,
    events: Option<&SyncSender<Event>>,
) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    let mut dropped = 0;
    loop {
        let chunk = match pipe.fill_buf() {
            Ok([]) => return,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = end.map_or(chunk, |end| chunk.get(..end).unwrap_or(chunk));
        let room = MAX_LINE.saturating_sub(line.len()).min(part.len());
        line.extend(part.iter().take(room));
        dropped += part.len() - room;
        let used = part.len() + usize::from(end.is_some());
        pipe.consume(used);
        let send = |event| events.is_none_or(|events| events.send(event).is_ok());
        if dropped > MAX_LINE && !send(Event::Dropped(std::mem::take(&mut dropped))) {
            return;
        }
        if end.is_some() {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
            line.clear();
            conversation.add(mark, &text);
            if !send(Event::Line(Line { text, at: Instant::now() })) {
                return;
            }
        }
    }
}

/// The last lines of a conversation, shared with the threads that hear it.
#[derive(Clone, Debug, Default)]
struct Conversation(Arc<Mutex<VecDeque<String>>>);

impl Conversation {
    fn add(&self, mark: char, line: &str) {
        let cut = line.chars().take(KEPT_CHARS).map(|c| if c.is_control() { ' ' } else { c });
        let shown = format!("{mark} {}", cut.collect::<String>());
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(shown);
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
