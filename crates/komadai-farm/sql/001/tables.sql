-- Version 1 of the queue: tables, functions, privileges.
--
-- `{schema}` is the name of the schema and the beginning of the names of its three roles. The file runs in one
-- transaction as `{schema}_owner`, with the schema as the search path.
--
-- A job is a row of `job`, and in at most one of two small tables: in `waiting` while it waits, in `leased` while a
-- worker has it. Moves between them touch no index of the large table. A job in neither is dead if `dead_reason` is set,
-- and done otherwise.
--
-- Order of locks: rows of `job` (by id), then of `waiting`, then of `leased`. A claim locks rows of `waiting` alone and
-- adds rows to `leased`; a heartbeat locks rows of `leased` alone.

-- What clients check first, and the options of the queue.
create table meta (
    only_row boolean primary key default true check (only_row),
    version int not null,
    min_client int not null,
    max_format int not null,
    project text not null,
    max_failures bigint not null,
    max_failures_in_row int not null,
    -- A claim ends expired leases when fewer jobs came than it asked for, and at least this often in each connection.
    expire_every_ms bigint not null,
    is_paused boolean not null default false,
    created timestamptz not null default clock_timestamp()
);

-- Increases when a job may have come to wait before the place that a worker has reached.
create table epoch (
    only_row boolean primary key default true check (only_row),
    value bigint not null
) with (fillfactor = 10);

-- Engines as jobs name them; the empty name is that of jobs for any engine. Clients decide which names are those of an
-- analyst; where the job states the number of lines, that in the name does not matter.
create table engine (
    id int generated always as identity primary key,
    name text not null check (octet_length(name) <= 2000),
    has_lines boolean not null,
    unique (name, has_lines)
);

create table analyst (
    id int generated always as identity primary key,
    name text not null,
    version text not null,
    options text not null,
    unique (name, version, options),
    check (octet_length(name) + octet_length(version) + octet_length(options) <= 2000)
);

-- -1 stands for a number that does not matter.
create table settings (
    id int generated always as identity primary key,
    nodes bigint not null,
    time_ms bigint not null,
    depth bigint not null,
    multi_pv int not null,
    generation bigint not null,
    engine int not null references engine,
    unique (nodes, time_ms, depth, multi_pv, generation, engine)
);

create table job (
    id bigint generated always as identity primary key,
    -- The position, packed in the orientation with Black to move.
    key bytea not null unique check (octet_length(key) = 32),
    is_turned boolean not null,
    ply bigint not null,
    settings int not null,
    -- The number of times that the settings were raised.
    revision int not null default 0,
    -- The newest revision with a result.
    completed int not null default -1,
    failures int not null default 0,
    expiries int not null default 0,
    dead_reason text,
    dead_rank bigint
) with (fillfactor = 90);
create index job_dead on job (id) where dead_reason is not null;
create index job_failed on job (id) where failures > 0 and dead_reason is null;

-- Jobs with a lower rank come first.
create table waiting (
    id bigint primary key,
    engine int not null,
    rank bigint not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
create index waiting_order on waiting (engine, rank, id);

create table leased (
    id bigint primary key,
    token bigint not null,
    worker bigint not null,
    revision int not null,
    rank bigint not null,
    granted timestamptz not null,
    until timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);
create index leased_until on leased (until);

-- A worker is a name under a login role. Its identity outlives its processes, and workers that are called MACHINE#1,
-- MACHINE#2 are of one machine, so that one broken machine cannot count as several when jobs fail.
create table worker (
    id bigint generated always as identity primary key,
    role name not null,
    name text not null check (octet_length(name) <= 200),
    machine text not null generated always as (split_part(name, '#', 1)) stored,
    host text not null check (octet_length(host) <= 200),
    client text not null check (octet_length(client) <= 200),
    started timestamptz not null,
    last_seen timestamptz not null,
    failures_in_row int not null default 0,
    failures bigint not null default 0,
    finished bigint not null default 0,
    nodes numeric not null default 0,
    unique (role, name)
) with (fillfactor = 50);

-- Results that are not in the book yet.
create table result (
    id bigint generated always as identity primary key,
    job bigint not null,
    revision int not null,
    worker bigint not null,
    analyst int not null,
    format int not null,
    payload bytea not null check (octet_length(payload) <= 65536),
    received timestamptz not null,
    -- The lease had ended when the result arrived.
    is_late boolean not null,
    -- The place of the job in the plan.
    rank bigint not null,
    unique (job, revision)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Results that the coordinator could not use.
create table refused (
    id bigint primary key,
    job bigint not null,
    revision int not null,
    worker bigint not null,
    analyst int not null,
    format int not null,
    payload bytea not null,
    received timestamptz not null,
    reason text not null
);

-- Failures of the current revision of a job; -1 is the revision of those that no longer count.
create table failure (
    id bigint generated always as identity primary key,
    job bigint not null,
    revision int not null,
    worker bigint not null,
    at timestamptz not null,
    reason text not null
);
create index failure_job on failure (job, worker);

insert into meta (version, min_client, max_format, project, max_failures, max_failures_in_row, expire_every_ms)
    values (1, 1, 1, '{schema}', 3, 5, 10000);
insert into epoch (value) values (0);

-- The clock of the queue. Tests replace it. A function in SQL would be parsed and planned at each call.
create function clock() returns timestamptz language plpgsql volatile
    set search_path = {schema}, pg_temp
    as $$ begin return clock_timestamp(); end $$;
revoke all on function clock() from public;
