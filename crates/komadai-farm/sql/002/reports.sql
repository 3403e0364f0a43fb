
-- The tasks of a run that are done or dead, but for some numbers, at most `count`.
create function task_reports(task_run text, known bigint[], count int)
    returns table (number bigint, kind text, spec text, state text, worker text, report text, reason text)
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    select t.number, t.kind, '', t.state, w.name, t.report, t.dead_reason
    from task t left join worker w on w.id = t.worker
    where t.run = task_run and t.state in ('done', 'dead') and t.number <> all(known)
    order by t.number limit count
    $$;
revoke all on function task_reports(text, bigint[], int) from public;
grant execute on function task_reports(text, bigint[], int) to {schema}_coordinator;

-- Removes the waiting tasks of a run. Returns the number of tasks that are leased.
create function withdraw_tasks(task_run text) returns bigint
    language plpgsql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
begin
    perform end_expired_tasks();
    delete from task where run = task_run and state = 'waiting';
    return (select count(*) from task where run = task_run and state = 'leased');
end
$$;
revoke all on function withdraw_tasks(text) from public;
grant execute on function withdraw_tasks(text) to {schema}_coordinator;
