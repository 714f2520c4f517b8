-- Answers what agencies were told after their places, without bodies, for the streams of a process: one statement for
-- all agencies, however many streams wait. Each agency has a row at least, which says how its reading stands. As for a
-- pull, an event is shown once its number is lower than that of every open transaction.
--
-- A reading goes on from a place of just now, so older partitions have nothing of it: `p_since` leaves them out.
create or replace function read_news(p_agencies text[], p_txids text[], p_places bigint[], p_since timestamptz,
  p_limit integer)
returns table (agency_id text, oldest_open text, is_known boolean, is_held_back boolean, id text, txid text,
  place text, type text, tenant_id text, session_id text, conversation_id text, sequence float8,
  created_at timestamptz, is_trial boolean)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
  v_oldest xid8 := pg_snapshot_xmin(pg_current_snapshot());
begin
  return query
  select asked.agency_id, v_oldest::text, asked.txid::xid8 <= v_oldest, held_back.by is true,
    news.id, news.txid::text, news.place::text, news.type, news.tenant_id, news.session_id, news.conversation_id,
    news.sequence::float8, news.created_at, news.trial_of is not null
  from unnest(p_agencies, p_txids, p_places) as asked(agency_id, txid, place) left join lateral (
    -- Once an agency, and with exists the planner may read the events of all.
    select true as by from event v
    where v.agency_id = asked.agency_id and v.txid >= v_oldest and v.created_at >= p_since limit 1) held_back on true
  left join lateral (
    select v.id, v.txid, v.place, v.type, v.tenant_id, v.session_id, v.conversation_id, v.sequence, v.created_at,
      v.trial_of
    from event v
    where v.agency_id = asked.agency_id and (v.txid, v.place) > (asked.txid::xid8, asked.place) and v.txid < v_oldest
      and v.created_at >= p_since
    order by v.txid, v.place limit p_limit) news on true
  order by asked.agency_id, news.txid, news.place;
end
$$;
