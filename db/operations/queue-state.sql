-- The seconds since a time; 0 for none, and for one that is still to come.
create or replace function seconds_since(p_at timestamptz, p_now timestamptz) returns float8
  language sql immutable as $$
  select coalesce(greatest(extract(epoch from p_now - p_at), 0), 0)::float8
$$;

-- Answers how much waits in all queues, and since when. Each number is read along an index of what waits, and a count
-- stops at `p_most`, so that it costs the same however long a queue is.
create or replace function queue_state(p_now timestamptz, p_most integer) returns jsonb
  language plpgsql stable set enable_seqscan = off as $$
declare
  v_dispatches jsonb;
begin
  -- The oldest promise of a priority is the first of one of its agencies, which are found by jumping along the index.
  with recursive queue as (
    (select priority, agency_id, created_at from dispatch where parked_at is null
      order by priority, agency_id, id limit 1)
    union all
    select next.priority, next.agency_id, next.created_at from queue q cross join lateral (
      select d.priority, d.agency_id, d.created_at from dispatch d
      where d.parked_at is null and (d.priority, d.agency_id) > (q.priority, q.agency_id)
      order by d.priority, d.agency_id, d.id limit 1) next
  ), oldest as (
    select priority, min(created_at) as at from (select * from queue limit p_most) q group by priority
  )
  select coalesce(jsonb_agg(jsonb_build_object('priority', o.priority, 'seconds', seconds_since(o.at, p_now),
    'waiting', (select count(*) from (select 1 from dispatch d
      where d.parked_at is null and d.priority = o.priority limit p_most) counted)) order by o.priority), '[]')
  into v_dispatches from oldest o;

  return jsonb_build_object(
    'dispatches', v_dispatches,
    'messages', jsonb_build_object(
      'scheduled', (select count(*) from (select 1 from message where status = 'scheduled' limit p_most) counted),
      'queued', (select count(*) from (select 1 from message where status = 'queued' limit p_most) counted),
      'sending', (select count(*) from (select 1 from message where status = 'sending' limit p_most) counted),
      'uncertain', (select count(*) from (select 1 from message where status = 'uncertain' limit p_most) counted)),
    'messageSeconds', jsonb_build_object(
      'scheduled', seconds_since((select min(scheduled_at) from message where status = 'scheduled'), p_now),
      -- As a rule the message that expires first was accepted first.
      'queued', seconds_since((select min(first.created_at) from (select created_at from message
        where status = 'queued' order by expires_at limit 100) first), p_now)),
    'deliveries', (select count(*) from (select 1 from delivery where status = 'pending' limit p_most) counted),
    'deliverySeconds', seconds_since((select min(event_created_at) from delivery where status = 'pending'), p_now),
    'failingSeconds', seconds_since((select min(first_attempt_at) from delivery
      where status = 'pending' and attempts > 0 and not out_of_order), p_now),
    'breakers', jsonb_build_object(
      'open', (select count(*) from (select 1 from endpoint_health where breaker = 'open' limit p_most) counted),
      'half_open',
        (select count(*) from (select 1 from endpoint_health where breaker = 'half_open' limit p_most) counted)),
    -- A suspended agency goes on owing its answers, and they are nobody's alarm.
    'owed', (select count(*) from (select 1 from message m join agency a on a.id = m.agency_id
      where m.awaits_turn and not is_suspended(a.status) and not waits_for_model(m, p_now) limit p_most) counted),
    'owedSeconds', seconds_since((select min(first.at) from (
      select coalesce(m.owed_from, m.created_at) as at from message m join agency a on a.id = m.agency_id
      where m.awaits_turn and not is_suspended(a.status) and not waits_for_model(m, p_now) limit p_most) first), p_now),
    -- Few conversations have such a reason, and an index has them alone. Each of them is looked at, so few are counted.
    'owedToPeople', (select count(*) from (select 1 from conversation c join agency a on a.id = c.agency_id
      where is_owed_to_people(c, p_now) and not is_suspended(a.status) limit least(p_most, 1000)) counted),
    'syncs', (select count(*) from (select 1 from history_sync where next_at <= p_now limit p_most) counted),
    'syncSeconds', seconds_since((select min(next_at) from history_sync), p_now));
end
$$;
