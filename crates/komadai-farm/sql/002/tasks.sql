-- Version 2 of the queue: tasks, work of minutes to hours beside the analysis of positions.
--
-- A task has a text that states what is to be done, and when it is done another one that states where the result is and how to check it.
-- The queue understands neither. Workers name the kinds of tasks that they can do.
--
-- Order of locks: a row of `task`, then one of `worker`.

create table task (
    id bigint generated always as identity primary key,
    run text not null check (octet_length(run) between 1 and 200),
    number bigint not null check (number >= 0),
    kind text not null check (octet_length(kind) between 1 and 2000),
    spec text not null check (octet_length(spec) <= 65536),
    state text not null default 'waiting' check (state in ('waiting', 'leased', 'done', 'dead')),
    token bigint,
    -- The worker that has the lease, or whose report it is.
    worker bigint,
    until timestamptz,
    expiries int not null default 0,
    report text check (octet_length(report) <= 1048576),
    dead_reason text,
    unique (run, number),
    check ((state = 'leased') = (token is not null) and (state = 'leased') = (until is not null)),
    check ((state in ('leased', 'done')) = (worker is not null)),
    check ((state = 'done') = (report is not null)),
    check ((state = 'dead') = (dead_reason is not null))
);
create index task_waiting on task (kind, id) where state = 'waiting';
create index task_until on task (until) where state = 'leased';

-- Failures at tasks, and reports that could not be used.
create table task_failure (
    id bigint generated always as identity primary key,
    task bigint not null references task on delete cascade,
    worker bigint not null,
    at timestamptz not null,
    reason text not null
);
create index task_failure_task on task_failure (task, worker);

-- The kinds of tasks for which a worker has asked last.
alter table worker add column kinds text[] not null default '{}';

-- Functions that workers may call, and those that these call.

-- Lets tasks wait again whose leases are over.
create function end_expired_tasks() returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    update task set state = 'waiting', token = null, worker = null, until = null, expiries = expiries + 1
    where id in (select id from task where state = 'leased' and until <= clock() order by id for update skip locked)
    $$;
revoke all on function end_expired_tasks() from public;

-- Leases the first waiting task of one of these kinds to a worker. What a machine has failed at too often is left to others.
create function claim_task(worker_id bigint, kinds text[], lease_ms bigint)
    returns table (id bigint, token bigint, run text, number bigint, kind text, spec text)
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
#variable_conflict use_column
declare
    own worker;
    options meta;
    chosen bigint;
begin
    own := own_worker(worker_id);
    select * into options from meta;
    if own.failures_in_row >= options.max_failures_in_row then
        raise exception '%', own.failures_in_row using errcode = 'KM004';
    end if;
    perform end_expired_tasks();
    if options.is_paused then
        return;
    end if;
    select t.id into chosen from task t
        where t.state = 'waiting' and t.kind = any(kinds)
            and (
                select count(*) from task_failure f join worker w on w.id = f.worker
                where f.task = t.id and (w.role, w.machine) = (own.role, own.machine)
            ) < options.max_failures
        order by t.id limit 1
        for update skip locked;
    return query
        update task t set state = 'leased', token = uuid_hash_extended(gen_random_uuid(), 0), worker = worker_id,
            until = clock() + lease_ms * interval '1 ms'
        where t.id = chosen
        returning t.id, t.token, t.run, t.number, t.kind, t.spec;
    update worker w set last_seen = clock(), kinds = claim_task.kinds where w.id = worker_id;
end
$$;
revoke all on function claim_task(bigint, text[], bigint) from public;
grant execute on function claim_task(bigint, text[], bigint) to {schema}_worker;

-- Whether the role that is logged in has this lease of a task.
create function holds_task(known task, lease_token bigint) returns boolean
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select known.state = 'leased' and known.token = lease_token
        and exists (select from worker w where w.id = known.worker and w.role = session_user)
    $$;
revoke all on function holds_task(task, bigint) from public;

-- Extends a lease. Returns whether it is held.
create function heartbeat_task(task_id bigint, lease_token bigint, lease_ms bigint) returns boolean
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    known task;
begin
    select * into known from task where id = task_id for update;
    if not found or not holds_task(known, lease_token) then
        return false;
    end if;
    update task set until = clock() + lease_ms * interval '1 ms' where id = task_id;
    update worker set last_seen = clock() where id = known.worker;
    return true;
end
$$;
revoke all on function heartbeat_task(bigint, bigint, bigint) from public;
grant execute on function heartbeat_task(bigint, bigint, bigint) to {schema}_worker;

-- Stores a report and ends its task: 0 accepted, 1 accepted although the lease had ended, 2 already done, 4 there is no such task.
create function finish_task(worker_id bigint, task_id bigint, lease_token bigint, task_report text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    known task;
    is_held boolean;
begin
    perform own_worker(worker_id);
    select * into known from task where id = task_id for update;
    if not found then
        return 4;
    end if;
    if known.state = 'done' then
        return 2;
    end if;
    is_held := holds_task(known, lease_token);
    update task set state = 'done', token = null, until = null, worker = worker_id, report = task_report,
        dead_reason = null
        where id = task_id;
    update worker set finished = finished + 1, last_seen = clock(),
        failures_in_row = case when is_held then 0 else failures_in_row end
        where id = worker_id;
    return case when is_held then 0 else 1 end;
end
$$;
revoke all on function finish_task(bigint, bigint, bigint, text) from public;
grant execute on function finish_task(bigint, bigint, bigint, text) to {schema}_worker;

-- Notes a failure: 0 the task waits again, 1 it waits for other machines, 2 it is dead, 3 the lease had ended.
create function fail_task(worker_id bigint, task_id bigint, lease_token bigint, why text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    known task;
begin
    perform own_worker(worker_id);
    select * into known from task where id = task_id for update;
    if not found or not holds_task(known, lease_token) then
        return 3;
    end if;
    return note_task_failure(task_id, worker_id, why);
end
$$;
revoke all on function fail_task(bigint, bigint, bigint, text) from public;
grant execute on function fail_task(bigint, bigint, bigint, text) to {schema}_worker;

-- Counts a failure at a task whose row the caller has locked, and lets it wait again or gives it up. Returns the number that
-- `fail_task` returns.
--
-- A task is dead when two machines have failed at it, because one machine alone may be the cause. It takes so long that further
-- attempts are for a person to decide.
create function note_task_failure(task_id bigint, worker_id bigint, why text) returns int
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    failed_machines bigint;
    own_failures bigint;
begin
    insert into task_failure (task, worker, at, reason) values (task_id, worker_id, clock(), left(why, 2000));
    update worker set failures = failures + 1, failures_in_row = failures_in_row + 1, last_seen = clock()
        where id = worker_id;
    select count(distinct (w.role, w.machine)),
            count(*) filter (where (w.role, w.machine) = (own.role, own.machine))
        into failed_machines, own_failures
        from task_failure f join worker w on w.id = f.worker, worker own
        where f.task = task_id and own.id = worker_id;
    update task set state = case when failed_machines >= 2 then 'dead' else 'waiting' end,
        dead_reason = case when failed_machines >= 2 then left(why, 2000) end, token = null, worker = null, until = null,
        report = null
        where id = task_id;
    return case when failed_machines >= 2 then 2
        when own_failures >= (select max_failures from meta) then 1
        else 0 end;
end
$$;
revoke all on function note_task_failure(bigint, bigint, text) from public;

-- Gives tasks up that have waited ten minutes for another machine than those that have failed too often at them, if none asks for
-- tasks of that kind.
create function give_up_tasks(task_run text) returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    with machines as (
        select f.task, w.role, w.machine, count(*) as failures, max(f.id) as newest, max(f.at) as at
        from task t join task_failure f on f.task = t.id join worker w on w.id = f.worker
        where t.run = task_run and t.state = 'waiting'
        group by f.task, w.role, w.machine
    ), stuck as (
        select m.task, max(m.newest) as newest from machines m
        group by m.task
        having bool_or(m.failures >= (select max_failures from meta)) and max(m.at) <= clock() - interval '10 minutes'
    )
    update task t set state = 'dead', dead_reason = f.reason
    from stuck join task_failure f on f.id = stuck.newest
    where t.id = stuck.task and t.state = 'waiting'
        and not exists (
            select from worker w
            where w.last_seen > clock() - interval '10 minutes' and t.kind = any(w.kinds)
                and not exists (
                    select from machines m
                    where m.task = t.id and m.failures >= (select max_failures from meta)
                        and (m.role, m.machine) = (w.role, w.machine)))
    $$;
revoke all on function give_up_tasks(text) from public;

-- Gives a lease back without a failure.
create function release_task(task_id bigint, lease_token bigint) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    known task;
begin
    select * into known from task where id = task_id for update;
    if found and holds_task(known, lease_token) then
        update task set state = 'waiting', token = null, worker = null, until = null where id = task_id;
    end if;
end
$$;
revoke all on function release_task(bigint, bigint) from public;
grant execute on function release_task(bigint, bigint) to {schema}_worker;

-- Some of the kinds of the tasks that wait or are leased, for a worker that finds none of its own.
create function task_kinds() returns setof text
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$ select distinct kind from task where state in ('waiting', 'leased') order by kind limit 20 $$;
revoke all on function task_kinds() from public;
grant execute on function task_kinds() to {schema}_worker;

-- Functions that the coordinator may call.

-- Adds the tasks of a run that are not there, and returns their number. A task of the same number that is another one is an
-- error, and nothing has changed then.
create function plan_tasks(task_run text, task_kind text, numbers bigint[], specs text[]) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    added bigint;
    other bigint;
begin
    -- Two programs with one run would take each other's reports.
    if not pg_try_advisory_lock(hashtext('{schema} tasks'), hashtext(task_run)) then
        raise exception 'another program has planned tasks of the run %, and is connected', task_run
            using errcode = '55P03';
    end if;
    insert into task (run, number, kind, spec)
        select task_run, wish.number, task_kind, wish.spec
        from unnest(numbers, specs) as wish (number, spec) order by wish.number
        on conflict (run, number) do nothing;
    get diagnostics added = row_count;
    select min(wish.number) into other
        from unnest(numbers, specs) as wish (number, spec)
            join task t on t.run = task_run and t.number = wish.number
        where t.spec <> wish.spec or t.kind <> task_kind;
    if other is not null then
        raise exception 'task % of the run % is there already, with other settings', other, task_run
            using errcode = 'KM007', hint = 'book queue drop --run removes a run';
    end if;
    return added;
end
$$;
revoke all on function plan_tasks(text, text, bigint[], text[]) from public;
grant execute on function plan_tasks(text, text, bigint[], text[]) to {schema}_coordinator;

-- The tasks of a run in their order.
create function tasks(task_run text)
    returns table (number bigint, kind text, spec text, state text, worker text, report text, reason text)
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    select end_expired_tasks();
    select give_up_tasks(task_run);
    select t.number, t.kind, t.spec, t.state, w.name, t.report, t.dead_reason
    from task t left join worker w on w.id = t.worker
    where t.run = task_run order by t.number
    $$;
revoke all on function tasks(text) from public;
grant execute on function tasks(text) to {schema}_coordinator;

-- Counts a report that cannot be used as a failure of its worker: the task waits again, or is dead.
create function refuse_task(task_run text, task_number bigint, why text) returns void
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    known task;
begin
    select * into known from task where run = task_run and number = task_number and state = 'done' for update;
    if found then
        perform note_task_failure(known.id, known.worker, why);
    end if;
end
$$;
revoke all on function refuse_task(text, bigint, text) from public;
grant execute on function refuse_task(text, bigint, text) to {schema}_coordinator;

-- The numbers of tasks by run and kind.
create function task_counts()
    returns table (run text, kind text, waiting bigint, leased bigint, done bigint, dead bigint)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select t.run, t.kind, count(*) filter (where t.state = 'waiting'), count(*) filter (where t.state = 'leased'),
        count(*) filter (where t.state = 'done'), count(*) filter (where t.state = 'dead')
    from task t group by t.run, t.kind order by t.run, t.kind
    $$;
revoke all on function task_counts() from public;
grant execute on function task_counts() to {schema}_coordinator;

-- Lets tasks wait again that are done or dead, and forgets their failures. Returns their number.
create function redo_tasks(task_run text, numbers bigint[]) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
declare
    ids bigint[];
begin
    ids := array(
        select id from task where run = task_run and number = any(numbers) and state in ('done', 'dead')
        order by id for update
    );
    update task set state = 'waiting', worker = null, report = null, dead_reason = null where id = any(ids);
    delete from task_failure where task = any(ids);
    return cardinality(ids);
end
$$;
revoke all on function redo_tasks(text, bigint[]) from public;
grant execute on function redo_tasks(text, bigint[]) to {schema}_coordinator;

-- Removes a run with all its tasks, and returns their number.
create function drop_tasks(task_run text) returns bigint
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    with gone as (delete from task where run = task_run returning id) select count(*) from gone
    $$;
revoke all on function drop_tasks(text) from public;
grant execute on function drop_tasks(text) to {schema}_coordinator;

-- All workers, with the number of their leases of jobs and tasks.
create or replace function workers()
    returns table (role text, name text, host text, client text, started_s bigint, silent_s bigint, leased bigint,
        finished bigint, failures bigint, failures_in_row int, nodes bigint)
    language sql stable security definer
    set search_path = {schema}, pg_temp
    as $$
    select w.role::text, w.name, w.host, w.client, extract(epoch from w.started)::bigint,
        greatest(0, extract(epoch from clock() - w.last_seen))::bigint,
        (select count(*) from leased l where l.worker = w.id)
            + (select count(*) from task t where t.worker = w.id and t.state = 'leased'),
        w.finished, w.failures, w.failures_in_row,
        least(w.nodes, 9223372036854775807)::bigint
    from worker w order by w.role, w.name
    $$;
