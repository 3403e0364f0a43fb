//! The page of a match: its standing, and the boards of the games being played.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use komadai::Color;
use komadai::core::Score;
use komadai::matches::{Contestant, ContestantFault, CpuClock, MatchGame, Reply, Tally, Turn};
use komadai::report::{GraphPoint, LiveBoard, LiveProgress, LiveTable, SecondSeries};
use komadai::usi::{BestMove, GameResult};
use komadai_base::text::grouped;
use komadai_live::{LiveServer, PageHandle};

use super::standing::{Standing, by_color, by_color_text, usage_text};

/// Number of boards on the page; of more games at the same time those that began first.
const MOST_BOARDS: usize = 4;

/// Number of finished games in the table.
const LAST_GAMES: usize = 12;

/// Interval between two changes of a board: fast games have thousands of moves a second.
const BOARD_EVERY: Duration = Duration::from_millis(200);

/// The page of a match.
#[derive(Debug)]
pub(super) struct MatchPage {
    page: PageHandle,
    names: [String; 2],
    stop: Arc<AtomicBool>,
    games: Mutex<BTreeMap<usize, LiveGame>>,
    /// The last finished games, the latest first.
    finished: Mutex<VecDeque<Vec<String>>>,
}

/// A game being played.
#[derive(Debug)]
struct LiveGame {
    board: LiveBoard,
    shown: Instant,
}

impl MatchPage {
    /// A page for a match of players with these names.
    pub(super) fn new(server: &LiveServer, names: &[String; 2], stop: &Arc<AtomicBool>) -> Self {
        let page = server.page();
        page.update(|page| {
            page.title = format!("{} vs {}", names[0], names[1]);
            page.status = "running".to_owned();
        });
        let (names, stop) = (names.clone(), Arc::clone(stop));
        Self { page, names, stop, games: Mutex::default(), finished: Mutex::default() }
    }

    /// Returns a player whose games appear on the page, and whose next games wait while the match
    /// is paused.
    pub(super) fn watch(
        self: &Arc<Self>,
        player: usize,
        inner: Box<dyn Contestant>,
    ) -> Box<dyn Contestant> {
        Box::new(Watched { inner, page: Arc::clone(self), player, game: 0 })
    }

    /// Shows the standing after a game, or at the start.
    pub(super) fn show(&self, standing: &Standing<'_>, tally: &Tally, played: Option<&MatchGame>) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(played) = played {
            finished.push_front(self.row(played));
            finished.truncate(LAST_GAMES);
        }
        let columns = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let last = LiveTable {
            title: "Last games".to_owned(),
            columns: columns(&["game", "Black", "White", "winner", "ending", "moves"]),
            rows: finished.iter().cloned().collect(),
        };
        let players = LiveTable {
            title: "Players".to_owned(),
            columns: Vec::new(),
            rows: (self.names.iter().zip(tally.usage()).zip(by_color(tally)))
                .map(|((name, usage), by_color)| {
                    vec![name.clone(), by_color_text(by_color), usage_text(usage)]
                })
                .collect(),
        };
        let [wins, draws, losses] = tally.wins_draws_losses();
        let [black, drawn, white] = tally.black_draw_white();
        let mut figures = vec![(
            format!("{} won, drawn, lost", self.names[0]),
            format!("{wins}, {draws}, {losses}"),
        )];
        if let Some(elo) = tally.pairs().elo() {
            let range = format!("[{:+.0}, {:+.0}]", elo.low, elo.high);
            figures.push(("Elo, 95 %".to_owned(), format!("{:+.0} {range}", elo.elo)));
            figures.push((
                "likelihood of superiority".to_owned(),
                format!("{:.1} %", 100.0 * elo.los),
            ));
        }
        if let Some(test) = standing.options.sprt {
            let (lower, upper) = test.bounds();
            let llr = format!("{:+.2} [{lower:.2}, {upper:.2}]", test.llr(tally.pairs()));
            figures.push(("LLR".to_owned(), llr));
        }
        let counts = tally.pairs().counts().map(|count| count.to_string()).join(" ");
        figures.push(("pairs with 0, ½, 1, 1½, 2 points".to_owned(), counts));
        figures.push(("Black, drawn, White".to_owned(), format!("{black}, {drawn}, {white}")));
        let progress = LiveProgress {
            done: tally.games(),
            total: Some(standing.options.games as u64),
            before: standing.games_before,
            ..LiveProgress::new("games")
        };
        self.page.update(|page| {
            page.progress = Some(progress);
            page.figures = figures;
            page.tables = vec![last, players];
        });
    }

    fn row(&self, played: &MatchGame) -> Vec<String> {
        let verdict = played.game.verdict;
        let black = usize::from(played.first == Color::White);
        let winner = verdict.winner.map_or("–", |winner| {
            &self.names[if winner == Color::Black { black } else { 1 - black }]
        });
        vec![
            (played.number + 1).to_string(),
            self.names[black].clone(),
            self.names[1 - black].clone(),
            winner.to_owned(),
            verdict.ending.to_string(),
            played.game.moves.len().to_string(),
        ]
    }

    /// Changes the board of a game, and shows it now and then.
    fn change(&self, game: usize, change: impl FnOnce(&mut LiveGame), is_due: bool) {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(live) = games.get_mut(&game) else { return };
        change(live);
        if is_due || live.shown.elapsed() >= BOARD_EVERY {
            live.shown = Instant::now();
            let boards = games.values().take(MOST_BOARDS).map(|live| live.board.clone()).collect();
            self.page.update(|page| page.boards = boards);
        }
    }

    fn turn(&self, game: usize, player: usize, turn: &Turn<'_>) {
        let position = turn.position;
        let is_new = {
            let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
            let is_new = !games.contains_key(&game);
            games.entry(game).or_insert_with(|| {
                let black = if position.side() == Color::Black { player } else { 1 - player };
                let caption =
                    format!("game {}: ☗{} ☖{}", game + 1, self.names[black], self.names[1 - black]);
                let names = [black, 1 - black].map(|player| self.names[player].clone());
                let second = Some(SecondSeries { points: Vec::new(), names });
                let board = LiveBoard { second, ..LiveBoard::new(&caption, position) };
                LiveGame { board, shown: Instant::now() }
            });
            is_new
        };
        self.change(
            game,
            |live| {
                let next = LiveBoard::new("", position);
                let LiveBoard { position, last_move, line, .. } = next;
                live.board = LiveBoard { position, last_move, line, ..live.board.clone() };
            },
            is_new,
        );
    }

    fn reply(&self, game: usize, player: usize, turn: &Turn<'_>, reply: &Reply) {
        let BestMove::Move { best, .. } = reply.best else { return };
        let ply = turn.position.ply();
        self.change(
            game,
            |live| {
                live.board.line = [&[best], &reply.line[..]].concat();
                let mut remark = format!("{}: depth {}", self.names[player], reply.depth);
                if let Some(score) = reply.score {
                    let _ = write!(remark, ", {score:+} for itself");
                    let score = Score::from_raw(score);
                    match (turn.position.side(), &mut live.board.second) {
                        (Color::White, Some(second)) => {
                            second.points.push(GraphPoint::new(ply, Some(-score)));
                        }
                        _ => live.board.values.push(GraphPoint::new(ply, Some(score))),
                    }
                }
                let _ = write!(remark, ", {} nodes", grouped(reply.nodes));
                live.board.remark = remark;
            },
            false,
        );
    }

    fn over(&self, game: usize) {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).remove(&game);
    }
}

/// A player whose games appear on the page.
struct Watched {
    inner: Box<dyn Contestant>,
    page: Arc<MatchPage>,
    player: usize,
    game: usize,
}

impl Contestant for Watched {
    fn new_game(&mut self, game: usize) -> Result<(), ContestantFault> {
        self.page.page.wait_while_paused(&self.page.stop);
        self.game = game;
        self.inner.new_game(game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        self.page.turn(self.game, self.player, turn);
        let reply = self.inner.choose(turn)?;
        self.page.reply(self.game, self.player, turn, &reply);
        Ok(reply)
    }

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<bool, ContestantFault> {
        self.inner.ponder(turn)
    }

    fn game_over(&mut self, result: GameResult) {
        self.page.over(self.game);
        self.inner.game_over(result);
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        self.page.over(self.game);
        self.inner.restart()
    }

    fn cpu_clock(&self) -> CpuClock {
        self.inner.cpu_clock()
    }
}
