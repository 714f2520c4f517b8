-- Takes the files of messages away, and says why (`MEDIA_ERROR_TEXTS`). A message that is not sent yet keeps its file.
-- Returns how many messages had one, stored or still to be fetched. The triggers of `message` let go of the files
-- themselves, which `take_unused_files` answers once no other row names them.
create or replace function remove_files(p_messages text[], p_error text, p_now timestamptz)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_count integer;
begin
  -- Before the messages, as at the end of a fetch, so that the two cannot wait for each other.
  delete from media_fetch where message_id in (
    select message_id from media_fetch where message_id = any(p_messages) order by message_id for update);
  with those as (
    select id from message
    where id = any(p_messages) and media is not null and not starts_with(coalesce(media->>'error', ''), 'media_')
      and status not in ('scheduled', 'queued', 'sending')
    order by id for no key update
  )
  update message m set updated_at = p_now,
    media = (m.media - 'stored' - 'thumbnail') || jsonb_build_object('url', null, 'error', p_error)
  from those where m.id = those.id;
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- Takes away the oldest files that tenants keep no longer, `p_limit` at most. Returns how many.
create or replace function expire_files(p_now timestamptz, p_limit integer)
returns integer language plpgsql set enable_seqscan = off as $$
begin
  return remove_files(array(
    select old.id from tenant t cross join lateral (
      select m.id from message m
      where m.agency_id = t.agency_id and m.tenant_id = t.id
        and m.occurred_at < p_now - stored_int(t.settings->'mediaRetentionDays', 1, 36500) * interval '1 day'
        and m.media is not null and not starts_with(coalesce(m.media->>'error', ''), 'media_')
        and m.status not in ('scheduled', 'queued', 'sending')
      order by m.occurred_at limit p_limit) old
    where t.settings ? 'mediaRetentionDays' limit p_limit), 'media_expired', p_now);
end
$$;

-- Holds a key while its file is put and a row comes to name it. False while the file is being deleted.
create or replace function hold_file(p_key text, p_for interval)
returns boolean language plpgsql as $$
begin
  insert into media_key as k (key, held_until) values (p_key, clock_timestamp() + p_for)
  on conflict (key) do update set held_until = greatest(k.held_until, excluded.held_until), deleting_until = null
    where k.deleting_until is null or k.deleting_until <= clock_timestamp();
  return found;
end
$$;

-- Holds a key for a client, who has uploaded the file and names it later. An erasure respects this hold alone: the file
-- of the erased person is held for a while, too, by the fetch that has put it.
create or replace function hold_upload(p_key text, p_for interval)
returns boolean language plpgsql as $$
begin
  if not hold_file(p_key, p_for) then return false; end if;
  update media_key set uploaded_until = greatest(uploaded_until, clock_timestamp() + p_for) where key = p_key;
  return true;
end
$$;

-- Takes a file of an erased person, for the caller to delete within ten minutes; false where somebody else has it: a
-- row names it, or a client has uploaded it and may still name it.
create or replace function take_erased_file(p_key text)
returns boolean language plpgsql set enable_seqscan = off as $$
begin
  if is_file_named(p_key) then return false; end if;
  insert into media_key as k (key, held_until, deleting_until)
  values (p_key, clock_timestamp(), clock_timestamp() + interval '10 minutes')
  on conflict (key) do update set deleting_until = excluded.deleting_until
    where coalesce(k.uploaded_until <= clock_timestamp(), true);
  return found;
end
$$;

-- True when a message, a contact or an account has the file.
create or replace function is_file_named(p_key text)
returns boolean language sql stable as $$
  select exists (select 1 from message where media ? 'stored' and (media->'stored'->>'key') collate "C" = p_key)
    or exists (select 1 from contact where picture is not null and picture->>'key' = p_key)
    or exists (select 1 from session where picture is not null and picture->>'key' = p_key)
    or exists (select 1 from tenant_export_part p join tenant_export x on x.id = p.export_id
      where p.key = p_key and x.gone_reason is null)
$$;

-- Answers keys whose files nobody names, `p_limit` at most; the caller has ten minutes to delete them. Keys that were
-- let go are looked at after a pause, because a message that is sent again takes over the file of the first one. A key
-- that is put at the same time is not among them: either its hold is seen here, or whoever puts it sees
-- `deleting_until`.
create or replace function take_unused_files(p_limit integer)
returns setof text language plpgsql set enable_seqscan = off as $$
begin
  with gone as (
    delete from media_let_go where id in (
      select id from media_let_go where at < clock_timestamp() - interval '10 minutes'
      order by id limit p_limit for update skip locked)
    returning key
  )
  insert into media_key (key, held_until) select g.key, statement_timestamp() from gone g group by g.key order by g.key
  on conflict do nothing;
  return query
    with due as (
      select k.key from media_key k
      where k.held_until <= clock_timestamp()
        and (k.deleting_until is null or k.deleting_until <= clock_timestamp())
      order by k.held_until limit p_limit for update skip locked
    ), looked as (
      select d.key, is_file_named(d.key) as is_named from due d
    ), kept as (
      delete from media_key k using looked l where k.key = l.key and l.is_named
    )
    update media_key k set deleting_until = clock_timestamp() + interval '10 minutes'
    from looked l where k.key = l.key and not l.is_named
    returning k.key;
end
$$;

-- Promises the files of histories that nobody waits for: the newest of each session first, `p_per_session` of a session
-- and `p_in_all` at a time. It looks at `p_look` sessions from this one on, and answers how many files it has promised
-- and the session at which the next look begins. A fetch that waits for its session does not count for long, so that
-- sessions that are away do not hold up the others.
create or replace function fetch_history_files(p_from text, p_look integer, p_days integer, p_per_session integer,
  p_in_all integer, p_now timestamptz)
returns table (promised integer, next_from text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_room integer := p_in_all - (select count(*) from media_fetch
    where background and created_at > p_now - interval '5 minutes');
  v_messages text[];
  v_next text;
begin
  with recursive waiting as (
    (select m.session_id, 1 as place from message m
      where m.session_id >= p_from and m.origin = 'history' and m.media is not null and not m.media ? 'stored'
        and not starts_with(coalesce(m.media->>'error', ''), 'media_')
      order by m.session_id limit 1)
    union all
    (select next.session_id, w.place + 1 from waiting w cross join lateral (
      select m.session_id from message m
      where m.session_id > w.session_id and m.origin = 'history' and m.media is not null and not m.media ? 'stored'
        and not starts_with(coalesce(m.media->>'error', ''), 'media_')
      order by m.session_id limit 1) next
      where w.place <= p_look)
  ), chosen as (
    select newest.id from waiting w join session s on s.id = w.session_id
      join tenant t on t.agency_id = s.agency_id and t.id = s.tenant_id
      cross join lateral (
        select m.id from message m
        where m.session_id = w.session_id and m.origin = 'history' and m.media is not null and not m.media ? 'stored'
          and not starts_with(coalesce(m.media->>'error', ''), 'media_') and m.network_id is not null
          and m.occurred_at > p_now
            - least(p_days, coalesce(stored_int(t.settings->'mediaRetentionDays', 1, 36500)::integer, p_days))
              * interval '1 day'
          and not exists (select 1 from media_fetch f where f.message_id = m.id)
        order by m.occurred_at desc limit greatest(0, p_per_session
          - (select count(*) from media_fetch f where f.session_id = w.session_id and f.background))) newest
    where w.place <= p_look and s.status = 'WORKING' and s.deleted_at is null
    order by w.place limit greatest(0, v_room)
  )
  select (select array_agg(id) from chosen), coalesce((select w.session_id from waiting w where w.place > p_look), '')
  into v_messages, v_next;
  with new_fetch as (
    insert into media_fetch (message_id, agency_id, tenant_id, session_id, tells, background, created_at, promised_at)
    select m.id, m.agency_id, m.tenant_id, m.session_id, false, true, p_now, p_now from message m
    where m.id = any(v_messages) order by m.id
    on conflict (message_id) do nothing returning message_id
  )
  insert into dispatch (workflow_type, workflow_id, action, args, attributes, summary, priority, agency_id)
  -- The last of the priorities: everything else goes first.
  select w.workflow_type, w.workflow_id, 'start', w.args, w.attributes, w.summary, 5, w.agency_id
  from message m join new_fetch n on n.message_id = m.id cross join lateral media_workflow(m) w;
  return query select coalesce(cardinality(v_messages), 0), v_next;
end
$$;

-- Adds up what was counted of each tenant's files, where there is more than one row. Returns how many tenants.
create or replace function add_up_media_usage(p_limit integer)
returns integer language plpgsql as $$
declare
  v_tenants integer;
begin
  with many as (
    select agency_id, tenant_id from media_usage group by agency_id, tenant_id having count(*) > 1 limit p_limit
  ), parts as (
    delete from media_usage u using many m where u.agency_id = m.agency_id and u.tenant_id = m.tenant_id
    returning u.agency_id, u.tenant_id, u.files, u.size_bytes
  )
  insert into media_usage (agency_id, tenant_id, files, size_bytes)
  select agency_id, tenant_id, sum(files), sum(size_bytes) from parts group by agency_id, tenant_id;
  get diagnostics v_tenants = row_count;
  return v_tenants;
end
$$;
