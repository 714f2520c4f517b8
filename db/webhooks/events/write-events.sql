-- Writes the events of a transaction and their deliveries. This comes last in the transaction, because it locks the
-- rows of the sessions' sequences until the commit: the numbers have no gaps, and the deliveries of a session come in
-- the order of the commits.
--
-- The caller knows from its memory which endpoints want the events, and names the versions of what it knows. If an
-- agency's endpoints have changed since, nothing is written and the transaction fails with 40M01, so that the caller
-- reads them and begins again.
--
-- The sequence is part of an event's body, so a body comes in parts: the sequence stands between `p_heads` and
-- `p_tails`. A body that is too large to be posted has its size between `p_heads` and `p_middles`, and `p_wholes`
-- begins the whole of it. A transaction may have begun before the one that wrote the session's last event, and then has
-- a lower number. Its events are pulled under the higher number, because they would otherwise come before lower
-- sequences.
--
-- Processes of the previous release claim only what is `ready` and has no older delivery before it in its lane.
create or replace function write_events(p_agencies text[], p_versions bigint[], p_sessions text[], p_counted integer[],
  p_now timestamptz, p_ids text[], p_of_agency text[], p_of_tenant text[], p_of_session integer[],
  p_conversations text[], p_types text[], p_offsets integer[], p_heads text[], p_tails text[], p_wholes text[],
  p_middles text[], p_trials_of text[], p_not_to text[], p_events integer[], p_endpoints text[], p_lanes text[],
  p_choices jsonb)
returns void language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_befores bigint[] := '{}';
  v_txids xid8[] := '{}';
  v_before bigint;
  v_txid xid8;
begin
  if exists (select from unnest(p_agencies, p_versions) as known(agency_id, version)
      left join endpoint_version v on v.agency_id = known.agency_id
      where coalesce(v.version, 0) <> known.version) then
    raise exception 'The endpoints of the agency have changed.' using errcode = '40M01';
  end if;
  -- All transactions take sessions in the order in which they are named, because two of them could otherwise wait for
  -- each other.
  for i in 1..cardinality(p_sessions) loop
    update session_sequence set last = last + p_counted[i], last_txid = greatest(last_txid, pg_current_xact_id())
      where session_id = p_sessions[i]
      returning last - p_counted[i], last_txid into v_before, v_txid;
    if not found then raise exception 'A session without a sequence row cannot emit events.'; end if;
    v_befores := v_befores || v_before;
    v_txids := v_txids || v_txid;
  end loop;
  with given as (
    -- Places are taken while the sequences are locked, so both have the same order. An event has the same place at
    -- every endpoint.
    select e.*, nextval('delivery_id_seq') as place, coalesce(v_befores[e.session] + e.sequence, 0) as number
    from unnest(p_ids, p_of_agency, p_of_tenant, p_of_session, p_conversations, p_types, p_offsets, p_heads, p_tails,
        p_wholes, p_middles, p_trials_of, p_not_to) with ordinality as e(id, agency_id, tenant_id, session,
        conversation_id, type, sequence, head, tail, whole, middle, trial_of, not_to, at)
    order by e.at
  ), stored as (
    insert into event (id, agency_id, tenant_id, session_id, conversation_id, sequence, type, body, full_body, trial_of,
      not_to, created_at, place, txid)
    select id, agency_id, tenant_id, p_sessions[session], conversation_id, number, type,
      case when whole is null then head || number || tail
        else head || octet_length(whole) + octet_length(number::text) + octet_length(tail) || middle || number || tail
        end,
      whole || number || tail, trial_of, not_to, p_now, place, coalesce(v_txids[session], pg_current_xact_id())
    from given
  ), wanted as (
    select w.* from unnest(p_events, p_endpoints, p_lanes) as w(event, endpoint_id, lane)
    union all
    select * from chosen_endpoints(p_choices) where p_choices is not null
  )
  insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, place, ready,
    next_attempt_at)
  select w.endpoint_id, e.agency_id, e.tenant_id, e.id, p_now, w.lane, e.place, true, p_now
  from wanted w join given e on e.at = w.event order by e.place;
end
$$;

-- Endpoints with equal URLs get an event once. The endpoint with older deliveries of the lane waiting gets it, even
-- while it is paused, because the event would otherwise overtake them. Without such an endpoint the one that is named
-- first gets it.
create or replace function chosen_endpoints(p_choices jsonb)
returns table (event integer, endpoint_id text, lane text) language sql stable as $$
  select c.event, first."endpointId", first.lane
  from jsonb_to_recordset(p_choices) as c(event integer, candidates jsonb) cross join lateral (
    select i."endpointId", i.lane
    from jsonb_array_elements(c.candidates) with ordinality as t(candidate, rank)
      cross join lateral jsonb_to_record(t.candidate) as i("endpointId" text, lane text, "isDisabled" boolean)
    order by not i."isDisabled" and exists (select 1 from delivery d
      where d.endpoint_id = i."endpointId" and d.lane = i.lane and d.status = 'pending') desc, t.rank
    limit 1) first
$$;
