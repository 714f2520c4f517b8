-- True when `release_session` lets a session's messages go, because the engine or the tenant has set a pace or quiet
-- hours.
create or replace function is_paced(p_settings jsonb, p_default_per_minute integer) returns boolean
  language sql immutable as $$
  select p_default_per_minute > 0 or p_settings ?| array['pace', 'quietHours']
$$;

-- True while the network refuses a session's first contacts, with or without a pace.
create or replace function is_restricted(p_session text, p_now timestamptz) returns boolean language sql stable as $$
  select exists (select 1 from session_pace where session_id = p_session and restricted_until > p_now)
$$;

-- True while first contacts of a session go by the releaser, with or without a pace.
create or replace function holds_first_contacts(p_session text, p_now timestamptz) returns boolean
  language sql stable as $$
  select exists (select 1 from session_pace
    where session_id = p_session and (restricted_until > p_now or first_contacts_cap_until > p_now))
$$;

create or replace function on_their_way_limit() returns integer language sql immutable as 'select 16';

-- Lists a session's messages that are on their way and not sent, with the lane of each. A send that is being settled is
-- left out, and so is one whose call takes more than a minute: a few of those would stop the session.
create or replace function sends_on_their_way(p_session text, p_now timestamptz)
returns table (lane smallint, released_at timestamptz, fetches boolean) language sql stable as $$
  select m.lane, m.released_at, m.status = 'queued' and m.media is null and m.content ? 'attachment' from message m
  where m.session_id = p_session and m.status in ('queued', 'sending') and m.released_at is not null
    and m.lost_at is null and (m.status = 'queued' or m.claimed_at > p_now - interval '1 minute')
$$;

-- Counts a session's messages that are on their way. Their number is limited with and without a pace, so a broadcast
-- waits as rows and not as workflows.
create or replace function on_their_way(p_session text, p_now timestamptz) returns integer language sql stable as $$
  select count(*)::integer from (
    select 1 from sends_on_their_way(p_session, p_now) limit on_their_way_limit()) counted
$$;

-- Counts only the replies on their way. They have a limit of their own, so that bulk does not hold them back, and a
-- flood of them waits as rows, too. A reply whose file has not come after a minute does not hold back the others.
create or replace function replies_on_their_way(p_session text, p_now timestamptz) returns integer
  language sql stable as $$
  select count(*)::integer from (
    select 1 from sends_on_their_way(p_session, p_now) s
    where s.lane = 0 and not (s.fetches and s.released_at < p_now - interval '1 minute')
    limit on_their_way_limit()) counted
$$;

-- Counts people's replies on their way. Only these hold back another one, because a person waits for the button.
create or replace function replies_of_people(p_session text, p_now timestamptz) returns integer
  language sql stable as $$
  select count(*)::integer from (
    select 1 from message m
    where m.session_id = p_session and m.origin = 'person' and m.lane = 0 and m.status in ('queued', 'sending')
      and m.released_at is not null and m.lost_at is null and (m.status = 'queued'
        and not (m.media is null and m.content ? 'attachment' and m.released_at < p_now - interval '1 minute')
        or m.status = 'sending' and m.claimed_at > p_now - interval '1 minute')
    limit on_their_way_limit()) counted
$$;

-- Counts the messages on their way that are no replies.
create or replace function sends_of_programs(p_session text, p_now timestamptz) returns integer
  language sql stable as $$
  select count(*)::integer from (
    select 1 from sends_on_their_way(p_session, p_now) s where s.lane = 1 limit on_their_way_limit()) counted
$$;

-- True while another agency sends, too (`agency_at_work` is written where promises are leased). Each message costs the
-- machine about as much as any other, so an agency's flood must leave room for who comes now and then.
create or replace function is_beside_others(p_session text, p_now timestamptz) returns boolean
  language sql stable as $$
  select exists (
    select 1 from agency_at_work w where w.at > p_now - interval '10 seconds'
      and w.agency_id <> (select s.agency_id from session s where s.id = p_session))
$$;

-- Answers how long after a message the next one of the session starts beside other agencies. An agency starts ten a
-- second for each worker that runs, times its share, however many of its sessions have something that is due. Ten
-- sessions count at most, so that each starts at least one a second.
create or replace function start_spacing(p_session text, p_now timestamptz) returns interval language sql stable as $$
  select interval '100 milliseconds' / coalesce(stored_number(a.limits->'share', 0.1), 1)
    / greatest(1, (select count(*) from delivery_worker w where w.leased_until > p_now)) * greatest(1, (
    select count(*) from (
      select 1 from (
        select p.session_id from session_pace p where p.release_at <= p_now + interval '1 second'
        order by p.release_at limit 100) due
      join session o on o.id = due.session_id and o.agency_id = own.agency_id limit 10) sessions))
  from session own join agency a on a.id = own.agency_id where own.id = p_session
$$;

-- True while a message that the session has just started has not gone. A broadcast's do not count, because one
-- execution delivers several. One that is still there after a quarter of a second waits for something else, such as its
-- file.
create or replace function has_just_started(p_session text, p_now timestamptz) returns boolean
  language sql stable as $$
  select exists (select 1 from message m
    where m.session_id = p_session and m.status in ('queued', 'sending') and not m.bulk and m.lost_at is null
      and m.released_at > p_now - interval '250 milliseconds')
$$;

-- True while the next message of the session waits for its start, because another agency sends, too.
create or replace function waits_for_start(p_session text, p_now timestamptz) returns boolean
  language sql stable as $$
  select is_beside_others(p_session, p_now) and (has_just_started(p_session, p_now)
    or exists (select 1 from session_pace where session_id = p_session and next_start_at > p_now))
$$;

-- True when a new head waits for the releaser, which lets heads go in their turn: the session is restricted or warned,
-- or has as many messages on their way as it may, or waits for its start beside another agency, or other heads wait
-- already.
create or replace function is_held(p_session text, p_now timestamptz) returns boolean language sql stable as $$
  select holds_first_contacts(p_session, p_now) or on_their_way(p_session, p_now) >= on_their_way_limit()
    or waits_for_start(p_session, p_now) or exists (
    select 1 from message where session_id = p_session and status = 'queued' and released_at is null
      and ready_at is not null)
$$;

-- Answers the pace of a session now. The tenant's own settings come before the defaults; 0 means no limit. The limit of
-- first contacts rises from a fifth to the whole within a week of the session's first connection, and stays below that
-- of an account that the network has warned (`cap`). The rate rises in the same way within five minutes of the
-- session's return from an outage (`ramp`).
create or replace function pace_of(p_session text, p_now timestamptz)
returns table (paced boolean, working boolean, suspended boolean, spacing interval, tolerance interval,
  next_slot_at timestamptz, first_contact_limit integer, first_contacts integer, today date, tomorrow timestamptz,
  quiet_until timestamptz, restricted_until timestamptz)
language sql stable as $$
  select is_paced(t.settings, d.per_minute) or coalesce(p.restricted_until > p_now, false) or cap.per_day is not null,
    is_working(s.status),
    is_suspended(a.status), rate.spacing, rate.spacing * greatest(floor(own.burst * ramp.factor) - 1, 0),
    coalesce(p.next_slot_at, 'epoch'),
    coalesce(least(nullif(rising.per_day, 0), cap.per_day), 0),
    case when p.first_contact_day = clock.today then p.first_contacts else 0 end,
    clock.today, (clock.today + 1)::timestamp at time zone zone.name,
    case when case when quiet.starts < quiet.ends then clock.local >= quiet.starts and clock.local < quiet.ends
        else clock.local >= quiet.starts or clock.local < quiet.ends end
      then (clock.today + (quiet.ends <= clock.local)::integer + quiet.ends) at time zone zone.name end,
    p.restricted_until
  from session s
  join agency a on a.id = s.agency_id
  join tenant t on t.agency_id = s.agency_id and t.id = s.tenant_id
  left join session_pace p on p.session_id = s.id
  join pace_default d on d.one
  cross join lateral (select zone_of(t.settings) as name) zone
  cross join lateral (select (p_now at time zone zone.name)::date as today,
    (p_now at time zone zone.name)::time as local) clock
  cross join lateral (select stored_time(t.settings->'quietHours'->'from') as starts,
    stored_time(t.settings->'quietHours'->'to') as ends) quiet
  cross join lateral (select
    coalesce(stored_int(t.settings->'pace'->'perMinute', 0, 6000)::integer, d.per_minute) as per_minute,
    coalesce(stored_int(t.settings->'pace'->'burst', 1, 1000)::integer, d.burst) as burst,
    stored_int(t.settings->'pace'->'firstContactsPerDay', 0, 100000)::integer as first_contacts) own
  cross join lateral (select case when p_now < p.ramp_since + interval '5 minutes'
    then 0.2 + 0.8 * greatest(extract(epoch from p_now - p.ramp_since)::float8, 0) / 300 else 1 end as factor) ramp
  cross join lateral (select
    ceil(coalesce(own.first_contacts, case when own.per_minute > 0 then d.first_contacts_per_day else 0 end)
      * (0.2 + 0.8 * least(clock.today - (coalesce(p.first_connected_at, s.created_at) at time zone zone.name)::date,
        6) / 6.0))::integer as per_day) rising
  cross join lateral (select case when p.first_contacts_cap_until > p_now then p.first_contacts_cap end as per_day) cap
  cross join lateral (select case when own.per_minute > 0 then interval '1 minute' / own.per_minute / ramp.factor
    else interval '0' end as spacing) rate
  where s.id = p_session
$$;

-- Answers a session's next slot. Replies that went at once have used later slots; they delay bulk messages by a minute
-- at most.
create or replace function slot_of(p_next_slot timestamptz, p_now timestamptz, p_spacing interval, p_tolerance interval)
returns timestamptz language sql immutable as $$
  select case when p_spacing = interval '0' then p_now
    else least(p_next_slot, p_now + p_tolerance + greatest(p_spacing * 1.3, interval '1 minute')) end
$$;

-- Lists the queues of a session in the order in which they are released. Bulk messages wait for everything else.
create or replace function session_queues() returns table (lane smallint, bulk boolean) language sql immutable as $$
  values (0::smallint, false), (0::smallint, true), (1::smallint, false), (1::smallint, true)
$$;

create or replace function plan_row(p_at timestamptz, p_rule text) returns jsonb language sql stable as $$
  select jsonb_build_object('sendAt', p_at, 'rule', p_rule)
$$;

-- Finds the day, from `p_from` on, on which a session may open one more conversation after `p_ahead` others. Answers
-- the start of that day, or `p_from` itself for the first day. The limit rises for a week, so the first days are
-- counted one by one.
create or replace function first_contact_day(p_session text, p_from timestamptz, p_ahead integer)
returns timestamptz language plpgsql stable as $$
declare
  pace record;
  ahead integer := p_ahead;
  due timestamptz := p_from;
begin
  for day in 1..8 loop
    select * into pace from pace_of(p_session, due);
    if pace.first_contact_limit <= 0 or ahead < pace.first_contact_limit - pace.first_contacts then return due; end if;
    ahead := ahead - greatest(pace.first_contact_limit - pace.first_contacts, 0);
    due := pace.tomorrow;
  end loop;
  -- `tomorrow` of the noon before is the start of the day, even when a clock change makes a day shorter or longer.
  return (select p.tomorrow
    from pace_of(p_session,
      pace.tomorrow + (ahead / pace.first_contact_limit) * interval '1 day' - interval '12 hours') p);
end
$$;

-- Answers when what becomes due at `p_at` may go: quiet hours hold what nobody in the chat waits for (lane 1).
create or replace function after_quiet_hours(p_session text, p_lane smallint, p_at timestamptz)
returns timestamptz language sql stable as $$
  select case when p_lane = 1 then greatest(p_at, (select p.quiet_until from pace_of(p_session, p_at) p)) else p_at end
$$;

-- Estimates when a message is likely to go out; null when that cannot be known. It names the rule that decides the day,
-- else the rule that delays the message last. Only the heads among the messages that wait before it are counted, up to
-- 1,000. `expiresBefore` is set when the message will have expired by then.
create or replace function plan_of(p_message text, p_now timestamptz)
returns jsonb language plpgsql stable set enable_seqscan = off as $$
declare
  asked record;
  chat record;
  pace record;
  heads integer;
  slot timestamptz;
  quiet timestamptz;
  held timestamptz;
  rule text := 'now';
  due timestamptz := p_now;
begin
  select q.status, q.released_at, q.scheduled_at, q.ready_at, q.held_by, q.held_until, q.lane, q.bulk, q.session_id,
    q.conversation_id, q.expires_at
  into asked from message q where q.id = p_message;
  if asked.status = 'scheduled' then
    due := greatest(asked.scheduled_at, p_now);
    rule := 'scheduled';
  elsif asked.released_at is not null or asked.status is distinct from 'queued' then
    return plan_row(p_now, 'now');
  end if;
  select * into pace from pace_of(asked.session_id, due);
  if rule <> 'scheduled' then
    if pace.suspended then return plan_row(null, 'suspended'); end if;
    if not pace.working then return plan_row(null, 'session_not_working'); end if;
    if not pace.paced then return plan_row(p_now, 'queue'); end if;
    if not exists (select 1 from queue_heads(asked.conversation_id) h where h.id = p_message) then
      rule := 'queue';
    end if;
  end if;
  select q.contacted, q.last_inbound_at, is_group(q.chat_id) as is_group into chat from conversation q
    where q.id = asked.conversation_id;
  -- A reply to a contact who wrote within a day waits only for the messages before it in its conversation.
  if asked.lane = 0 and chat.last_inbound_at > due - interval '24 hours' then return plan_row(due, rule); end if;

  if rule <> 'scheduled' then
    if asked.held_until > due then due := asked.held_until; rule := asked.held_by; end if;
    select count(*) into heads from (
      select 1 from session_queues() s cross join lateral (
        select 1 from message q where q.session_id = asked.session_id and q.lane = s.lane and q.bulk = s.bulk
          and q.status = 'queued' and q.released_at is null and q.ready_at <= greatest(asked.ready_at, p_now)
        order by q.ready_at limit 1000) head
      where (s.lane, s.bulk) <= (asked.lane, asked.bulk) limit 1001) ahead;
    slot := slot_of(pace.next_slot_at, p_now, pace.spacing, pace.tolerance)
      + pace.spacing * greatest(heads - 1, 0) - pace.tolerance;
    if slot > due then due := slot; rule := 'pace'; end if;
  end if;
  quiet := after_quiet_hours(asked.session_id, asked.lane, due);
  if quiet > due and rule not in ('first_contacts', 'restricted') then rule := 'quiet_hours'; end if;
  due := greatest(due, quiet);
  if not chat.contacted and not chat.is_group then
    if pace.restricted_until > due then due := pace.restricted_until; rule := 'restricted'; end if;
    if pace.first_contact_limit > 0 then
      held := first_contact_day(asked.session_id, due, first_contacts_before(asked.session_id, asked.conversation_id,
        coalesce((select h.id from queue_heads(asked.conversation_id) h
          where h.lane = asked.lane and rule <> 'scheduled'), p_message), asked.lane, asked.bulk));
      if held > due then due := held; rule := 'first_contacts'; end if;
    end if;
    quiet := after_quiet_hours(asked.session_id, asked.lane, due);
    if quiet > due and rule not in ('first_contacts', 'restricted') then rule := 'quiet_hours'; end if;
    due := greatest(due, quiet);
  end if;
  return plan_row(due, rule)
    || case when asked.expires_at <= due then '{"expiresBefore": true}'::jsonb else '{}'::jsonb end;
end
$$;

-- Counts the first contacts of a session that are opened before the conversation of a message, up to 1,000. Within a
-- queue they are compared by message id, the order of acceptance, because messages that are held for a day become ready
-- at the same moment.
create or replace function first_contacts_before(p_session text, p_conversation text, p_message text, p_lane smallint,
  p_bulk boolean)
returns integer language sql stable as $$
  select count(distinct ahead.conversation_id)::integer from (
    select head.conversation_id from session_queues() s cross join lateral (
      select q.id, q.conversation_id from message q
      where q.session_id = p_session and q.lane = s.lane and q.bulk = s.bulk
        and q.status = 'queued' and q.released_at is null and q.ready_at is not null
      order by q.ready_at limit 1000) head
    join conversation c on c.id = head.conversation_id and not c.contacted and not is_group(c.chat_id)
    where head.conversation_id <> p_conversation
      and ((s.lane, s.bulk) < (p_lane, p_bulk) or ((s.lane, s.bulk) = (p_lane, p_bulk) and head.id < p_message))
    limit 1000) ahead
$$;
