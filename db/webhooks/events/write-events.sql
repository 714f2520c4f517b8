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
--
-- `p_waits_for` names the messages whose files the events wait for, until `p_waits_until`; null where none of them
-- waits. Such an event, and each that comes behind it in its conversation, is held instead (`hold_events`). With
-- `p_released` nothing is held, because the events were.
create or replace function write_events(p_agencies text[], p_versions bigint[], p_sessions text[], p_counted integer[],
  p_now timestamptz, p_ids text[], p_of_agency text[], p_of_tenant text[], p_of_session integer[],
  p_conversations text[], p_types text[], p_offsets integer[], p_heads text[], p_tails text[], p_wholes text[],
  p_middles text[], p_trials_of text[], p_not_to text[], p_events integer[], p_endpoints text[], p_lanes text[],
  p_choices jsonb, p_waits_for text[], p_waits_until timestamptz, p_released boolean)
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_befores bigint[] := '{}';
  v_txids xid8[] := '{}';
  v_before bigint;
  v_txid xid8;
  v_holds boolean;
  v_any_holds boolean := p_waits_for is not null;
  -- Which of the events are held; null when none is.
  v_held boolean[];
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
      returning last - p_counted[i], last_txid, holds_events into v_before, v_txid, v_holds;
    if not found then raise exception 'A session without a sequence row cannot emit events.'; end if;
    v_befores := v_befores || v_before;
    v_txids := v_txids || v_txid;
    v_any_holds := v_any_holds or v_holds;
  end loop;
  if v_any_holds and not p_released then
    select h.held, h.offsets into v_held, p_offsets from hold_events(p_sessions, p_now, p_ids, p_of_agency, p_of_tenant,
      p_of_session, p_conversations, p_types, p_offsets, p_heads, p_tails, p_wholes, p_middles, p_not_to, p_waits_for,
      p_waits_until) h;
  end if;
  with given as (
    -- Places are taken while the sequences are locked, so both have the same order. An event has the same place at
    -- every endpoint.
    select e.*, case when v_held is null or not v_held[e.at] then nextval('delivery_id_seq') end as place,
      coalesce(v_befores[e.session] + e.sequence, 0) as number
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
    from given where place is not null
  ), placed as (
    select array_agg(place order by at) as places from given
  ), wanted as (
    select w.* from unnest(p_events, p_endpoints, p_lanes) as w(event, endpoint_id, lane)
    union all
    select * from chosen_endpoints(p_choices) where p_choices is not null
  )
  insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, place, ready,
    next_attempt_at)
  -- A join would compare each of two hundred events with each delivery.
  select w.endpoint_id, p_of_agency[w.event], p_of_tenant[w.event], p_ids[w.event], p_now, w.lane,
    p.places[w.event], true, p_now
  from wanted w cross join placed p where p.places[w.event] is not null order by p.places[w.event];
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
    -- With exists, the planner may read all waiting deliveries; with a limit it cannot.
    order by not i."isDisabled" and (select true from delivery d
      where d.endpoint_id = i."endpointId" and d.lane = i.lane and d.status = 'pending' limit 1) is true desc, t.rank
    limit 1) first
$$;

-- Holds back, of the events of a transaction, those that wait for a file, and those behind an event of their
-- conversation that is held. Answers which are held, and the places of the others in their sessions' sequences without
-- them. The caller has locked the sequences, so what is held keeps the order of the commits, and nobody releases
-- meanwhile.
create or replace function hold_events(p_sessions text[], p_now timestamptz, p_ids text[], p_of_agency text[],
  p_of_tenant text[], p_of_session integer[], p_conversations text[], p_types text[], p_offsets integer[],
  p_heads text[], p_tails text[], p_wholes text[], p_middles text[], p_not_to text[], p_waits_for text[],
  p_waits_until timestamptz, out held boolean[], out offsets integer[])
language plpgsql set enable_seqscan = off as $$
declare
  v_session integer;
  v_counts boolean;
  v_held_in text;
  -- By conversation: where its held events are. Held events of a merged conversation belong to the other one.
  v_holds jsonb;
  -- By session: its last offset, and how many of its counted events are held.
  v_last integer[] := array_fill(0, array[cardinality(p_sessions)]);
  v_less integer[] := v_last;
begin
  -- Both of two conversations that were merged may have held events, which wait in one row from then on.
  with merged as (
    select h.place, first_value(h.held_in) over (partition by conversation_now(c) order by h.place) as held_in
    from held_event h join conversation c on c.id = h.conversation_id where h.session_id = any (p_sessions)
  )
  update held_event h set held_in = m.held_in from merged m where m.place = h.place and m.held_in <> h.held_in;
  select coalesce(jsonb_object_agg(w.id, w.held_in), '{}') into v_holds from (
    select distinct conversation_now(c) as id, h.held_in
    from held_event h join conversation c on c.id = h.conversation_id where h.session_id = any (p_sessions)) w;
  held := array_fill(false, array[cardinality(p_ids)]);
  offsets := p_offsets;
  for i in 1..cardinality(p_ids) loop
    v_session := p_of_session[i];
    continue when v_session is null;
    v_counts := p_offsets[i] > v_last[v_session];
    v_last[v_session] := p_offsets[i];
    held[i] := p_conversations[i] is not null
      and (p_waits_for[i] is not null or v_holds ? p_conversations[i]);
    if held[i] then
      v_held_in := coalesce(v_holds->>p_conversations[i], p_conversations[i]);
      v_holds := v_holds || jsonb_build_object(p_conversations[i], v_held_in);
      v_less[v_session] := v_less[v_session] + v_counts::integer;
      insert into held_event (event_id, agency_id, tenant_id, session_id, conversation_id, held_in, type, counts,
        not_to, head, tail, whole, middle, waits_for, waits_until, created_at)
      values (p_ids[i], p_of_agency[i], p_of_tenant[i], p_sessions[v_session], p_conversations[i], v_held_in,
        p_types[i], v_counts, p_not_to[i], p_heads[i], p_tails[i], p_wholes[i], p_middles[i], p_waits_for[i],
        case when p_waits_for[i] is not null then p_waits_until end, p_now);
      update session_sequence set holds_events = true where session_id = p_sessions[v_session] and not holds_events;
    else
      offsets[i] := p_offsets[i] - v_less[v_session];
    end if;
  end loop;
  update session_sequence q set last = q.last - l.less
  from unnest(p_sessions, v_less) as l(session_id, less) where q.session_id = l.session_id and l.less > 0;
end
$$;

-- Takes the held events of a conversation that may be written now, in their order: those before the first that waits
-- for a file which is neither there nor overdue. Answers with each the file of the message that it waited for. It locks
-- the session's sequence first, as everybody does who holds an event.
create or replace function take_held_events(p_held_in text, p_now timestamptz)
returns table (event_id text, agency_id text, tenant_id text, session_id text, conversation_id text, type text,
  counts boolean, not_to text, head text, tail text, whole text, middle text, waits_for text, media jsonb)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_session text;
  v_first bigint;
begin
  select h.session_id into v_session from held_event h where h.held_in = p_held_in limit 1;
  if not found then return; end if;
  perform 1 from session_sequence q where q.session_id = v_session for update;
  -- The first that still waits: the clock is asked, because the lock may have been waited for.
  select min(h.place) into v_first from held_event h
  where h.held_in = p_held_in and h.waits_until > greatest(p_now, clock_timestamp())
    and exists (select 1 from media_fetch f where f.message_id = h.waits_for);
  return query
    with taken as (
      delete from held_event h
      where h.held_in = p_held_in and (v_first is null or h.place < v_first)
      returning h.*
    )
    select t.event_id, t.agency_id, t.tenant_id, t.session_id, t.conversation_id, t.type, t.counts, t.not_to, t.head,
      t.tail, t.whole, t.middle, t.waits_for,
      (select m.media from message m where m.id = t.waits_for)
    from taken t order by t.place;
  update session_sequence q set holds_events = false
  where q.session_id = v_session and not exists (select 1 from held_event h where h.session_id = v_session);
end
$$;
