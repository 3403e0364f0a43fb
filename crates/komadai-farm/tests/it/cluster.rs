//! A PostgreSQL server for the tests.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use komadai_farm::{FarmQueue, FarmUrl, Schema};
use postgres::{Client, NoTls};

/// A folder with a server's programs makes it found.
const BIN: &str = "KOMADAI_POSTGRES_BIN";

/// With the value 1, tests without a server fail.
const REQUIRED: &str = "KOMADAI_REQUIRE_POSTGRES";

/// The time within which a server must start. After kill -9 under load it reads its log first.
const START: Duration = Duration::from_secs(120);

/// A server in a temporary folder. It ends, and its folder goes, with the process or with this value.
#[derive(Debug)]
pub(crate) struct Cluster {
    bin: PathBuf,
    folder: PathBuf,
    options: Options,
    /// Further settings of the server.
    settings: Vec<String>,
    server: Option<Server>,
}

/// The lifetime and the care of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Options {
    /// It lives as long as this process, and does not sync its files.
    Shared,
    /// It lives as long as its value, and survives crashes.
    Synced,
}

/// A running server.
#[derive(Debug)]
struct Server {
    process: Child,
    /// A shell that waits for the end of its input, which comes with that of this process, and ends the server then.
    guard: Child,
}

/// The server of all tests that do not kill it; `None` if there is no program of it.
pub(crate) fn shared() -> Option<&'static Cluster> {
    static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();
    SHARED.get_or_init(|| Cluster::start(Options::Shared)).as_ref()
}

/// Runs a test with a new schema of the shared server, or says that there is none.
pub(crate) fn with_schema(test: impl FnOnce(&TestSchema)) {
    if let Some(cluster) = shared() {
        test(&cluster.schema());
    }
}

impl Cluster {
    /// Starts a server.
    pub(crate) fn start(options: Options) -> Option<Self> {
        Self::start_with(options, |_| Vec::new())
    }

    /// Starts a server with further settings, which may name files in its folder.
    pub(crate) fn start_with(
        options: Options,
        settings: impl FnOnce(&Path) -> Vec<String>,
    ) -> Option<Self> {
        let Some(bin) = find_bin() else {
            let required = env::var(REQUIRED).is_ok_and(|value| value == "1");
            assert!(!required, "no PostgreSQL server, but {REQUIRED}=1");
            println!("skipped: no PostgreSQL server (apt-get install postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("kf").tempdir().expect("a folder").keep();
        let settings = settings(&folder);
        let mut cluster = Self { bin, folder, options, settings, server: None };
        if let Some(user) = unprivileged() {
            run(Command::new("chown").arg("-R").arg(user).arg(&cluster.folder));
        }
        let mut initdb = cluster.command("initdb");
        initdb.args(["-A", "trust", "-U", "root", "--no-sync", "--locale=C", "-E", "UTF8", "-D"]);
        run(initdb.arg(cluster.data()));
        cluster.start_again();
        Some(cluster)
    }

    /// Starts the server after its end.
    pub(crate) fn start_again(&mut self) {
        let end = Instant::now() + START;
        // The children of a server that was killed keep its memory for a moment, so that the next one ends.
        'attempts: loop {
            let mut process = self.server_command().spawn().expect("a program");
            while self.connect().is_err() {
                let log = || fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                assert!(Instant::now() < end, "the server does not start:\n{}", log());
                sleep(Duration::from_millis(50));
                if matches!(process.try_wait(), Ok(Some(_))) {
                    continue 'attempts;
                }
            }
            let folder =
                if self.options == Options::Shared { self.folder.as_path() } else { Path::new("") };
            let script =
                r#"cat >/dev/null; kill -QUIT "$1"; test -z "$2" || { sleep 1; rm -rf "$2"; }"#;
            let mut guard = Command::new("sh");
            guard.args(["-c", script, "sh", &process.id().to_string()]).arg(folder);
            guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
            let guard = guard.spawn().expect("a shell");
            self.server = Some(Server { process, guard });
            return;
        }
    }

    fn server_command(&self) -> Command {
        let mut server = self.command("postgres");
        server.arg("-D").arg(self.data()).arg("-k").arg(&self.folder);
        for option in [
            "listen_addresses=",
            "max_connections=300",
            "shared_buffers=128MB",
            "max_wal_size=1GB",
            "autovacuum_naptime=10s",
        ] {
            server.args(["-c", option]);
        }
        if self.options == Options::Shared {
            server.args(["-c", "fsync=off"]);
        }
        for setting in &self.settings {
            server.args(["-c", setting]);
        }
        let log = fs::File::options().create(true).append(true).open(self.folder.join("log"));
        let log = log.expect("a file");
        server.stdin(Stdio::null()).stdout(log.try_clone().expect("a file")).stderr(log);
        server
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// A program of the server, as a user that it accepts.
    fn command(&self, program: &str) -> Command {
        let path = self.bin.join(program);
        let mut command = match unprivileged() {
            None => Command::new(path),
            Some(user) => {
                let mut command = Command::new("setpriv");
                let identity = ["--reuid", user, "--regid", user, "--clear-groups"];
                command.args(identity).arg(path);
                command
            }
        };
        command.current_dir(&self.folder);
        command
    }

    /// A connection as the superuser.
    fn connect(&self) -> Result<Client, postgres::Error> {
        let folder = self.folder.to_str().expect("a name in ASCII");
        let port = self.settings.iter().find_map(|setting| setting.strip_prefix("port="));
        let port = port.unwrap_or("5432");
        Client::connect(&format!("host={folder} port={port} user=root dbname=postgres"), NoTls)
    }

    pub(crate) fn admin(&self) -> Client {
        self.connect().expect("the server runs")
    }

    /// The address of a schema for a user.
    pub(crate) fn url(&self, user: &str, schema: &str) -> FarmUrl {
        let folder = self.folder.display();
        let text = format!("postgres://{user}@/postgres?host={folder}&schema={schema}");
        text.parse().expect("an address")
    }

    /// A new schema with roles of a worker and of a coordinator.
    pub(crate) fn schema(&self) -> TestSchema {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("t{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let url = self.url("root", &name);
        let schema = Schema::of(&url);
        schema.init().expect("a schema");
        schema.add_worker(&format!("{name}_w"), None).expect("a role");
        let mut admin = self.admin();
        admin
            .batch_execute(&format!("create role {name}_c login in role {name}_coordinator"))
            .expect("a role");
        TestSchema {
            worker: self.url(&format!("{name}_w"), &name),
            coordinator: self.url(&format!("{name}_c"), &name),
            owner: url,
            name,
            folder: self.folder.clone(),
        }
    }

    /// The number of the server's first process, if it runs.
    pub(crate) fn postmaster(&self) -> Option<i32> {
        let text = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        let pid = text.lines().next()?.parse().ok()?;
        Path::new(&format!("/proc/{pid}")).exists().then_some(pid)
    }

    /// Kills all processes of the server, as a crash of the machine would.
    pub(crate) fn kill(&mut self) {
        let Some(first) = self.postmaster() else { return };
        let children = children_of(first);
        for pid in children.into_iter().chain([first]) {
            kill(pid);
        }
        self.end();
    }

    /// The time that the processes of the server have computed so far, in seconds.
    pub(crate) fn cpu_s(&self) -> f64 {
        let first = self.postmaster().expect("the server runs");
        loop {
            // Those of children that have ended are in the numbers of their parent.
            let of_first = ticks(first);
            let of_children: u64 =
                children_of(first).into_iter().map(|pid| ticks(pid)[..2].iter().sum::<u64>()).sum();
            // A child that ended meanwhile would be missing, or be there twice.
            if ticks(first)[2..] == of_first[2..] {
                return (of_first.iter().sum::<u64>() + of_children) as f64 / 100.0;
            }
        }
    }

    /// Ends the server and its guard, if they still run.
    fn end(&mut self) {
        if let Some(mut server) = self.server.take() {
            drop(server.guard.stdin.take());
            let _ = server.guard.wait();
            let _ = server.process.wait();
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A schema of its own for a test.
#[derive(Debug)]
pub(crate) struct TestSchema {
    pub(crate) name: String,
    pub(crate) owner: FarmUrl,
    pub(crate) worker: FarmUrl,
    pub(crate) coordinator: FarmUrl,
    folder: PathBuf,
}

impl TestSchema {
    pub(crate) fn worker(&self) -> FarmQueue {
        FarmQueue::open(&self.worker, "test-host").expect("the server runs")
    }

    pub(crate) fn coordinator(&self) -> FarmQueue {
        FarmQueue::open(&self.coordinator, "test-host").expect("the server runs")
    }

    /// A connection as the superuser, with the schema as the search path.
    pub(crate) fn admin(&self) -> Client {
        self.client("root")
    }

    /// The parameters of a connection as a user.
    pub(crate) fn parameters(&self, user: &str) -> String {
        format!("host={} user={user} dbname=postgres", self.folder.display())
    }

    /// A connection as a user, with the schema as the search path.
    pub(crate) fn client(&self, user: &str) -> Client {
        let mut client = Client::connect(&self.parameters(user), NoTls).expect("the server runs");
        client.batch_execute(&format!("set search_path = {}", self.name)).expect("a setting");
        client
    }

    /// Replaces the clock by one that `set_clock` sets, at 0, and looks for expired leases at each claim.
    pub(crate) fn with_test_clock(&self) -> Client {
        let mut admin = self.admin();
        let name = &self.name;
        admin
            .batch_execute(&format!(
                "create table test_clock (now_ms bigint);
                 insert into test_clock values (0);
                 alter table test_clock owner to {name}_owner;
                 create or replace function clock() returns timestamptz language sql volatile
                     set search_path = {name}, pg_temp
                     as $$ select to_timestamp(now_ms / 1000.0) from test_clock $$"
            ))
            .expect("a clock");
        self.coordinator().set_options(None, Some(Duration::ZERO)).expect("options");
        admin
    }
}

pub(crate) fn set_clock(admin: &mut Client, now_ms: u64) {
    admin.execute("update test_clock set now_ms = $1", &[&now_ms.cast_signed()]).expect("a clock");
}

/// The folder of the server's programs.
fn find_bin() -> Option<PathBuf> {
    let has_server =
        |folder: &PathBuf| folder.join("initdb").exists() && folder.join("postgres").exists();
    let in_path = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>());
    let mut of_system: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.flatten().map(|version| version.path().join("bin")).collect())
        .unwrap_or_default();
    of_system.sort();
    let named = env::var_os(BIN).map(PathBuf::from);
    let folders =
        named.into_iter().chain(in_path.into_iter().flatten()).chain(of_system.into_iter().rev());
    folders.into_iter().find(has_server)
}

/// The user as which a server runs if this process is root's.
fn unprivileged() -> Option<&'static str> {
    if !rustix::process::getuid().is_root() {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let is_known = |user: &&str| users.lines().any(|line| line.split(':').next() == Some(*user));
    ["postgres", "nobody"].into_iter().find(is_known)
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn children_of(parent: i32) -> Vec<i32> {
    let mut children = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name of the program in brackets may contain anything.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        if after.split_whitespace().nth(1) == Some(&parent.to_string()) {
            children.push(pid);
        }
    }
    children
}

/// The time of a process in user and system mode, and that of its children that have ended, in hundredths of a second.
fn ticks(pid: i32) -> [u64; 4] {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let field =
        |at| after.split_whitespace().nth(at).and_then(|text| text.parse().ok()).unwrap_or(0);
    [11, 12, 13, 14].map(field)
}

pub(crate) fn kill(pid: i32) {
    if let Some(pid) = rustix::process::Pid::from_raw(pid) {
        // It may have ended by itself.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}
