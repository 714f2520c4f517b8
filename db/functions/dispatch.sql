-- Promises the delivery of messages; names, priorities and the signal come from the caller, where each has its one place.
create or replace function dispatch_messages(p_ids text[], p_action text, p_signal text, p_names jsonb)
returns integer language sql as $$
  with inserted as (
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id)
    select p_names->>'type', (p_names->>'prefix') || id, p_action, p_signal, jsonb_build_array(id),
      jsonb_build_object('AgencyId', agency_id, 'TenantId', tenant_id, 'SessionId', session_id,
        'ConversationId', conversation_id, 'MessageId', id, 'Outcome', p_names->>'outcome'),
      kind || ' → ' || conversation_id || ' · agency ' || agency_id,
      coalesce((p_names->'priorities'->>(case when bulk then 'bulk' else origin end))::smallint, (p_names->'priorities'->>'api')::smallint), agency_id
    from message where id = any (p_ids)
    returning 1
  )
  select count(*)::integer from inserted
$$;
