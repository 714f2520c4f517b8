-- Counts the promises of a workflow whose row has not moved since the last that was counted, one in four minutes at
-- most: a row that is promised over and over has an execution that cannot go on.
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

-- Promises the delivery of messages; names, priorities and the signal come from the caller, where each has its one
-- place.
create or replace function dispatch_messages(p_ids text[], p_action text, p_signal text, p_names jsonb)
returns integer language sql as $$
  with inserted as (
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id,
      times_promised)
    select p_names->>'type', (p_names->>'prefix') || id, p_action, p_signal, jsonb_build_array(id),
      jsonb_build_object('AgencyId', agency_id, 'TenantId', tenant_id, 'SessionId', session_id,
        'ConversationId', conversation_id, 'MessageId', id, 'Outcome', p_names->>'outcome'),
      kind || ' → ' || conversation_id || ' · agency ' || agency_id,
      coalesce((p_names->'priorities'->>(case when bulk then 'bulk' else origin end))::smallint,
        (p_names->'priorities'->>'api')::smallint), agency_id,
      case p_action when 'signal_with_start' then coalesce((select times from repeated_promise r
        where r.workflow_id = (p_names->>'prefix') || message.id), 0) else 0 end
    from message where id = any (p_ids)
    returning 1
  )
  select count(*)::integer from inserted
$$;
