-- Lets the ready heads of one session go as far as its pace allows: people's replies first, then other replies, then in
-- the order in which they became ready. Sends through the API have half of the places, however many replies wait, if no
-- other agency sends. It locks session_pace, then conversation, then message, and waits for none of them: a head that
-- another transaction has locked is looked at again a moment later. Answers how many heads it released and when the
-- session is due again, which it also writes to `release_at`: null when the passing of time would release nothing more.
-- When the session itself is locked it writes nothing and answers `isBusy`. Beside other agencies only one message
-- starts at a time, except those of a broadcast, of which one execution delivers several; `startsAt` is when the next
-- one may.
create or replace function release_session(p_session text, p_now timestamptz)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  -- The bounds on how many heads one transaction lets go, and on how many it looks at.
  release_limit constant integer := 100;
  look_limit constant integer := 500;
  pace record;
  queue record;
  head record;
  slot timestamptz;
  opened integer;
  is_first boolean;
  on_its_way integer;
  replies integer;
  of_people integer;
  sends integer;
  bulk_limit integer;
  v_next_start_at timestamptz;
  v_starts_at timestamptz;
  is_beside boolean;
  looked integer := 0;
  started text[] := '{}';
  signalled text[] := '{}';
  next_at timestamptz;
  commits constant text := current_setting('synchronous_commit');
begin
  perform 1 from session_pace where session_id = p_session for no key update skip locked;
  if not found then
    -- The row is looked for before the insert, because the insert would wait for a transaction that is writing the same
    -- row.
    if not exists (select 1 from session_pace where session_id = p_session) then
      insert into session_pace (session_id) values (p_session) on conflict do nothing;
    end if;
    if not found then
      return jsonb_build_object('released', 0, 'nextAt', p_now + interval '50 milliseconds', 'isBusy', true);
    end if;
  end if;
  -- A look that releases nothing need not wait for the disk, because it is repeated when it is lost.
  perform set_config('synchronous_commit', 'off', true);
  select * into pace from pace_of(p_session, p_now);
  if not pace.working or pace.suspended then
    perform set_release_at(p_session, null);
    return jsonb_build_object('released', 0, 'nextAt', null);
  end if;
  slot := slot_of(pace.next_slot_at, p_now, pace.spacing, pace.tolerance);
  opened := pace.first_contacts;
  on_its_way := on_their_way(p_session, p_now);
  replies := replies_on_their_way(p_session, p_now);
  sends := case when on_its_way < on_their_way_limit() then on_its_way - replies
    else sends_of_programs(p_session, p_now) end;
  if exists (select 1 from message
    where session_id = p_session and origin = 'person' and lane = 0 and status = 'queued' and released_at is null
      and ready_at <= p_now) then
    of_people := replies_of_people(p_session, p_now);
  end if;
  -- Bulk goes in groups, so that one execution delivers several: the next group waits until half of the last is sent.
  bulk_limit := case when on_its_way > on_their_way_limit() / 2 then 0 else on_their_way_limit() end;
  is_beside := is_beside_others(p_session, p_now);
  if is_beside then
    select case when has_just_started(p_session, p_now) then p_now + start_spacing(p_session, p_now)
      else next_start_at end
    into v_next_start_at from session_pace where session_id = p_session;
  end if;

  <<queues>>
  -- Replies to contacts who wrote within a day come first, because only the messages before them in their conversation
  -- hold them back.
  for queue in
    select q.lane, q.bulk, p.present, w.people
    from session_queues() q cross join (values (true), (false)) p(present) cross join (values (true), (false)) w(people)
    where q.lane = 0 or not p.present and not w.people
    order by q.lane, p.present desc, w.people desc, q.bulk
  loop
    -- The heads are not read while none may go, because a flood of replies makes many of them.
    continue when queue.lane = 0
      and (case when queue.people then of_people else replies end) >= on_their_way_limit();
    continue when queue.people and of_people is null;
    for head in
      -- The loop never reaches the limit; the limit makes the planner read heads by the index and join them one by one.
      select m.id, m.conversation_id, m.has_workflow, c.contacted, is_group(c.chat_id) as is_group
      from (
        select id, conversation_id, ready_at, attempts > 0 or promised_at is not null as has_workflow from message
        where session_id = p_session and lane = queue.lane and bulk = queue.bulk and status = 'queued'
          and released_at is null and ready_at is not null and ready_at <= p_now
          and (lane = 1 or (origin = 'person') = queue.people)
        order by ready_at, id limit 1000) m
      join conversation c on c.id = m.conversation_id
      where queue.lane = 1 or coalesce(c.last_inbound_at > p_now - interval '24 hours', false) = queue.present
      -- Heads that were held for a day become ready at the same moment, so their ids keep the order of acceptance.
      order by m.ready_at, m.id
    loop
      looked := looked + 1;
      if looked > look_limit or cardinality(started) + cardinality(signalled) >= release_limit then
        next_at := p_now + case when looked > look_limit then interval '20 milliseconds' else interval '0' end;
        exit queues;
      end if;
      exit when queue.lane = 0
        and (case when queue.people then of_people else replies end) >= on_their_way_limit();
      if not queue.present then
        if queue.lane = 1 and pace.quiet_until is not null then
          perform hold_message(head.id, 'quiet_hours', pace.quiet_until, null, p_now);
          next_at := least(next_at, pace.quiet_until);
          exit;
        end if;
        if queue.lane = 1 and on_its_way >= (case when queue.bulk then bulk_limit else on_their_way_limit() end)
          and (queue.bulk or sends >= on_their_way_limit() / 2) then
          perform hold_message(head.id, 'queue', null, null, p_now);
          next_at := least(next_at, p_now + interval '250 milliseconds');
          exit;
        end if;
        if slot > p_now + pace.tolerance then
          perform hold_message(head.id, 'pace', slot - pace.tolerance, null, p_now);
          next_at := least(next_at, slot - pace.tolerance);
          exit;
        end if;
      end if;
      if v_next_start_at > p_now and not queue.bulk then
        if queue.lane = 1 then perform hold_message(head.id, 'queue', null, null, p_now); end if;
        next_at := least(next_at, v_next_start_at);
        v_starts_at := v_next_start_at;
        exit;
      end if;

      perform 1 from conversation where id = head.conversation_id for no key update skip locked;
      if not found then
        next_at := least(next_at, p_now + interval '20 milliseconds');
        continue;
      end if;
      -- The head may have gone or ended since it was found. From here on the lock keeps every other transaction from
      -- moving it.
      perform 1 from queue_heads(head.conversation_id) h having not bool_or(h.on_its_way) and bool_or(h.id = head.id);
      continue when not found;

      is_first := not head.is_group and not head.contacted
        and (pace.first_contact_limit > 0 or coalesce(pace.restricted_until > p_now, false))
        and not exists (select 1 from message m where m.conversation_id = head.conversation_id
          and was_said(m.status));
      if is_first and pace.restricted_until > p_now then
        perform hold_message(head.id, 'restricted', pace.restricted_until, pace.restricted_until, p_now);
        continue;
      end if;
      if is_first and pace.first_contact_limit > 0 and opened >= pace.first_contact_limit then
        perform hold_message(head.id, 'first_contacts', pace.tomorrow, pace.tomorrow, p_now);
        continue;
      end if;

      update message set released_at = p_now, updated_at = p_now, first_contact = is_first, held_until = null
        where id = head.id;
      if is_first then opened := opened + 1; end if;
      -- The spacing of waiting messages varies around its mean, because a person does not type by the clock.
      slot := greatest(slot, p_now) + pace.spacing
        * case when greatest(slot, p_now) + pace.spacing > p_now + pace.tolerance then 0.7 + 0.6 * random() else 1 end;
      on_its_way := on_its_way + 1;
      if queue.lane = 0 then replies := replies + 1; else sends := sends + 1; end if;
      if queue.people then of_people := of_people + 1; end if;
      if is_beside and not queue.bulk then v_next_start_at := p_now + start_spacing(p_session, p_now); end if;
      if head.has_workflow then signalled := signalled || head.id; else started := started || head.id; end if;
    end loop;
  end loop;

  if replies >= on_their_way_limit() and exists (
    select 1 from message m where m.session_id = p_session and m.lane = 0 and m.status = 'queued'
      and m.released_at is null and m.ready_at <= p_now) then
    next_at := least(next_at, p_now + interval '100 milliseconds');
  end if;
  if cardinality(started) + cardinality(signalled) > 0 then
    perform set_config('synchronous_commit', commits, true);
    update session_pace set next_slot_at = slot, first_contact_day = pace.today, first_contacts = opened,
      next_start_at = v_next_start_at
    where session_id = p_session;
    perform promise_messages(started, false);
    -- A message that was returned to its queue has a workflow, which waits for a signal.
    perform promise_messages(signalled, true);
  end if;
  -- The order makes the planner use the index of ready messages.
  select least(next_at, min(later.ready_at)) into next_at from session_queues() q cross join lateral (
    select m.ready_at from message m
    where m.session_id = p_session and m.lane = q.lane and m.bulk = q.bulk and m.status = 'queued'
      and m.released_at is null and m.ready_at > p_now
    order by m.ready_at limit 1) later;
  perform set_release_at(p_session, next_at);
  return jsonb_build_object('released', cardinality(started) + cardinality(signalled), 'nextAt', next_at)
    || case when v_starts_at is null then '{}'::jsonb else jsonb_build_object('startsAt', v_starts_at) end;
end
$$;

-- Notes which rule holds a head, and until when, if either has changed. It does not hold the conversation's lock, so it
-- skips a message that another transaction has locked: that transaction may be waiting for the session's pace. The
-- history tells each new rule except `queue`, which comes and goes.
create or replace function hold_message(p_message text, p_rule text, p_until timestamptz, p_ready timestamptz,
  p_now timestamptz)
returns void language sql as $$
  with was as (
    select id, held_by from message where id = p_message and (held_by, held_until) is distinct from (p_rule, p_until)
    for no key update skip locked
  ), held as (
    update message m set held_by = p_rule, held_until = p_until, ready_at = coalesce(p_ready, m.ready_at) from was
      where m.id = was.id
  )
  insert into message_history (message_id, at, status, reason, detail)
  select id, p_now, 'queued', p_rule, 'until ' || to_char(p_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  from was where p_rule <> 'queue' and held_by is distinct from p_rule
$$;

-- Gives back the slot of a release that led to no call, and its share of that day's first contacts. Another message may
-- go in its place, so the session is due.
create or replace function return_slot(p_session text, p_released_at timestamptz, p_first_contact boolean,
  p_now timestamptz)
returns void language sql as $$
  update session_pace s set next_slot_at = s.next_slot_at - r.spacing, release_at = least(s.release_at, p_now),
    first_contacts = case when p_first_contact and s.first_contact_day = r.today
      and p_released_at >= r.tomorrow - interval '1 day'
      then greatest(s.first_contacts - 1, 0) else s.first_contacts end
  from pace_of(p_session, p_now) r where s.session_id = p_session
$$;

-- Returns a released message that cannot go now to its queue for a while, and gives its slot and its place to other
-- messages. The caller holds the conversation's lock. False when the message is not released any more.
create or replace function give_place_back(p_message text, p_now timestamptz, p_pause interval)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  given record;
begin
  select session_id, conversation_id, released_at, first_contact into given from message
  where id = p_message and status = 'queued' and released_at is not null;
  if not found then return false; end if;
  -- `promised_at` marks that the message has a workflow, so its next release signals the workflow.
  update message set released_at = null, taken_at = null, promised_at = coalesce(promised_at, p_now),
    ready_at = p_now + p_pause
  where id = p_message;
  update message set ready_at = p_now
  where id in (select h.id from queue_heads(given.conversation_id) h where h.ready_at is null and not h.on_its_way);
  perform return_slot(given.session_id, given.released_at, given.first_contact, p_now);
  return true;
end
$$;

-- Gives back the slot of a message that was certainly not sent and is back in its queue. The message waits a little
-- longer after each attempt, and the session's next release lets it or another message go. The caller holds the
-- conversation's lock. True when the slot was given back: the session has a pace, or the message has failed three times
-- and must not hold up the others.
create or replace function refund_slot(p_message text, p_now timestamptz)
returns boolean language sql as $$
  select coalesce((select give_place_back(m.id, p_now, least(power(2, least(m.attempts, 6)), 60) * interval '1 second')
    from message m where m.id = p_message and m.status = 'queued' and m.released_at is not null
      and (m.attempts >= 3 or (select paced from pace_of(m.session_id, p_now)))), false)
$$;
