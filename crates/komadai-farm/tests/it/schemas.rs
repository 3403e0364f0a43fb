//! The making and the upgrades of schemas, and clients of other versions.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use komadai_book::queue::{Completion, JobQueue as _, JobSource as _, QueueError};
use komadai_farm::{FarmQueue, NewTask, SCHEMA_VERSION, Schema, Upgraded};

use crate::cluster::{Cluster, Options, with_schema};
use crate::results::{finished, plan, positions, request};

#[test]
fn a_schema_is_made_once_and_an_upgrade_finds_nothing_to_do() {
    with_schema(|schema| {
        let error = Schema::of(&schema.owner).init().unwrap_err();
        assert!(error.to_string().contains("already"), "{error}");
        let upgraded = Schema::of(&schema.owner).upgrade().unwrap();
        assert_eq!(upgraded, Upgraded { from: SCHEMA_VERSION, to: SCHEMA_VERSION });
        let nowhere = "postgres://root@/postgres?schema=nowhere&host=/";
        let nowhere = nowhere.parse::<komadai_farm::FarmUrl>().unwrap();
        let error = Schema::of(&nowhere).upgrade().unwrap_err();
        assert!(error.is_temporary(), "{error}");
        // A worker cannot do it.
        let error = Schema::of(&schema.worker).upgrade().unwrap_err();
        assert!(matches!(error, QueueError::Refused(_)), "{error}");
    });
}

/// The SQL of the first version.
const FIRST: &str = concat!(
    include_str!("../../sql/001/tables.sql"),
    include_str!("../../sql/001/workers.sql"),
    include_str!("../../sql/001/coordinator.sql"),
);

/// Fingerprints of the tables of the first version, without what the second one adds.
fn content(admin: &mut postgres::Client) -> Vec<String> {
    let tables = ["job", "waiting", "leased", "result", "worker", "analyst", "settings", "engine"];
    let fingerprint = |table| {
        let sql = format!(
            "select md5(coalesce(string_agg((to_jsonb(t) - 'kinds')::text, '|' order by id), '')) from {table} t"
        );
        admin.query_one(&sql, &[]).unwrap().get(0)
    };
    tables.map(fingerprint).into()
}

#[test]
fn a_queue_of_the_first_version_is_upgraded_with_its_jobs() {
    with_schema(|schema| {
        let mut admin = schema.admin();
        let name = &schema.name;
        let owner = &schema.owner;
        admin.batch_execute(&format!("drop schema {name} cascade")).unwrap();
        Schema::of(owner).with_migrations(&[FIRST]).init().unwrap();
        let error = FarmQueue::open(&schema.worker, "h").unwrap_err();
        assert!(matches!(error, QueueError::Version { found: 1, .. }), "{error}");
        assert!(error.to_string().contains("upgrade the queue"), "{error}");
        // This program's calls are those of the first version, as far as jobs are concerned.
        let mut claim_version = |version: i32| {
            admin.execute("update meta set version = $1", &[&version]).unwrap();
        };
        claim_version(SCHEMA_VERSION.cast_signed());
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(30));
        let jobs = coordinator.lease(&request("a", 20)).unwrap();
        let results: Vec<_> = jobs.iter().take(10).map(finished).collect();
        coordinator.finish(&results).unwrap();
        let (before, stored) = (coordinator.counts().unwrap(), coordinator.results(99).unwrap());
        claim_version(1);

        let old = content(&mut admin);
        let upgraded = Schema::of(owner).upgrade().unwrap();
        assert_eq!(upgraded, Upgraded { from: 1, to: SCHEMA_VERSION });
        assert_eq!(content(&mut admin), old);
        let coordinator = schema.coordinator();
        assert_eq!(coordinator.counts().unwrap(), before);
        assert_eq!(coordinator.results(99).unwrap(), stored);
        // Leases outlive the upgrade, and tasks are there.
        let late: Vec<_> = jobs.iter().skip(10).map(finished).collect();
        assert_eq!(coordinator.finish(&late).unwrap(), vec![Completion::Accepted; 10]);
        let task = NewTask { number: 0, spec: "a".into() };
        assert_eq!(coordinator.plan_tasks("run", "kind", &[task]).unwrap(), 1);
        let lease = Duration::from_secs(60);
        assert!(schema.worker().claim_task("a", &["kind".into()], lease).unwrap().is_some());
    });
}

#[test]
fn an_upgrade_keeps_the_content_and_is_all_or_nothing() {
    with_schema(|schema| {
        let coordinator = schema.coordinator();
        plan(&coordinator, &positions(40));
        let jobs = coordinator.lease(&request("a", 20)).unwrap();
        let results: Vec<_> = jobs.iter().take(10).map(finished).collect();
        coordinator.finish(&results).unwrap();
        let before = coordinator.counts().unwrap();
        let mut admin = schema.admin();
        let old = content(&mut admin);
        let third = "create table extra (id int); update meta set min_client = 2;
            create or replace function engines() returns table (id int, name text, has_lines boolean)
                language sql stable security definer set search_path = {schema}, pg_temp
                as $$ select id, name, has_lines from engine order by id $$;";
        let broken = ["select 1", "select 1", third, "select 1 / 0"];
        let error = Schema::of(&schema.owner).with_migrations(&broken).upgrade().unwrap_err();
        assert!(error.to_string().contains("division by zero"), "{error}");
        assert_eq!(Schema::of(&schema.owner).upgrade().unwrap().from, SCHEMA_VERSION);
        let later = ["select 1", "select 1", third];
        let upgraded = Schema::of(&schema.owner).with_migrations(&later).upgrade().unwrap();
        assert_eq!(upgraded, Upgraded { from: SCHEMA_VERSION, to: 3 });
        assert_eq!(content(&mut admin), old);
        // This client is too old now, and says so by the version.
        let error = FarmQueue::open(&schema.worker, "h").unwrap_err();
        assert!(matches!(error, QueueError::Version { found: 3, .. }), "{error}");
        assert!(error.to_string().contains("use a newer program"), "{error}");
        let error = Schema::of(&schema.owner).upgrade().unwrap_err();
        assert!(matches!(error, QueueError::Version { found: 3, .. }), "{error}");
        // A server that keeps its version may refuse old clients, too.
        let version = SCHEMA_VERSION.cast_signed();
        admin.execute("update meta set version = $1", &[&version]).unwrap();
        let error = FarmQueue::open(&schema.worker, "h").unwrap_err();
        assert!(error.to_string().contains("needs clients of protocol 2"), "{error}");
        let mut client = schema.client(schema.worker.user());
        let error = client.query("select hello(1, 'x', 'a', 'h')", &[]).unwrap_err();
        assert_eq!(error.code().map(|code| code.code()), Some("KM002"), "{error}");
        admin.batch_execute("update meta set min_client = 1").unwrap();
        assert_eq!(schema.coordinator().counts().unwrap(), before);
    });
}

#[test]
fn a_queue_that_is_not_there_is_refused_by_name() {
    with_schema(|schema| {
        let text = schema.worker.to_string().replace(&schema.name, "nowhere");
        let url: komadai_farm::FarmUrl = text.parse().unwrap();
        let error = FarmQueue::open(&url.for_user("root"), "h").unwrap_err();
        assert!(matches!(error, QueueError::Refused(_)), "{error}");
        for name in ["", "Anna", "a b", "a;b", "pg_a", "1a", &"a".repeat(64)] {
            assert!(Schema::of(&schema.owner).add_worker(name, None).is_err(), "{name}");
        }
        let name = format!("{}_p", schema.name);
        let tricky = r#"a'b"c\d"#;
        Schema::of(&schema.owner).add_worker(&name, Some(tricky)).unwrap();
        assert!(Schema::of(&schema.owner).add_worker(&name, None).is_err());
    });
}

#[test]
fn the_log_of_the_server_has_no_password() {
    let mut log = PathBuf::new();
    let cluster = Cluster::start_with(Options::Shared, |folder| {
        log = folder.join("log");
        vec!["log_statement=all".to_owned()]
    });
    let Some(cluster) = cluster else { return };
    let owner = cluster.url("root", "mine");
    let schema = Schema::of(&owner);
    schema.init().unwrap();
    schema.add_worker("anna", Some("a long password")).unwrap();
    // A statement that fails is in every log.
    assert!(schema.add_worker("anna", Some("a long password")).is_err());
    let text = fs::read_to_string(log).unwrap();
    assert!(text.contains("STATEMENT:  create role anna"), "{text}");
    assert!(!text.contains("a long password"), "{text}");
}
