//! Simultaneous perturbation (SPSA): tuning of numbers by games.
//!
//! Each step moves all numbers a little, each up in one player and down in the other, lets both
//! play, and moves the numbers towards the winner. The cost of a step does not depend on how many
//! numbers there are.
//!
//! With `N` steps, the perturbation of a number in step `k` (from 1) is `c_k = c_end (N / k)^γ` and
//! its change for each won game `a_k / c_k`, with `a_k = r_end c_end² ((A + N) / (A + k))^α`,
//! `A = N / 10`, `α = 0.602` and `γ = 0.101`: the schedule of Fishtest and OpenBench, in which
//! `c_end` and `r_end` are what holds in the last step.
//!
//! Sources: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37(3), 1992; the exponents are
//! those of his "Implementation of the simultaneous perturbation algorithm for stochastic
//! optimization", IEEE Transactions on Aerospace and Electronic Systems 34(3), 1998.

use std::fmt;
use std::fmt::Write as _;
use std::num::NonZero;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use komadai_base::text::shorten;
use komadai_core::SplitMix64;

/// The exponent of the steps.
const ALPHA: f64 = 0.602;

/// The exponent of the perturbations.
const GAMMA: f64 = 0.101;

/// The number that is added to that of a step, as a share of all steps. It bounds the first steps.
const STABILITY: f64 = 0.1;

/// A number to tune.
///
/// Its text form is a line of OpenBench: `name, int, start, min, max, c_end, r_end`.
///
/// # Examples
///
/// ```
/// use komadai_match::SpsaParameter;
///
/// let depth: SpsaParameter = "NullMoveDepth, int, 3, 1, 8, 0.5, 0.002".parse()?;
/// assert_eq!((depth.start, depth.max, depth.r_end), (3.0, 8.0, 0.002));
/// assert_eq!(depth.to_string(), "NullMoveDepth, int, 3, 1, 8, 0.5, 0.002");
/// # Ok::<(), komadai_match::SpsaError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SpsaParameter {
    /// The name.
    pub name: String,
    /// The value before the first step.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The perturbation in the last step, in the unit of the value: large enough to change the play.
    /// A twentieth of the range is usual.
    pub c_end: f64,
    /// The change in the last step for each game that one player has won more than the other, as a
    /// share of `c_end`. 0.002 is usual.
    pub r_end: f64,
}

/// The values of the two players of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct SpsaStep {
    /// The number of the step, from 0.
    pub number: u32,
    /// The values of the player whose result counts, in the order of the parameters.
    pub up: Vec<f64>,
    /// Those of the other player.
    pub down: Vec<f64>,
    /// The change of each value for a won game.
    gains: Vec<f64>,
}

/// An error in the parameters of a tuning, or in its saved state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpsaError {
    /// A line is no parameter.
    #[error("found {found:?}, expected name, int, start, min, max, c_end, r_end")]
    BadLine {
        /// The line.
        found: String,
    },
    /// A parameter cannot be tuned.
    #[error("parameter {name}: {reason}")]
    BadParameter {
        /// The name of the parameter.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// There is nothing to tune.
    #[error("expected at least one parameter and one step")]
    Empty,
    /// A line of a saved state is damaged, or belongs to another tuning.
    #[error("line {line} of the state: found {found:?}, expected {expected}")]
    BadState {
        /// The number of the line, from 1.
        line: usize,
        /// The line.
        found: String,
        /// The expected content.
        expected: &'static str,
    },
}

/// A tuning: the parameters, their values, and the number of steps that are done.
///
/// # Examples
///
/// A player is the stronger the nearer its number is to 70:
///
/// ```
/// use std::convert::Infallible;
/// use std::num::NonZero;
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_match::{Spsa, SpsaStep};
///
/// let parameters = vec!["X, int, 20, 0, 100, 5, 0.02".parse()?];
/// let mut tuning = Spsa::new(parameters, 500, 1)?;
/// let strength = |x: f64| -(x - 70.0).powi(2);
/// let worker = || {
///     Ok(move |step: &SpsaStep| {
///         Ok::<_, Infallible>(Some(if strength(step.up[0]) > strength(step.down[0]) { 2.0 } else { -2.0 }))
///     })
/// };
/// let stop = AtomicBool::new(false);
/// tuning.run(NonZero::<usize>::MIN, &stop, &worker, &mut |_, _| Ok(()))?;
/// assert!((tuning.values()[0] - 70.0).abs() < 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spsa {
    parameters: Vec<SpsaParameter>,
    values: Vec<f64>,
    steps: u32,
    done: u32,
    seed: u64,
}

impl Spsa {
    /// Returns a tuning of this many steps at its start. The seed decides which numbers move up.
    ///
    /// # Errors
    ///
    /// [`SpsaError::Empty`] without parameters or steps, [`SpsaError::BadParameter`] for one that
    /// occurs twice or whose numbers do not fit each other.
    pub fn new(parameters: Vec<SpsaParameter>, steps: u32, seed: u64) -> Result<Self, SpsaError> {
        if parameters.is_empty() || steps == 0 {
            return Err(SpsaError::Empty);
        }
        for (index, parameter) in parameters.iter().enumerate() {
            let is_known = parameters[..index].iter().any(|other| other.name == parameter.name);
            let fault = if is_known { Some("it occurs twice") } else { parameter.fault() };
            if let Some(reason) = fault {
                let name = parameter.name.clone();
                return Err(SpsaError::BadParameter { name, reason });
            }
        }
        let values = parameters.iter().map(|parameter| parameter.start).collect();
        Ok(Self { parameters, values, steps, done: 0, seed })
    }

    /// The parameters.
    pub fn parameters(&self) -> &[SpsaParameter] {
        &self.parameters
    }

    /// The values now, in the order of the parameters.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of steps that are done, and of all steps.
    pub fn progress(&self) -> (u32, u32) {
        (self.done, self.steps)
    }

    /// Returns a step with this number, from the values now.
    fn step(&self, number: u32) -> SpsaStep {
        let mut random = SplitMix64::new(self.seed ^ u64::from(number).wrapping_mul(0x9E37_79B9));
        let (steps, k) = (f64::from(self.steps), f64::from(number + 1));
        let stability = STABILITY * steps;
        let rate = ((stability + steps) / (stability + k)).powf(ALPHA);
        let spread = (steps / k).powf(GAMMA);
        let count = self.parameters.len();
        let mut step = SpsaStep {
            number,
            up: Vec::with_capacity(count),
            down: Vec::with_capacity(count),
            gains: Vec::with_capacity(count),
        };
        for (parameter, &value) in self.parameters.iter().zip(&self.values) {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let SpsaParameter { min, max, c_end, r_end, .. } = *parameter;
            let perturbation = sign * c_end * spread;
            step.up.push((value + perturbation).clamp(min, max));
            step.down.push((value - perturbation).clamp(min, max));
            step.gains.push(sign * r_end * c_end * rate / spread);
        }
        step
    }

    /// Moves the values by the result of a step: the games that the player with the values `up` has
    /// won less those that it has lost.
    fn learn(&mut self, step: &SpsaStep, lead: f64) {
        let places = self.parameters.iter().zip(&mut self.values).zip(&step.gains);
        for ((parameter, value), gain) in places {
            *value = (*value + gain * lead).clamp(parameter.min, parameter.max);
        }
        self.done += 1;
    }

    /// Makes the steps that are not done, on `threads` threads with a worker each.
    ///
    /// A worker plays the games of a step and returns its lead: the games that the player with the
    /// values [`SpsaStep::up`] has won less those that it has lost. `None` ends the run. After each
    /// step `on_step` receives the tuning and the lead, to save and report it. With one thread and
    /// deterministic games the values follow from the seed.
    ///
    /// Steps that are being played when `stop` is set are lost; others take their numbers later, so
    /// that the schedule is kept.
    ///
    /// # Errors
    ///
    /// The first error of `start`, of a worker or of `on_step`.
    pub fn run<E: Send, W: FnMut(&SpsaStep) -> Result<Option<f64>, E>>(
        &mut self,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        start: &(dyn Fn() -> Result<W, E> + Sync),
        on_step: &mut (dyn FnMut(&Self, f64) -> Result<(), E> + Send),
    ) -> Result<(), E> {
        let next = self.done;
        let left = (self.steps - self.done) as usize;
        let shared = Mutex::new(Shared { tuning: self, next, on_step, error: None });
        thread::scope(|scope| {
            for _ in 0..threads.get().min(left) {
                scope.spawn(|| {
                    if let Err(error) = work(&shared, stop, start) {
                        lock(&shared).error.get_or_insert(error);
                    }
                });
            }
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        shared.error.map_or(Ok(()), Err)
    }

    /// Returns the values and the number of steps done as text, which [`resume`](Self::resume)
    /// reads.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_match::Spsa;
    ///
    /// let mut tuning = Spsa::new(vec!["X, int, 20, 0, 100, 5, 0.02".parse()?], 500, 1)?;
    /// assert_eq!(tuning.to_text(), "steps 0\nX 20\n");
    /// tuning.resume("steps 250\nX 63.5\n")?;
    /// assert_eq!((tuning.values(), tuning.progress()), (&[63.5][..], (250, 500)));
    /// # Ok::<(), komadai_match::SpsaError>(())
    /// ```
    pub fn to_text(&self) -> String {
        let mut text = format!("steps {}\n", self.done);
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let _ = writeln!(text, "{} {value}", parameter.name);
        }
        text
    }

    /// Takes over the values and the number of steps done of an interrupted run.
    ///
    /// # Errors
    ///
    /// [`SpsaError::BadState`] for a text of another tuning; nothing is changed then.
    pub fn resume(&mut self, text: &str) -> Result<(), SpsaError> {
        let mut lines = (1..).zip(text.lines());
        let mut next = |expected| {
            let (line, found) = lines.next().unwrap_or((1 + text.lines().count(), ""));
            let bad = SpsaError::BadState { line, found: shorten(found, 80), expected };
            (found.rsplit_once(' ').unwrap_or_default(), bad)
        };
        let ((word, number), bad) = next("steps and a number");
        let done = number.parse::<u32>().ok().filter(|&done| word == "steps" && done <= self.steps);
        let done = done.ok_or(bad)?;
        let mut values = Vec::new();
        for parameter in &self.parameters {
            let ((name, value), bad) = next("the next parameter and its value");
            let value: Option<f64> = value.parse().ok().filter(|_| name == parameter.name);
            let is_inside = |value: &f64| (parameter.min..=parameter.max).contains(value);
            values.push(value.filter(is_inside).ok_or(bad)?);
        }
        if let Some((line, found)) = lines.next() {
            let found = shorten(found, 80);
            return Err(SpsaError::BadState { line, found, expected: "the end" });
        }
        (self.values, self.done) = (values, done);
        Ok(())
    }
}

/// The state that the workers share.
struct Shared<'a, E> {
    tuning: &'a mut Spsa,
    /// The number of the next step.
    next: u32,
    on_step: &'a mut (dyn FnMut(&Spsa, f64) -> Result<(), E> + Send),
    error: Option<E>,
}

/// Plays one step after another until all are done, or another worker has failed.
fn work<E, W: FnMut(&SpsaStep) -> Result<Option<f64>, E>>(
    shared: &Mutex<Shared<'_, E>>,
    stop: &AtomicBool,
    start: &(dyn Fn() -> Result<W, E> + Sync),
) -> Result<(), E> {
    let mut worker = start()?;
    loop {
        let step = {
            let mut shared = lock(shared);
            let is_over = shared.next >= shared.tuning.steps || shared.error.is_some();
            if is_over || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            shared.next += 1;
            shared.tuning.step(shared.next - 1)
        };
        let Some(lead) = worker(&step)? else { return Ok(()) };
        let shared = &mut *lock(shared);
        shared.tuning.learn(&step, lead);
        (shared.on_step)(shared.tuning, lead)?;
    }
}

fn lock<'a, 'b, E>(shared: &'a Mutex<Shared<'b, E>>) -> MutexGuard<'a, Shared<'b, E>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SpsaParameter {
    /// Returns the reason why this cannot be tuned.
    fn fault(&self) -> Option<&'static str> {
        let Self { start, min, max, c_end, r_end, .. } = *self;
        let numbers = [start, min, max, c_end, r_end];
        let is_simple = self.name.chars().all(|c| !c.is_control()) && !self.name.trim().is_empty();
        match () {
            () if !is_simple => Some("expected a name"),
            () if !numbers.iter().all(|number| number.is_finite()) => {
                Some("expected finite numbers")
            }
            () if min >= max => Some("expected min below max"),
            () if !(min..=max).contains(&start) => Some("expected start from min to max"),
            () if c_end <= 0.0 || c_end > max - min => {
                Some("expected c_end above 0, within the range")
            }
            () if r_end <= 0.0 => Some("expected r_end above 0"),
            () => None,
        }
    }
}

impl FromStr for SpsaParameter {
    type Err = SpsaError;

    fn from_str(line: &str) -> Result<Self, SpsaError> {
        let bad = || SpsaError::BadLine { found: shorten(line, 80) };
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [name, "int", numbers @ ..] = &fields[..] else { return Err(bad()) };
        let numbers: Option<Vec<f64>> = numbers.iter().map(|number| number.parse().ok()).collect();
        let &[start, min, max, c_end, r_end] = &numbers.ok_or_else(bad)?[..] else {
            return Err(bad());
        };
        let parameter = Self { name: (*name).to_owned(), start, min, max, c_end, r_end };
        match parameter.fault() {
            Some(reason) => Err(SpsaError::BadParameter { name: parameter.name, reason }),
            None => Ok(parameter),
        }
    }
}

impl fmt::Display for SpsaParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, start, min, max, c_end, r_end } = self;
        write!(f, "{name}, int, {start}, {min}, {max}, {c_end}, {r_end}")
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn parameter(name: &str, start: f64) -> SpsaParameter {
        let name = name.to_owned();
        SpsaParameter { name, start, min: 0.0, max: 100.0, c_end: 4.0, r_end: 0.02 }
    }

    /// A worker whose games are won by the probability that follows from the distance of two
    /// numbers from their optimum, (70, 30).
    fn noisy(step: &SpsaStep) -> Result<Option<f64>, Infallible> {
        let elo = |values: &[f64]| -> f64 {
            -0.2 * values.iter().zip([70.0, 30.0]).map(|(x, best)| (x - best).powi(2)).sum::<f64>()
        };
        let expected = 1.0 / (1.0 + 10f64.powf((elo(&step.down) - elo(&step.up)) / 400.0));
        let mut random = SplitMix64::new(u64::from(step.number) + 77);
        let games = (0..2).map(|_| random.below(1_000_000) as f64 / 1e6 < expected);
        Ok(Some(games.map(|is_won| if is_won { 1.0 } else { -1.0 }).sum()))
    }

    fn tune(threads: usize, tuning: &mut Spsa) {
        let threads = NonZero::new(threads).unwrap();
        let stop = AtomicBool::new(false);
        let Ok(()) = tuning.run(threads, &stop, &|| Ok(noisy), &mut |_, _| Ok(()));
    }

    #[test]
    fn noisy_games_lead_to_the_optimum() {
        for threads in [1, 3] {
            let parameters = vec![parameter("A", 20.0), parameter("B", 90.0)];
            let mut tuning = Spsa::new(parameters, 10_000, 1).unwrap();
            tune(threads, &mut tuning);
            let [a, b] = tuning.values() else { panic!("two values") };
            assert!((a - 70.0).abs() < 6.0 && (b - 30.0).abs() < 6.0, "{:?}", tuning.values());
            assert_eq!(tuning.progress(), (10_000, 10_000));
        }
    }

    #[test]
    fn an_interrupted_run_goes_on_as_if_nothing_had_been() {
        let start = || Spsa::new(vec![parameter("A", 20.0), parameter("B", 90.0)], 200, 5).unwrap();
        let mut whole = start();
        tune(1, &mut whole);
        let mut first = start();
        let stop = AtomicBool::new(false);
        let one = NonZero::<usize>::MIN;
        let Ok(()) = first.run(one, &stop, &|| Ok(noisy), &mut |tuning, _| {
            stop.store(tuning.progress().0 == 77, Ordering::Relaxed);
            Ok(())
        });
        assert_eq!(first.progress().0, 77);
        let mut second = start();
        second.resume(&first.to_text()).unwrap();
        tune(1, &mut second);
        assert_eq!(second, whole);
    }

    #[test]
    fn the_last_step_has_the_numbers_of_the_parameter() {
        let tuning = Spsa::new(vec![parameter("A", 50.0)], 1_000, 1).unwrap();
        let last = tuning.step(999);
        assert!(((last.up[0] - last.down[0]).abs() - 8.0).abs() < 1e-9);
        assert!((last.gains[0].abs() - 0.02 * 4.0).abs() < 1e-9);
        let first = tuning.step(0);
        assert!((first.up[0] - first.down[0]).abs() > 15.0 && first.gains[0].abs() > 0.1);
    }

    #[test]
    fn errors_end_a_run_with_what_is_learned() {
        let mut tuning = Spsa::new(vec![parameter("A", 50.0)], 100, 1).unwrap();
        let worker =
            || Ok(|step: &SpsaStep| if step.number == 9 { Err("broken") } else { Ok(Some(1.0)) });
        let stop = AtomicBool::new(false);
        let ended = tuning.run(NonZero::<usize>::MIN, &stop, &worker, &mut |_, _| Ok(()));
        assert_eq!((ended, tuning.progress().0), (Err("broken"), 9));
        let none = || Err::<fn(&SpsaStep) -> Result<Option<f64>, &'static str>, _>("no engine");
        let ended = tuning.run(NonZero::new(2).unwrap(), &stop, &none, &mut |_, _| Ok(()));
        assert_eq!(ended, Err("no engine"));
    }

    #[test]
    fn bad_parameters_and_states_are_refused_with_their_place() {
        for (line, part) in [
            ("A, float, 3, 1, 8, 0.5, 0.002", "expected name, int"),
            ("A, int, 3, 1, 8, 0.5", "expected name, int"),
            ("A, int, x, 1, 8, 0.5, 0.002", "expected name, int"),
            ("A, int, 9, 1, 8, 0.5, 0.002", "start from min to max"),
            ("A, int, 3, 8, 1, 0.5, 0.002", "min below max"),
            ("A, int, 3, 1, 8, 0, 0.002", "c_end"),
            ("A, int, 3, 1, 8, 0.5, 0", "r_end"),
            ("A, int, 3, 1, inf, 0.5, 0.002", "finite"),
            (", int, 3, 1, 8, 0.5, 0.002", "a name"),
        ] {
            let error = line.parse::<SpsaParameter>().unwrap_err().to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
        let twice = Spsa::new(vec![parameter("A", 1.0), parameter("A", 2.0)], 9, 1).unwrap_err();
        assert!(twice.to_string().contains("twice"));
        assert_eq!(Spsa::new(Vec::new(), 9, 1), Err(SpsaError::Empty));
        let mut tuning = Spsa::new(vec![parameter("A", 1.0), parameter("B", 2.0)], 9, 1).unwrap();
        for (text, line) in [
            ("", 1),
            ("steps 10\nA 1\nB 2\n", 1),
            ("steps x\nA 1\nB 2\n", 1),
            ("steps 3\nB 1\nA 2\n", 2),
            ("steps 3\nA 1\n", 3),
            ("steps 3\nA 1\nB 101\n", 3),
            ("steps 3\nA 1\nB NaN\n", 3),
            ("steps 3\nA 1\nB 2\nC 3\n", 4),
        ] {
            let error = tuning.resume(text).unwrap_err();
            assert!(
                matches!(error, SpsaError::BadState { line: at, .. } if at == line),
                "{text:?}"
            );
        }
        assert_eq!(tuning.progress().0, 0);
    }
}
