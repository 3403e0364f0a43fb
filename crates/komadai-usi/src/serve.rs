//! The driver of a session over an input and an output stream.

use std::io::{self, BufRead, BufReader, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use komadai_base::clock::Instant;

use crate::handler::{Handler, Waker};
use crate::line_reader::{RawLine, read_line};
use crate::session::Session;

/// Interval between two polls of a handler without a waker.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Interval of empty lines during a long `isready`. ShogiGUI gives up after about 30 s without
/// output. The empty line is the convention of YaneuraOu, which GUIs accept.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Maximum number of lines read ahead.
const LINES_AHEAD: usize = 64;

/// An entry that wakes the loop.
enum Wake {
    Line(RawLine, Instant),
    End,
    Nudge,
}

/// Runs an engine on stdin and stdout until `quit` or the end of the input.
///
/// No other code may write to stdout meanwhile.
///
/// # Errors
///
/// If stdout cannot be written to, for instance because the GUI has ended.
pub fn serve_stdio<H: Handler>(handler: H) -> io::Result<()> {
    serve(handler, BufReader::new(io::stdin()), io::stdout())
}

/// Runs an engine until `quit` or the end of `input`.
///
/// Input is read on a thread of its own, so that `stop` arrives during a search. (The thread may
/// outlive the call, waiting for one more line.) Each line of output is flushed separately.
///
/// Only the first 1 MiB of a longer line is read: a `go` is then answered at once, a position
/// counts as unreadable, and an option is not set.
///
/// At the end of the input, work that ends by itself (`isready`, a search limited by nodes, depth
/// or a time of its own) is finished, so that a script may be piped in. Any other work is stopped.
///
/// # Errors
///
/// If `output` cannot be written to. A read error counts as the end of the input.
pub fn serve<H, R, W>(mut handler: H, input: R, output: W) -> io::Result<()>
where
    H: Handler,
    R: BufRead + Send + 'static,
    W: Write,
{
    let (sender, receiver) = sync_channel(LINES_AHEAD);
    let nudge = sender.clone();
    handler.set_waker(Waker::new(move || {
        // If the channel is full, the loop is awake and polls after each entry anyway.
        let _ = nudge.try_send(Wake::Nudge);
    }));
    thread::Builder::new().name("usi-input".to_owned()).spawn(move || read_all(input, &sender))?;
    run(Session::new(handler), &receiver, Output::new(output), KEEP_ALIVE)
}

/// Sends every line with its time of arrival, until the receiver is gone.
fn read_all(mut input: impl BufRead, sender: &SyncSender<Wake>) {
    loop {
        let (wake, is_last) = match read_line(&mut input) {
            Ok(Some(line)) => (Wake::Line(line, Instant::now()), false),
            Ok(None) | Err(_) => (Wake::End, true),
        };
        if sender.send(wake).is_err() || is_last {
            return;
        }
    }
}

fn run<H: Handler, W: Write>(
    mut session: Session<H>,
    receiver: &Receiver<Wake>,
    mut output: Output<W>,
    keep_alive: Duration,
) -> io::Result<()> {
    while !session.has_quit() {
        match receive(receiver, session.is_busy(), session.due()) {
            Some(Wake::Line(RawLine::Text(line) | RawLine::Unfinished(line), received)) => {
                session.feed_line_at(&line, received);
            }
            Some(Wake::Line(RawLine::TooLong(start), received)) => {
                session.feed_cut_line_at(&start, received);
            }
            Some(Wake::End) => session.close(),
            Some(Wake::Nudge) | None => {}
        }
        for message in session.poll() {
            output.line(&message.to_string())?;
        }
        // Some GUIs require output while the engine prepares.
        if session.is_preparing() && output.last.elapsed() >= keep_alive {
            output.line("")?;
        }
    }
    Ok(())
}

/// Waits for the next entry. During a job the wait is short, and at most until `due`.
fn receive(receiver: &Receiver<Wake>, is_busy: bool, due: Option<Instant>) -> Option<Wake> {
    if !is_busy {
        return Some(receiver.recv().unwrap_or(Wake::End));
    }
    let until_due = due.map(|due| due.saturating_duration_since(Instant::now()));
    // A handler past its due time is polled at the usual interval.
    let until_due = until_due.filter(|time| !time.is_zero());
    let timeout = until_due.map_or(POLL_INTERVAL, |time| time.min(POLL_INTERVAL));
    match receiver.recv_timeout(timeout) {
        Ok(wake) => Some(wake),
        Err(RecvTimeoutError::Timeout) => None,
        // The reader has ended and the handler has dropped its waker. The job continues without
        // input.
        Err(RecvTimeoutError::Disconnected) => {
            thread::sleep(timeout);
            None
        }
    }
}

struct Output<W> {
    output: W,
    /// The time of the last line.
    last: Instant,
}

impl<W: Write> Output<W> {
    fn new(output: W) -> Self {
        Self { output, last: Instant::now() }
    }

    /// Writes a line and flushes it. A GUI would take an engine with buffered output for a dead
    /// one.
    fn line(&mut self, line: &str) -> io::Result<()> {
        self.last = Instant::now();
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::sync::mpsc::Sender;

    use komadai_core::UsiPosition;

    use super::*;
    use crate::handler::{Event, Identity};
    use crate::info::Info;
    use crate::limits::{ClockTimes, GoLimits};
    use crate::message::BestMove;
    use crate::option::{OptionSpec, OptionValue};

    /// Is ready after a few polls; answers a search on another thread, or when stopped.
    #[derive(Default)]
    struct Sketch {
        polls_until_ready: u32,
        events: VecDeque<Event>,
        waker: Option<Waker>,
        answers: Option<Receiver<Event>>,
        stopper: Option<Sender<()>>,
    }

    const ANSWER: Event = Event::BestMove(BestMove::Resign);

    impl Handler for Sketch {
        type Error = std::fmt::Error;

        fn identity(&self) -> Identity {
            Identity { name: "Sketch".into(), author: "nobody".into() }
        }

        fn options(&self) -> Vec<OptionSpec> {
            Vec::new()
        }

        fn set_option(&mut self, _: &str, _: OptionValue) -> Result<(), Self::Error> {
            Ok(())
        }

        fn prepare(&mut self) {
            self.polls_until_ready = 3;
        }

        fn set_position(&mut self, _: &UsiPosition) -> Result<(), Self::Error> {
            Ok(())
        }

        fn go(&mut self, limits: &GoLimits, _: Instant) {
            let (sender, answers) = std::sync::mpsc::channel();
            let (stopper, stopped) = std::sync::mpsc::channel();
            let waits = limits.is_endless();
            let waker = self.waker.clone();
            thread::spawn(move || {
                if waits {
                    let _ = stopped.recv();
                }
                let _ = sender.send(Event::Info(Info::text("thinking")));
                let _ = sender.send(ANSWER);
                waker.iter().for_each(Waker::wake);
            });
            (self.answers, self.stopper) = (Some(answers), Some(stopper));
        }

        fn stop(&mut self) {
            self.stopper = None;
        }

        fn ponder_hit(&mut self, _: Option<&ClockTimes>, _: Instant) {}

        fn poll(&mut self) -> Option<Event> {
            if self.polls_until_ready > 0 {
                self.polls_until_ready -= 1;
                if self.polls_until_ready == 0 {
                    self.events.push_back(Event::Ready);
                }
                return None;
            }
            self.events.pop_front().or_else(|| self.answers.as_ref()?.try_recv().ok())
        }

        fn set_waker(&mut self, waker: Waker) {
            self.waker = Some(waker);
        }
    }

    /// A writer that records its content and the flushed part of it at each write.
    #[derive(Default)]
    struct Watched {
        text: Vec<u8>,
        flushed: usize,
        unflushed_lines: usize,
    }

    impl Write for Watched {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.unflushed_lines += usize::from(self.flushed < self.text.len());
            self.text.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.flushed = self.text.len();
            Ok(())
        }
    }

    fn answers(script: &'static str) -> String {
        let mut output = Watched::default();
        serve(Sketch::default(), script.as_bytes(), &mut output).expect("memory can be written");
        assert_eq!((output.unflushed_lines, output.flushed), (0, output.text.len()));
        String::from_utf8(output.text).expect("USI is text")
    }

    #[test]
    fn a_script_is_answered_to_its_end() {
        let script = "usi\r\nisready\r\nposition startpos\r\ngo nodes 5\r\n";
        let about = "id name Sketch\nid author nobody\nusiok\n";
        let rest = "readyok\ninfo string thinking\nbestmove resign\n";
        assert_eq!(answers(script), format!("{about}{rest}"));
    }

    #[test]
    fn an_endless_search_ends_with_the_input() {
        let expected = "info string thinking\nbestmove resign\n";
        assert_eq!(answers("go infinite"), expected);
        assert_eq!(answers("go ponder\n"), expected);
    }

    #[test]
    fn nothing_is_said_after_quit() {
        assert_eq!(answers("isready\nquit\nusi\n"), "");
        assert_eq!(answers("go infinite\nquit\n"), "");
        assert_eq!(answers(""), "");
    }

    #[test]
    fn stop_is_heard_during_a_search() {
        // Without it, the input's end could be what stops the search.
        let (sender, receiver) = sync_channel(8);
        for line in ["go infinite", "stop", "isready"] {
            let line = RawLine::Text(line.to_owned());
            sender.send(Wake::Line(line, Instant::now())).expect("the receiver lives");
        }
        let mut output = Watched::default();
        // Quits when `readyok` has come, which `stop` alone makes possible.
        let mut session = Session::new(Sketch::default());
        while !String::from_utf8_lossy(&output.text).contains("readyok") {
            if let Some(Wake::Line(RawLine::Text(line), at)) = receive(&receiver, true, None) {
                session.feed_line_at(&line, at);
            }
            for message in session.poll() {
                writeln!(output, "{message}").expect("memory can be written");
            }
        }
        let text = String::from_utf8(output.text).expect("USI is text");
        assert_eq!(text, "info string thinking\nbestmove resign\nreadyok\n");
    }

    #[test]
    fn a_silent_preparation_shows_signs_of_life() {
        let (sender, receiver) = sync_channel(8);
        let line = RawLine::Text("isready".to_owned());
        sender.send(Wake::Line(line, Instant::now())).expect("the receiver lives");
        sender.send(Wake::End).expect("the receiver lives");
        let mut text = Vec::new();
        let session = Session::new(Sketch::default());
        run(session, &receiver, Output::new(&mut text), Duration::ZERO)
            .expect("memory can be written");
        let text = String::from_utf8(text).expect("USI is text");
        assert!(text.starts_with('\n') && text.ends_with("\nreadyok\n"), "{text:?}");
    }

    #[test]
    fn a_gui_that_is_gone_ends_the_conversation() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = serve(Sketch::default(), &b"usi\n"[..], Closed).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }

    #[test]
    fn garbage_is_survived() {
        let mut script = vec![b'x'; 3 << 20];
        script.extend_from_slice(b"\n\xff\xfe\0\n\n   \nusi\n");
        let mut output = Vec::new();
        serve(Sketch::default(), io::Cursor::new(script), &mut output).expect("memory");
        let text = String::from_utf8(output).expect("USI is text");
        assert!(text.starts_with("info string Error! : a line of more than 1 MiB"), "{text}");
        assert!(text.ends_with("usiok\n"), "{text}");
    }

    fn replies(script: String) -> Vec<String> {
        let mut output = Vec::new();
        serve(Sketch::default(), io::Cursor::new(script), &mut output).expect("memory");
        let text = String::from_utf8(output).expect("USI is text");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_position_too_long_to_be_read_does_not_leave_the_one_before() {
        let moves = " 7g7f 3c3d".repeat(120_000);
        let no_position = [
            "info string Error! : position: a line of more than 1 MiB",
            "info string Error! : no position to think about: a line of more than 1 MiB",
            "bestmove resign",
        ];
        for position in ["position startpos moves", "  startpos moves", "position sfen 9/9"] {
            let script = format!("position startpos\nisready\n{position}{moves}\ngo nodes 5\n");
            let said = replies(script);
            assert_eq!(said, [&["readyok"], &no_position[..]].concat(), "{position}");
        }
        let script =
            format!("isready\nposition startpos moves{moves}\nposition startpos\ngo nodes 5\n");
        // The first may be replaced before it is executed.
        assert_eq!(replies(script).last().map(String::as_str), Some("bestmove resign"));
    }

    #[test]
    fn a_command_too_long_to_be_read_is_obeyed_as_far_as_it_can_be() {
        let cut = "info string Error! : a line of more than 1 MiB, cut";
        let ignored = "info string Error! : a line of more than 1 MiB, ignored";
        let moves = " 7g7f 3c3d".repeat(120_000);
        // It has no limit but the one that was added, so that it ends by itself.
        let said = replies(format!("go searchmoves{moves}\n"));
        assert_eq!(said, [cut, "info string thinking", "bestmove resign"]);
        assert_eq!(replies(format!("isready{moves}\n")), [cut, "readyok"]);
        assert_eq!(replies(format!("setoption name A value{moves}\n")), [ignored]);
        assert_eq!(replies(" ".repeat(2 << 20)), [ignored]);
    }

    #[test]
    fn thousands_of_commands_ahead_are_answered() {
        let searches = "go depth 1\n".repeat(6_000);
        let options = "setoption name USI_Hash value 1\n".repeat(6_000);
        let script = format!("go infinite\n{options}{searches}");
        let said = replies(script);
        let answers = said.iter().filter(|line| *line == "bestmove resign").count();
        assert_eq!((answers, said.len()), (6_001, 12_002));
    }
}
