//! The test bench: an engine that is started as often as the checks need it, and their results.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai_base::clock::Instant;

use crate::conformance::check::Check;
use crate::conformance::dialogue::{Dialogue, Loss, TimedLine};
use crate::conformance::evidence::Evidence;
use crate::conformance::option_syntax;
use crate::conformance::report::{Findings, Outcome};
use crate::conformance::test_limits::TestLimits;
use crate::handler::Identity;
use crate::launch::EngineConfig;
use crate::message::EngineMessage;
use crate::option::{OptionKind, OptionSpec};

/// Number of lost processes after which nothing more is tried.
const MOST_LOSSES: u32 = 3;

/// An engine and the results of its checks.
pub(super) struct Bench<'a> {
    config: &'a EngineConfig,
    pub(super) limits: &'a TestLimits,
    stop: &'a AtomicBool,
    on_check: &'a mut dyn FnMut(Check),
    dialogue: Option<Dialogue<'a>>,
    losses: u32,
    pub(super) findings: Findings,
    pub(super) identity: Identity,
    pub(super) options: Vec<OptionSpec>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        config: &'a EngineConfig,
        limits: &'a TestLimits,
        stop: &'a AtomicBool,
        on_check: &'a mut dyn FnMut(Check),
    ) -> Self {
        Self {
            config,
            limits,
            stop,
            on_check,
            dialogue: None,
            losses: 0,
            findings: Findings::default(),
            identity: Identity::default(),
            options: Vec::new(),
        }
    }

    /// Tells that a check begins.
    pub(super) fn begin(&mut self, check: Check) {
        (self.on_check)(check);
    }

    pub(super) fn pass(&mut self, check: Check, found: Evidence) {
        self.findings.add(check, Outcome::Pass, found);
    }

    pub(super) fn fail(&mut self, check: Check, found: Evidence) {
        self.findings.add(check, Outcome::Fail, found);
    }

    pub(super) fn note(&mut self, check: Check, found: Evidence) {
        self.findings.add(check, Outcome::Note, found);
    }

    pub(super) fn skip(&mut self, check: Check, found: Evidence) {
        self.findings.add(check, Outcome::NotApplicable, found);
    }

    /// The option with this name.
    pub(super) fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.is_named(name))
    }

    /// Returns an engine that is ready: the one that runs, or a new one. `None` if it does not
    /// become ready, or has been lost too often.
    pub(super) fn ready(&mut self) -> Option<&mut Dialogue<'a>> {
        if self.dialogue.is_none() {
            if self.losses >= MOST_LOSSES || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            self.start()?;
        }
        self.dialogue.as_mut()
    }

    /// Ends the engine, so that the next check has a new one.
    pub(super) fn end(&mut self) {
        self.dialogue = None;
    }

    /// Returns whether an engine is running.
    pub(super) fn is_running(&self) -> bool {
        self.dialogue.is_some()
    }

    /// Takes the engine away from the bench, for checks of its end.
    pub(super) fn take(&mut self) -> Option<Dialogue<'a>> {
        self.ready()?;
        self.dialogue.take()
    }

    /// Fails a check, unless nothing was found because nothing was tried.
    pub(super) fn fail_if(&mut self, check: Check, found: Option<Evidence>) {
        if let Some(found) = found {
            self.fail(check, found);
        }
    }

    /// Adds results for rules that no line of the engine has touched.
    pub(super) fn judge_unseen(&mut self) {
        if !self.findings.has_failed(Check::UnaskedAnswer) {
            self.pass(Check::UnaskedAnswer, Evidence::new("none", "なし"));
        }
        if !self.findings.has_failed(Check::Alive) {
            self.pass(Check::Alive, Evidence::new("it did not", "終わらなかった"));
        }
        for check in [
            Check::LegalPonder,
            Check::HashFull,
            Check::MateSign,
            Check::InfoSyntax,
            Check::LegalLine,
        ] {
            if !self.findings.has(check) {
                self.skip(check, Evidence::new("never reported", "報告なし"));
            }
        }
    }

    /// Ends an engine that no longer answers, and returns what that shows, with its last words on
    /// the standard error.
    pub(super) fn lose(&mut self, loss: &Loss) -> Evidence {
        let said = self.dialogue.as_ref().map(Dialogue::stderr).unwrap_or_default();
        let found = if said.is_empty() { loss.evidence() } else { loss.evidence().with(&said) };
        if let Loss::Gone(_) = loss {
            self.fail(Check::Alive, found.clone());
        }
        self.losses += 1;
        self.dialogue = None;
        found
    }

    /// Sends a line to an engine that is ready. Returns false if there is none.
    pub(super) fn say(&mut self, line: &str) -> bool {
        let Some(dialogue) = self.ready() else { return false };
        dialogue.say(line);
        true
    }

    /// Waits for a line of the engine, and notes answers that nobody has asked for.
    pub(super) fn await_word(&mut self, word: &str, wait: Duration) -> Result<Wait, Evidence> {
        let start = Instant::now();
        let mut lines = Vec::new();
        let Some(dialogue) = &mut self.dialogue else {
            return Err(Evidence::new("the engine does not run", "エンジンが動いていない"));
        };
        let result = dialogue.await_line(&mut lines, wait, |line| line.trim_ascii() == word);
        self.refuse_answers(&lines);
        match result {
            Ok(()) => Ok(Wait { took: start.elapsed(), lines }),
            Err(loss) => Err(self.lose(&loss)),
        }
    }

    /// Sends `isready` and waits for the answer, which shows that the engine is alive.
    pub(super) fn is_alive(&mut self) -> Result<Wait, Evidence> {
        self.say("isready");
        self.await_word("readyok", self.config.patience.ready)
    }

    /// Listens for a while.
    pub(super) fn listen(&mut self, time: Duration) -> Vec<TimedLine> {
        let Some(dialogue) = &mut self.dialogue else { return Vec::new() };
        dialogue.listen(time).unwrap_or_else(|loss| {
            self.lose(&loss);
            Vec::new()
        })
    }

    /// Reads until the answer to a search, for at most `wait`.
    pub(super) fn await_answer(
        &mut self,
        lines: &mut Vec<TimedLine>,
        wait: Duration,
    ) -> Result<(), Loss> {
        let Some(dialogue) = &mut self.dialogue else { return Err(Loss::Gone(None)) };
        dialogue.await_line(lines, wait, is_answer)
    }

    /// Notes answers among lines that are read where no search runs.
    pub(super) fn refuse_answers(&mut self, lines: &[TimedLine]) {
        for (line, _) in lines.iter().filter(|(line, _)| is_answer(line)) {
            self.fail(Check::UnaskedAnswer, Evidence::line(line));
        }
    }

    /// Starts the process and leads it to `readyok`.
    fn start(&mut self) -> Option<()> {
        match Dialogue::start(self.config, self.stop) {
            Ok(dialogue) => self.dialogue = Some(dialogue),
            Err(error) => {
                self.fail(Check::Launch, Evidence::new(error.to_string(), error.to_string()));
                self.losses = MOST_LOSSES;
                return None;
            }
        }
        let program = self.config.program.display().to_string();
        self.pass(Check::Launch, Evidence::new(program.clone(), program));
        self.say_now("usi");
        match self.await_word("usiok", self.config.patience.launch) {
            Ok(wait) => {
                self.pass(Check::UsiAnswer, Evidence::took(wait.took));
                self.read_introduction(&wait.lines);
            }
            Err(found) => {
                self.fail(Check::UsiAnswer, found);
                self.losses = MOST_LOSSES;
                return None;
            }
        }
        for (name, value) in &self.config.options {
            self.say_now(&format!("setoption name {name} value {value}"));
        }
        self.say_now("isready");
        match self.await_word("readyok", self.config.patience.ready) {
            Ok(wait) => {
                self.pass(Check::ReadyAnswer, Evidence::took(wait.took));
                Some(())
            }
            Err(found) => {
                self.fail(Check::ReadyAnswer, found);
                self.losses = MOST_LOSSES;
                None
            }
        }
    }

    fn say_now(&mut self, line: &str) {
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.say(line);
        }
    }

    /// Reads name, author and options.
    fn read_introduction(&mut self, lines: &[TimedLine]) {
        (self.identity, self.options) = (Identity::default(), Vec::new());
        self.pass(Check::ProtocolLines, Evidence::count(lines.len() as u64, "lines", "行数"));
        for (line, _) in lines {
            match line.parse::<EngineMessage>() {
                Ok(EngineMessage::Name(name)) => self.identity.name = name,
                Ok(EngineMessage::Author(author)) => self.identity.author = author,
                Ok(EngineMessage::Unknown(line)) if line.is_empty() => {}
                Ok(EngineMessage::Unknown(line)) => {
                    self.fail(Check::ProtocolLines, Evidence::line(&line));
                }
                _ if line.trim_ascii_start().starts_with("option ") => self.read_option(line),
                _ => {}
            }
        }
        let Identity { name, author } = &self.identity;
        let found = format!("id name {name}, id author {author}");
        let outcome =
            if name.is_empty() || author.is_empty() { Outcome::Fail } else { Outcome::Pass };
        self.findings.add(Check::Identity, outcome, Evidence::line(&found));
        self.judge_options();
    }

    fn read_option(&mut self, line: &str) {
        let (option, faults) = option_syntax::read(line);
        for (check, found) in faults {
            // A blank hinders one GUI; the protocol allows it.
            let outcome = if check == Check::OptionBlanks { Outcome::Note } else { Outcome::Fail };
            self.findings.add(check, outcome, found);
        }
        let Some(option) = option else { return };
        if self.option(&option.name).is_some() {
            self.fail(Check::OptionNames, Evidence::line(line));
        }
        self.options.push(option);
    }

    /// Adds the results of the checks of options that have found no fault.
    fn judge_options(&mut self) {
        let count = |is_counted: fn(&OptionKind) -> bool| {
            self.options.iter().filter(|option| is_counted(&option.kind)).count() as u64
        };
        let all = count(|_| true);
        let spins = count(|kind| matches!(kind, OptionKind::Spin { .. }));
        let combos = count(|kind| matches!(kind, OptionKind::Combo { .. }));
        let blanks = |option: &OptionSpec| {
            let (_, faults) = option_syntax::read(&option.to_string());
            faults.iter().any(|(check, _)| *check == Check::OptionBlanks)
        };
        let has_blanks = self.options.iter().any(blanks);
        let mut add = |check, number, english, japanese| {
            let outcome = if number == 0 { Outcome::NotApplicable } else { Outcome::Pass };
            self.findings.add(check, outcome, Evidence::count(number, english, japanese));
        };
        add(Check::OptionSyntax, all, "options", "オプション数");
        add(Check::OptionNames, all, "options", "オプション数");
        add(Check::OptionRanges, spins, "spins", "spin の数");
        add(Check::OptionChoices, combos, "combos", "combo の数");
        if !has_blanks {
            add(Check::OptionBlanks, all, "options", "オプション数");
        }
    }
}

/// A wait that has ended with the awaited line.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) took: Duration,
    /// The lines, the awaited one last.
    pub(super) lines: Vec<TimedLine>,
}

impl Wait {
    /// The first line before the awaited one that is neither empty nor `info string`.
    pub(super) fn chatter(&self) -> Option<&str> {
        let lines = self.lines.iter().rev().skip(1).rev().map(|(line, _)| line.trim_ascii());
        lines.into_iter().find(|line| !line.is_empty() && !line.starts_with("info string"))
    }
}

/// Returns whether a line answers a search.
pub(super) fn is_answer(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next();
    matches!(word, Some("bestmove" | "checkmate"))
}
