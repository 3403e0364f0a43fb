
-- The tasks of a run that are done or dead, at most `count`.
create function task_reports(task_run text, count int)
    returns table (number bigint, kind text, spec text, state text, worker text, report text, reason text)
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$
    select give_up_tasks(task_run);
    select t.number, t.kind, '', t.state, w.name, t.report, t.dead_reason
    from task t left join worker w on w.id = t.worker
    where t.run = task_run and t.state in ('done', 'dead')
    order by t.number limit count
    $$;
revoke all on function task_reports(text, int) from public;
grant execute on function task_reports(text, int) to {schema}_coordinator;

-- Removes tasks of a run that are done or dead.
create function forget_tasks(task_run text, numbers bigint[]) returns void
    language sql volatile security definer
    set search_path = {schema}, pg_temp
    as $$ delete from task where run = task_run and number = any(numbers) and state in ('done', 'dead') $$;
revoke all on function forget_tasks(text, bigint[]) from public;
grant execute on function forget_tasks(text, bigint[]) to {schema}_coordinator;

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
