//! The queue on a server.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use komadai_book::queue::{JobSettings, QueueError};
use komadai_core::AnalystId;
use postgres::{Client, Row};

use crate::error::{Fault, UNKNOWN_WORKER};
use crate::link::{Link, Parameter};
use crate::schema::CLIENT_PROTOCOL;
use crate::url::FarmUrl;

/// A queue on a PostgreSQL server, for books that grow on many machines.
///
/// It is a [`JobSource`](komadai_book::queue::JobSource) for workers, and a [`JobQueue`](komadai_book::queue::JobQueue)
/// for the coordinator, whose role may call more. One value has one connection, which all threads of a process
/// share: calls take a millisecond, jobs minutes.
///
/// While the server is away, calls return [`QueueError::Unavailable`]; the next ones connect again.
///
/// # Examples
///
/// ```no_run
/// use komadai_book::queue::{JobSource, LeaseRequest};
/// use komadai_core::AnalystId;
/// use komadai_farm::{FarmQueue, FarmUrl};
///
/// let url: FarmUrl = "postgres://anna@localhost/books".parse()?;
/// let queue = FarmQueue::open(&url.with_password_file("password")?, "anna-pc")?;
/// let request = LeaseRequest {
///     worker: "anna-pc".into(),
///     analyst: Some(AnalystId::new("engine", "1")),
///     count: 4,
///     duration_ms: 120_000,
/// };
/// for job in queue.lease(&request)? {
///     println!("{}", job.position);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The coordinator of a book, whose dead jobs a person has looked at:
///
/// ```no_run
/// use std::time::Duration;
///
/// use komadai_book::queue::{JobQueue, JobSource};
/// use komadai_farm::{FarmQueue, FarmUrl};
///
/// let url: FarmUrl = "postgres://owner@localhost/books".parse()?;
/// let queue = FarmQueue::open_as_coordinator(&url, "home")?;
/// let dead = queue.dead()?;
/// let positions: Vec<_> = dead.into_iter().take(1).map(|job| job.position).collect();
/// queue.drop_dead(Some(&positions))?;
/// println!("{} jobs are tried again", queue.revive_all()?);
/// // A worker without work waits for the next plan.
/// if queue.wait_for_jobs(Duration::from_secs(5))? {
///     println!("{} jobs wait", queue.counts()?.waiting);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FarmQueue {
    pub(crate) url: FarmUrl,
    host: String,
    state: Mutex<State>,
    /// The connection that waits for jobs.
    pub(crate) listener: Mutex<Option<Client>>,
}

/// Shows the address; connections have no representation.
impl fmt::Debug for FarmQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FarmQueue").field("url", &self.url).finish_non_exhaustive()
    }
}

/// The connection, and what the server has said that does not change.
#[derive(Debug)]
pub(crate) struct State {
    link: Link,
    /// The engines that jobs name, in the order of their numbers.
    pub(crate) engines: Vec<Engine>,
    /// The numbers of the engines that an analyst may stand for.
    fitting: HashMap<AnalystId, Vec<i32>>,
    workers: HashMap<String, i64>,
    analysts: HashMap<AnalystId, i32>,
    settings: HashMap<JobSettings, i32>,
    /// The leases of this process, by their numbers.
    pub(crate) leases: HashMap<u64, KnownLease>,
}

/// An engine that jobs name.
#[derive(Debug, Clone)]
pub(crate) struct Engine {
    pub(crate) number: i32,
    pub(crate) name: String,
    /// The jobs state the number of lines.
    has_lines: bool,
}

/// The facts about a lease that a result needs.
#[derive(Debug, Clone)]
pub(crate) struct KnownLease {
    /// The number of the worker.
    pub(crate) worker: i64,
    /// The number of the engine that the job names.
    pub(crate) engine: i32,
}

impl FarmQueue {
    /// Connects to the queue of an address. `host` is the name of this machine.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached or refuses the connection, or the schema has another version.
    pub fn open(url: &FarmUrl, host: impl Into<String>) -> Result<Self, QueueError> {
        Self::open_as(url, host.into(), false)
    }

    /// Connects to the queue of an address as its coordinator. There is one at a time.
    ///
    /// # Errors
    ///
    /// As those of [`open`](Self::open), and if there is a coordinator already.
    pub fn open_as_coordinator(url: &FarmUrl, host: impl Into<String>) -> Result<Self, QueueError> {
        Self::open_as(url, host.into(), true)
    }

    fn open_as(url: &FarmUrl, host: String, is_coordinator: bool) -> Result<Self, QueueError> {
        let state = Mutex::new(State {
            link: Link::new(url.clone(), is_coordinator),
            engines: Vec::new(),
            fitting: HashMap::new(),
            workers: HashMap::new(),
            analysts: HashMap::new(),
            settings: HashMap::new(),
            leases: HashMap::new(),
        });
        let queue = Self { url: url.clone(), host, state, listener: Mutex::default() };
        queue.call(|state| state.rows("select from about()", &[]).map(drop))?;
        Ok(queue)
    }

    /// Calls a function whenever calls begin to fail because the queue is not available, with the reason, and when they succeed
    /// again, with `None`.
    pub fn report_outages(&self, report: fn(Option<&str>)) {
        self.state().link.report_outage = Some(report);
    }

    /// The name of this machine.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Runs calls over the connection. If the server does not know a worker, because somebody made the schema anew, they
    /// are repeated once.
    pub(crate) fn call<T>(
        &self,
        mut f: impl FnMut(&mut State) -> Result<T, Fault>,
    ) -> Result<T, QueueError> {
        let mut state = self.state();
        let mut result = f(&mut state);
        if result.as_ref().is_err_and(|fault| fault.is(UNKNOWN_WORKER)) {
            state.forget();
            result = f(&mut state);
        }
        Ok(result?)
    }

    /// Code that holds the lock leaves at worst a connection that it has not closed.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Calls a function of the schema.
    pub(crate) fn rows(
        &mut self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, Fault> {
        self.link.rows(sql, parameters)
    }

    /// Calls a function that returns one value.
    pub(crate) fn value<T: for<'r> postgres::types::FromSql<'r>>(
        &mut self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<T, Fault> {
        Ok(self.row(sql, parameters)?.try_get(0)?)
    }

    /// Calls functions that return one row.
    pub(crate) fn row(
        &mut self,
        sql: &'static str,
        parameters: &[Parameter<'_>],
    ) -> Result<Row, Fault> {
        let mut rows = self.rows(sql, parameters)?;
        Ok(rows.pop().expect("a call of such a function has a row"))
    }

    fn forget(&mut self) {
        self.engines.clear();
        self.fitting.clear();
        self.workers.clear();
        self.analysts.clear();
        self.settings.clear();
        self.leases.clear();
    }

    /// The number of a worker on this machine, which is signed in.
    pub(crate) fn worker(&mut self, name: &str, host: &str) -> Result<i64, Fault> {
        if let Some(&number) = self.workers.get(name) {
            return Ok(number);
        }
        let program = concat!("komadai-farm ", env!("CARGO_PKG_VERSION"));
        let sql = "select hello($1, $2, $3, $4)";
        let number = self.value(sql, &[&CLIENT_PROTOCOL, &program, &name, &host])?;
        self.workers.insert(name.to_owned(), number);
        Ok(number)
    }

    pub(crate) fn analyst(&mut self, analyst: &AnalystId) -> Result<i32, Fault> {
        if let Some(&number) = self.analysts.get(analyst) {
            return Ok(number);
        }
        let AnalystId { name, version, options } = analyst;
        let sql = "select analyst_number($1, $2, $3)";
        let number = self.value(sql, &[name, version, options])?;
        self.analysts.insert(analyst.clone(), number);
        Ok(number)
    }

    pub(crate) fn settings(&mut self, settings: &JobSettings) -> Result<i32, Fault> {
        if let Some(&number) = self.settings.get(settings) {
            return Ok(number);
        }
        let sql = "select settings_number($1, $2, $3, $4, $5, $6)";
        let number = self.value(
            sql,
            &[
                &of_option(settings.nodes),
                &of_option(settings.time_ms),
                &of_option(settings.depth.map(u64::from)),
                &i32::from(settings.multi_pv),
                &i64::from(settings.generation),
                &settings.engine,
            ],
        )?;
        self.settings.insert(settings.clone(), number);
        Ok(number)
    }

    pub(crate) fn load_engines(&mut self) -> Result<(), Fault> {
        let rows = self.rows("select id, name, has_lines from engines()", &[])?;
        let engine =
            |row: &Row| Engine { number: row.get(0), name: row.get(1), has_lines: row.get(2) };
        self.engines = rows.iter().map(engine).collect();
        self.fitting.clear();
        Ok(())
    }

    /// The engine of a number.
    pub(crate) fn engine(&mut self, number: i32) -> Result<&Engine, Fault> {
        if self.engines.binary_search_by_key(&number, |engine| engine.number).is_err() {
            self.load_engines()?;
        }
        let place = self.engines.binary_search_by_key(&number, |engine| engine.number);
        let place = place.expect("the server has each engine that a job names");
        Ok(&self.engines[place])
    }

    /// The number of the newest known engine, and the numbers of those that an analyst may stand for.
    pub(crate) fn fitting(&mut self, analyst: &AnalystId) -> (i32, Vec<i32>) {
        let newest = self.engines.last().map_or(0, |engine| engine.number);
        if let Some(fitting) = self.fitting.get(analyst) {
            return (newest, fitting.clone());
        }
        let fits = |engine: &&Engine| engine.as_settings().are_for(analyst);
        let fitting: Vec<i32> =
            self.engines.iter().filter(fits).map(|engine| engine.number).collect();
        self.fitting.insert(analyst.clone(), fitting.clone());
        (newest, fitting)
    }
}

impl Engine {
    /// The settings of a job as far as they concern the engine.
    pub(crate) fn as_settings(&self) -> JobSettings {
        JobSettings {
            engine: self.name.clone(),
            multi_pv: u16::from(self.has_lines),
            ..JobSettings::default()
        }
    }
}

/// A number that may be absent, as the server keeps it. Numbers above 2^63 − 1 become that one.
fn of_option(number: Option<u64>) -> i64 {
    number.map_or(-1, |number| i64::try_from(number).unwrap_or(i64::MAX))
}

pub(crate) fn to_option(number: i64) -> Option<u64> {
    u64::try_from(number).ok()
}

/// A number of the server as one of this program; the schema has no negative ones there.
pub(crate) fn unsigned<T: TryFrom<i64> + Default>(number: i64) -> T {
    T::try_from(number).unwrap_or_default()
}
