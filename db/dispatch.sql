-- Counts the promises of a workflow since its row last moved, one in four minutes at most. A row that is promised over
-- and over has a workflow execution that cannot go on.
create or replace function count_promise(p_workflow_id text, p_moved_at timestamptz, p_now timestamptz)
returns integer language sql as $$
  insert into repeated_promise as p (workflow_id, counted_at) values (p_workflow_id, p_now)
  on conflict (workflow_id) do update set
    times = case when p_moved_at > p.counted_at then 1
      when p.counted_at <= p_now - interval '4 minutes' then p.times + 1 else p.times end,
    counted_at = case when p_moved_at > p.counted_at or p.counted_at <= p_now - interval '4 minutes'
      then p_now else p.counted_at end
  returning times
$$;

-- Promises the delivery of messages. With `p_waits` their workflows wait for the session: they are signalled, and those
-- that are gone are started.
create or replace function promise_messages(p_ids text[], p_waits boolean)
returns integer language sql as $$
  with promised as (
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id,
      times_promised)
    select w.workflow_type, w.workflow_id, case when p_waits then 'signal_with_start' else 'start' end,
      case when p_waits then 'released' end, w.args, w.attributes, w.summary, w.priority, w.agency_id,
      case when p_waits
        then coalesce((select times from repeated_promise p where p.workflow_id = w.workflow_id), 0) else 0 end
    from message m cross join lateral message_workflow(m) w where m.id = any (p_ids)
    returning 1
  )
  select count(*)::integer from promised
$$;
