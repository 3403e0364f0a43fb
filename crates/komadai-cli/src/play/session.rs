//! The conversation: turns, commands, and the end of the game.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use komadai::analysis::game_analysis::win_probability;
use komadai::analysis::match_records::value_comment;
use komadai::core::{Language, Move};
use komadai::kifu::{Comment, Notation};
use komadai::matches::{Contestant, Ending, FaultKind, Reply, Rules, Turn, Verdict};
use komadai::movegen::MoveGen as _;
use komadai::movegen::declaration::DeclarationOutcome;
use komadai::usi::BestMove;
use komadai::{Color, Handicap};
use komadai_console::{check_is_new, describe, interrupted, note, stdout, stop_on_interrupt};

use super::adviser::Adviser;
use super::command::Command;
use super::game::Game;
use super::options::PlayArgs;
use super::words;
use crate::dialogue::{Heard, Input, board, named_after, read_move};
use crate::search::value;

/// Tolerance for a move of an engine that is later than the clock allows.
const MARGIN: Duration = Duration::from_secs(1);

/// Time after which an engine without a clock is told to stop.
const HANGING: Duration = Duration::from_secs(600);

/// A game with its conversation.
pub(super) struct Session<'a> {
    arguments: &'a PlayArgs,
    language: Language,
    notation: Notation,
    game: Game,
    /// The side of the person.
    own: Color,
    is_handicap: bool,
    engine: Box<dyn Contestant>,
    engine_name: String,
    adviser: Adviser,
    input: Input,
    stop: Arc<AtomicBool>,
    /// The side at the bottom of the board.
    bottom: Color,
    /// The files that this session has written.
    saved: Vec<PathBuf>,
    /// Comments on the next own move.
    comments: Vec<Comment>,
}

/// The continuation after a turn.
enum Next {
    Turn,
    /// The person leaves.
    Leave,
    /// Ctrl-C.
    Stop,
}

impl<'a> Session<'a> {
    /// Starts the engine and the game.
    pub(super) fn new(arguments: &'a PlayArgs) -> anyhow::Result<Self> {
        arguments.check()?;
        let position = arguments.start()?;
        let seed = arguments.seed()?;
        let own = arguments.side(seed);
        let (engine, engine_name) = arguments.opponent(seed)?;
        let command = arguments.engine.as_deref().unwrap_or("komadai");
        let named = || format!("--engine {command:?}");
        let mut engine = engine;
        engine.set_declaration(arguments.declaration);
        let mut engine = engine.start().map_err(|error| anyhow!(error)).with_context(named)?;
        engine.new_game(0).with_context(named)?;
        let language = arguments.appearance.language();
        let name = arguments.name.clone();
        let name = name.unwrap_or_else(|| language.choose("Player", "対局者").to_owned());
        let mut names = [name, engine_name.clone()];
        if own == Color::White {
            names.swap(0, 1);
        }
        let rules = Rules { max_plies: 0, declaration: arguments.declaration, ..Rules::default() };
        let game = Game::new(position, arguments.controls(own), &names, rules);
        let handicap = Handicap::from_setup(&game.record.setup);
        let stop = stop_on_interrupt()?;
        Ok(Self {
            arguments,
            language,
            notation: arguments.appearance.notation(),
            own,
            is_handicap: handicap.is_some_and(|handicap| handicap != Handicap::Hirate),
            engine,
            engine_name,
            adviser: Adviser::new(Arc::clone(&stop)),
            input: Input::open(Arc::clone(&stop)),
            stop,
            bottom: if arguments.flip { !own } else { own },
            saved: Vec::new(),
            comments: Vec::new(),
            game,
        })
    }

    /// Plays until the person leaves, or until the end of a game that is kept.
    pub(super) fn run(mut self) -> anyhow::Result<ExitCode> {
        // A file that cannot be written is reported before the first move.
        self.keep()?;
        self.greet()?;
        let next = loop {
            let next = match self.game.verdict {
                None if self.game.position.side() != self.own => self.engine_turn()?,
                None => {
                    self.keep_on();
                    self.show_turn()?;
                    self.ask()?
                }
                Some(verdict) => {
                    self.say(words::end(verdict, self.own, self.number_of_moves(), self.language))?;
                    let is_kept = self.arguments.save.is_some() && self.keep_on();
                    if is_kept {
                        self.say_kept()?;
                        return Ok(ExitCode::SUCCESS);
                    }
                    self.say(self.language.choose(
                        "`save FILE` keeps the game, `undo` goes on with it, `quit` leaves.",
                        "「保存 ファイル」で棋譜を保存、「待った」で続行、「終了」で終わり",
                    ))?;
                    self.ask()?
                }
            };
            match next {
                Next::Turn => {}
                Next::Leave | Next::Stop => break next,
            }
        };
        self.leave(&next)
    }

    fn say(&self, text: impl Display) -> io::Result<()> {
        writeln!(stdout(), "{text}")
    }

    fn number_of_moves(&self) -> usize {
        self.game.record.moves.len()
    }

    fn side(&self, color: Color) -> &'static str {
        words::side(color, self.is_handicap, self.language)
    }

    /// Returns the name of a move in the current position.
    fn name(&self, m: Move) -> String {
        named_after(self.notation, &self.game.position, &[m]).concat()
    }

    fn greet(&self) -> io::Result<()> {
        let (own, engine) = (self.side(self.own), &self.engine_name);
        self.say(match self.language {
            Language::English => {
                format!("You play {own} against {engine}. `help` lists the commands.")
            }
            Language::Japanese => {
                format!("あなたは{own}、相手は{engine}。「ヘルプ」でコマンド一覧")
            }
        })
    }

    /// Lets the engine move.
    fn engine_turn(&mut self) -> anyhow::Result<Next> {
        let limits = self.game.limits();
        let allowed = self.game.allowance().map_or(HANGING, |time| time + MARGIN / 2);
        let turn = Turn {
            position: &self.game.position,
            game: &self.game.usi,
            limits: &limits,
            deadline: Instant::now() + allowed,
            stop: &self.stop,
        };
        let reply = self.engine.choose(&turn);
        if self.stop.load(Ordering::Relaxed) {
            return Ok(Next::Stop);
        }
        match reply {
            Ok(reply) => self.accept(&reply)?,
            Err(fault) => {
                note!("{}: {fault}", self.engine_name);
                self.lose_engine(fault.kind, fault.detail);
            }
        }
        Ok(Next::Turn)
    }

    /// Ends the game by a fault of the engine.
    fn lose_engine(&mut self, kind: FaultKind, detail: String) {
        self.game.detail = detail;
        self.game.end(Verdict::win(self.own, Ending::Fault(kind)));
    }

    fn accept(&mut self, reply: &Reply) -> io::Result<()> {
        let engine = !self.own;
        match reply.best {
            BestMove::Resign => self.game.end(Verdict::win(self.own, Ending::Resignation)),
            BestMove::Win => match self.declared() {
                Some(verdict) => self.game.end(verdict),
                None => self.lose_engine(FaultKind::FalseDeclaration, String::new()),
            },
            BestMove::Move { best, .. } => {
                if let Err(reason) = self.game.position.check_legality(best) {
                    self.lose_engine(FaultKind::IllegalMove, format!("{best}: {reason}"));
                    return Ok(());
                }
                let (name, seconds) = (self.name(best), reply.elapsed.as_secs());
                let value = reply.score.map(|score| value_comment(score, reply.bound, engine));
                self.game.make(best, reply.elapsed, MARGIN, value.into_iter().collect());
                let number = self.number_of_moves();
                self.say(format!("\n{number}. {name}  ({})", words::clock(seconds)))?;
            }
        }
        Ok(())
    }

    /// Returns the verdict on a declaration of the side to move, `None` if it is refused.
    fn declared(&self) -> Option<Verdict> {
        let report = self.game.position.declaration(self.game.rules.declaration);
        match report.outcome {
            DeclarationOutcome::Win => Some(Verdict::win(report.color, Ending::Declaration)),
            DeclarationOutcome::Draw => Some(Verdict::draw(Ending::Declaration)),
            DeclarationOutcome::Refused => None,
        }
    }

    fn show_board(&self) -> io::Result<()> {
        write!(stdout(), "{}", board(&self.game.position, self.arguments.style(), self.bottom))
    }

    /// Shows the position of the own turn, and what a player has to know about it.
    fn show_turn(&mut self) -> anyhow::Result<()> {
        self.say("")?;
        self.show_board()?;
        if self.game.allowance().is_some() {
            let more = self.arguments.time_of_a_move().as_secs_f64();
            let more = if more > 0.0 { format!("+{more}") } else { String::new() };
            let left = |side| words::clock(self.game.left(side).as_secs()) + &more;
            let (own, other) = (left(self.own), left(!self.own));
            self.say(match self.language {
                Language::English => format!("time: {own}, opponent {other}"),
                Language::Japanese => format!("残り時間：{own}　相手 {other}"),
            })?;
        }
        if self.game.position.in_check() {
            self.say(self.language.choose("Check!", "王手！"))?;
        } else if !self.arguments.no_warnings
            && let Some(mate) = self.adviser.threat(&self.game.position)
        {
            let plies = mate.len();
            self.say(match self.language {
                Language::English => {
                    format!("Threatmate: without a defence you are mated in {plies}.")
                }
                Language::Japanese => format!("詰めろがかかっています（{plies}手詰）"),
            })?;
        }
        if self.declared().is_some() {
            self.say(
                self.language
                    .choose("You can declare a win: `declare`.", "入玉宣言ができます：「宣言」"),
            )?;
        }
        Ok(())
    }

    /// Carries out commands until a move is made or the person leaves.
    fn ask(&mut self) -> anyhow::Result<Next> {
        let allowance = self.game.allowance().filter(|_| self.game.verdict.is_none());
        let begin = Instant::now();
        let mut paused = Duration::ZERO;
        loop {
            if self.input.is_terminal {
                write!(stdout(), "> ")?;
                stdout().flush()?;
            }
            let deadline = allowance.and_then(|allowed| begin.checked_add(paused + allowed));
            let line = match self.input.next(deadline) {
                Heard::Line(line) => line,
                Heard::Fault(fault) => {
                    self.say(fault)?;
                    continue;
                }
                Heard::End => return Ok(Next::Leave),
                Heard::Stopped => return Ok(Next::Stop),
                Heard::Late => {
                    self.game.end(Verdict::win(!self.own, Ending::TimeForfeit));
                    return Ok(Next::Turn);
                }
            };
            let asked = Instant::now();
            let thought = asked.duration_since(begin).saturating_sub(paused);
            if let Some(next) = self.obey(&line, thought)? {
                return Ok(next);
            }
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Next::Stop);
            }
            paused += asked.elapsed();
        }
    }

    /// Carries out a command. Returns what follows if the turn is over.
    fn obey(&mut self, line: &str, thought: Duration) -> anyhow::Result<Option<Next>> {
        match Command::read(line) {
            Command::Move("") => {}
            Command::Move(text) => return Ok(self.own_move(text, thought)?.then_some(Next::Turn)),
            Command::Help => self.say(words::help(self.language))?,
            Command::Hint => self.hint()?,
            Command::Eval => self.evaluate()?,
            Command::Undo if self.game.take_back(self.own) => {
                self.comments.clear();
                return Ok(Some(Next::Turn));
            }
            Command::Undo => {
                self.say(self.language.choose("You have made no move yet.", "まだ指していません"))?;
            }
            Command::Moves => self.list_moves()?,
            Command::Legal => self.list_legal()?,
            Command::Board => self.show_board()?,
            Command::Flip => {
                self.bottom = !self.bottom;
                self.show_board()?;
            }
            Command::Comment(text) => self.comment(text)?,
            Command::Save(name) => self.save_as(name)?,
            Command::Declare => return Ok(self.declare()?.then_some(Next::Turn)),
            Command::Resign if self.game.verdict.is_some() => self.say_over()?,
            Command::Resign => {
                self.game.end(Verdict::win(!self.own, Ending::Resignation));
                return Ok(Some(Next::Turn));
            }
            Command::Quit => return Ok(Some(Next::Leave)),
        }
        Ok(None)
    }

    fn say_over(&self) -> io::Result<()> {
        self.say(self.language.choose("The game is over.", "対局は終わっています"))
    }

    /// Makes a move of the person. Returns whether it was one.
    fn own_move(&mut self, text: &str, thought: Duration) -> io::Result<bool> {
        match read_move(text, &self.game.position) {
            Err(no_move) => {
                let words = no_move.words(&self.game.position, self.notation, self.language);
                self.say(format!("{text}: {words}"))?;
                Ok(false)
            }
            Ok(_) if self.game.verdict.is_some() => {
                self.say_over()?;
                Ok(false)
            }
            Ok(m) => {
                let comments = std::mem::take(&mut self.comments);
                let name = self.name(m);
                self.game.make(m, thought, Duration::ZERO, comments);
                let number = self.number_of_moves();
                if self.game.verdict.is_none_or(|verdict| verdict.ending != Ending::TimeForfeit) {
                    self.say(format!("{number}. {name}"))?;
                }
                Ok(true)
            }
        }
    }

    /// Names the best move; the record notes it.
    fn hint(&mut self) -> anyhow::Result<()> {
        let Some(line) = self.adviser.best(&self.game.position)? else {
            return Ok(self.say(self.language.choose("There is no hint.", "ヒントはありません"))?);
        };
        let names = named_after(self.notation, &self.game.position, &line.pv);
        let value = value(&line, &self.game.position, self.language);
        let first = names.first().cloned().unwrap_or_default();
        let line = names.join(" ");
        self.say(match self.language {
            Language::English => format!("{first}  (value for Black: {value}; expected: {line})"),
            Language::Japanese => format!("{first}　（評価値 {value}、読み筋：{line}）"),
        })?;
        if self.game.verdict.is_none() {
            let words = self.language.choose("hint", "ヒント");
            self.comments.push(Comment::Note(format!("{words}: {first}")));
        }
        Ok(())
    }

    fn evaluate(&mut self) -> anyhow::Result<()> {
        let position = &self.game.position;
        let Some(line) = self.adviser.best(position)? else {
            return Ok(self.say(self.language.choose("There is no value.", "評価値はありません"))?);
        };
        let value = value(&line, position, self.language);
        let score = if position.side() == self.own { line.score } else { -line.score };
        let percent = 100.0 * win_probability(score);
        self.say(match self.language {
            Language::English => {
                format!("value for Black: {value}; your probability of winning: {percent:.0} %")
            }
            Language::Japanese => format!("評価値（先手）{value}　あなたの勝率 {percent:.0}%"),
        })?;
        Ok(())
    }

    fn list_moves(&self) -> io::Result<()> {
        let (first, moves) = self.game.own_moves();
        let all: Vec<Move> = self.game.record.moves.iter().map(|played| played.m).collect();
        let mut start = self.game.position.clone();
        while start.undo_move().is_some() {}
        let names = self.notation.names(&start, &all);
        for (number, name) in (1..first).zip(&names) {
            self.say(format!("{number:>4} {name}"))?;
        }
        for ((number, played), name) in (first..).zip(moves).zip(&names[first - 1..]) {
            let time = words::clock(played.time.map_or(0, |time| time.as_secs()));
            self.say(format!("{number:>4} {name}  {time}"))?;
        }
        Ok(())
    }

    fn list_legal(&self) -> io::Result<()> {
        let moves = self.game.position.legal_moves();
        let names: Vec<String> = moves.iter().map(|&m| self.name(m)).collect();
        self.say(names.join(" "))
    }

    fn comment(&mut self, text: &str) -> io::Result<()> {
        let comment = Comment::Note(text.to_owned());
        match (text, self.game.record.moves.last_mut()) {
            ("", _) => {
                return self.say(self.language.choose("comment TEXT", "コメント 文"));
            }
            (_, Some(last)) => last.comments.push(comment),
            (_, None) => self.game.record.comments.push(comment),
        }
        self.say(self.language.choose("noted", "コメントを記録しました"))
    }

    /// Declares a win. Returns whether the game is over by it: at a table a declaration that fails
    /// would lose.
    fn declare(&mut self) -> io::Result<bool> {
        if self.game.verdict.is_some() {
            self.say_over()?;
            return Ok(false);
        }
        if let Some(verdict) = self.declared() {
            self.game.end(verdict);
            return Ok(true);
        }
        let report = self.game.position.declaration(self.game.rules.declaration);
        let (points, pieces) = (report.points, report.pieces_in_zone);
        let needed = report.points_needed.map_or("-".to_owned(), |needed| needed.to_string());
        self.say(match self.language {
            Language::English => format!(
                "Not allowed: king {}{}, {pieces} of 10 pieces in the last three ranks, {points} of {needed} \
                 points.",
                if report.king_entered { "entered" } else { "not entered" },
                if report.in_check { " and in check" } else { "" },
            ),
            Language::Japanese => format!(
                "宣言できません：玉は{}{}、敵陣の駒{pieces}枚（10枚必要）、{points}点（{needed}点必要）",
                if report.king_entered { "敵陣" } else { "敵陣の外" },
                if report.in_check { "で王手がかかっている" } else { "" },
            ),
        })?;
        Ok(false)
    }

    /// Writes the record to the file of the command `save`.
    fn save_as(&mut self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return self.say(self.language.choose("save FILE", "保存 ファイル"));
        }
        let path = PathBuf::from(name);
        let written =
            check_is_new(&path, self.saved.contains(&path)).and_then(|()| self.write(&path));
        match written {
            Ok(()) => {
                self.say(advice(&path, self.language))?;
                self.saved.push(path);
                Ok(())
            }
            Err(error) => self.say(describe(&error)),
        }
    }

    fn write(&self, path: &Path) -> anyhow::Result<()> {
        let lost = self.game.to_record().save(path).with_context(|| path.display().to_string())?;
        lost.iter().for_each(|lost| note!("{}: not kept: {lost}", path.display()));
        Ok(())
    }

    /// Writes the record to the file of `--save`, if there is one.
    fn keep(&self) -> anyhow::Result<()> {
        match &self.arguments.save {
            Some(path) => {
                self.game.to_record().save(path).with_context(|| path.display().to_string())?;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes the record, and reports a failure, which must not end the game. Returns whether it was
    /// written.
    fn keep_on(&self) -> bool {
        let kept = self.keep();
        if let Err(error) = &kept {
            note!("{}", describe(error));
        }
        kept.is_ok()
    }

    fn say_kept(&self) -> io::Result<()> {
        self.arguments.save.iter().try_for_each(|path| self.say(advice(path, self.language)))
    }

    /// Keeps the game that the person leaves.
    fn leave(&self, next: &Next) -> anyhow::Result<ExitCode> {
        if self.input.is_terminal {
            self.say("")?;
        }
        let kept = self.keep();
        if kept.is_ok() {
            self.say_kept()?;
        }
        kept?;
        match next {
            Next::Stop => Err(interrupted(match &self.arguments.save {
                Some(path) => format!("stopped; the game is kept in {}", path.display()),
                None => "stopped".to_owned(),
            })),
            Next::Turn | Next::Leave => Ok(ExitCode::SUCCESS),
        }
    }
}

/// Returns the words about a record that was written, and the way to its analysis.
fn advice(path: &Path, language: Language) -> String {
    let quoted = |path: &Path| match path.display().to_string() {
        name if name.contains(char::is_whitespace) => format!("\"{name}\""),
        name => name,
    };
    let (file, page) = (path.display(), path.with_extension("html"));
    let command = format!("komadai analyse {} --html {}", quoted(path), quoted(&page));
    match language {
        Language::English => format!("{file}: saved. Analyse it: {command}"),
        Language::Japanese => format!("{file}：保存しました。解析：{command}"),
    }
}
