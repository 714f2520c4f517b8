-- True where a file may still come: it is not in the store, and nobody has said that it cannot be had any more.
create or replace function lacks_file(p_media jsonb) returns boolean language sql immutable as $$
  select p_media is null or not (p_media ? 'stored' or starts_with(coalesce(p_media->>'error', ''), 'media_'))
$$;

-- Answers how much a report shows of a message: 0 nothing, because its content is still to come; 1 the name of content
-- that has neither words nor a file; 2 its content.
create or replace function content_level(p_kind text, p_body text, p_media jsonb, p_content jsonb)
returns integer language sql immutable as $$
  select case when coalesce(p_content ? 'contentState', false) then 0
    when p_kind not in ('text', 'other') or p_body <> '' or coalesce(p_media, 'null') <> 'null'
      or coalesce(nullif(p_content, 'null'), '{}')
        - array['unsupported', 'forwarded', 'ephemeral', 'broadcast', 'mentions', 'selected'] <> '{}' then 2
    when p_content ? 'unsupported' then 1 else 0 end
$$;

-- Answers the same of an own message that is parked.
create or replace function parked_level(p jsonb) returns integer language sql immutable as $$
  select case when (p->>'hasMedia')::boolean then 2
    else content_level(p->>'kind', p->>'body', p->'media', p->'content') end
$$;

-- True for a report, or a row, that marks its file to be seen once.
create or replace function is_seen_once(p_content jsonb) returns boolean language sql immutable as $$
  select coalesce(p_content ? 'viewOnce', false)
$$;

-- Answers a parked message as it is kept where `p_is_seen_once`: marked, and without its file.
create or replace function parked_once(p jsonb, p_is_seen_once boolean) returns jsonb language sql immutable as $$
  select case when p_is_seen_once then p || '{"hasMedia": false, "media": null}' || jsonb_build_object('content',
    coalesce(nullif(p->'content', 'null'), '{}') || '{"viewOnce": true}') else p end
$$;

-- Finds what is known under the network's id of a message that a contact is said to have written. `is_own`: this
-- session has sent it, or is about to, or another report that waits has said so: the report is an echo, whatever it
-- says of its direction. `address` is the other address of the same person, under which an earlier report has shown
-- the message. `conversation_id` is the chat in which the contact's message is.
drop function if exists known_report(text, text, text);
create function known_report(p_session text, p_network_id text, p_chat_id text)
returns table (is_own boolean, address text, conversation_id text) language sql stable as $$
  select exists (select 1 from message m
      where m.chosen_network_id = p_network_id and m.session_id = p_session and m.status in ('sending', 'uncertain'))
    or exists (select 1 from parked_own_message o
      where o.session_id = p_session and o.network_id = p_network_id and not is_held(o))
    or coalesce(bool_or(m.direction = 'out'), false),
    -- A phone and a hidden id are two addresses of one person. Two phones are two people.
    min(a.address) filter (
      where split_part(a.address, '@', 2) || split_part(p_chat_id, '@', 2) in ('c.uslid', 'lidc.us')),
    min(c.id) filter (where m.direction = 'in')
  from message m join conversation c on c.id = m.conversation_id
    cross join lateral (select coalesce(m.chat_id, c.chat_id) as address) a
  where m.network_id = p_network_id and m.session_id = p_session and m.direction in ('in', 'out')
$$;

-- True for what stands in the chat of the session's own account, or in a group under its address: no customer wrote
-- it.
create or replace function is_of_own_account(p_session text, p jsonb) returns boolean language sql stable as $$
  select exists (select 1 from session s
    where s.id = p_session and coalesce(p->>'participant', p->>'chatId') in (s.chat_id, s.lid))
$$;

-- Brings the row of an own message that is being matched up to date with a report of it; one that does not say
-- `isBeingMatched` makes it a person's message. Answers null where there is no such row.
create or replace function update_matching(p_conversation text, p jsonb, p_now timestamptz)
returns text language sql set enable_seqscan = off as $$
  update message m set conversation_id = c.id, contact_id = c.contact_id, updated_at = p_now, kind = p->>'kind',
    body = p->>'body', media = case when not is_seen_once(m.content) then nullif(p->'media', 'null') end,
    content = case when is_seen_once(m.content)
      then coalesce(nullif(p->'content', 'null'), '{}') || '{"viewOnce": true}' else nullif(p->'content', 'null') end,
    participant = p->>'participant', reply_to_network_id = p->>'replyToNetworkId', status = p->>'status',
    ack = (p->>'ack')::smallint, error_code = p->>'error', chat_id = nullif(p->>'chatId', c.chat_id),
    network_id = case when p ? 'isBeingMatched' then null else p->>'networkId' end,
    matching_network_id = case when p ? 'isBeingMatched' then p->>'networkId' end,
    revoked_at = case when not p ? 'isBeingMatched' then (select r.at from parked_revoke r
      where r.session_id = c.session_id and r.network_id = p->>'networkId') end
  from conversation c
  where c.id = p_conversation and m.session_id = c.session_id and m.matching_network_id is not null
    and m.id = (select o.shown_id from parked_own_message o
      where o.session_id = c.session_id and o.network_id = p->>'networkId')
    and not exists (select 1 from message o where o.session_id = c.session_id and o.direction = 'out'
      and o.network_id = p->>'networkId')
  returning m.id
$$;

-- Writes a message that the network shows. Every writer goes through this function: events, echoes, reads of the
-- history, comparisons, sends of the backend's own routes, parked events. It asks every deletion. It answers no row
-- where nothing was written, and then nobody is told. Needs the conversation's lock.
--
-- `outcome`: `new` for a message that was not here. `live` for one that a read of the history brought before its live
-- event, because no dashboard has been told of it, and for one that was taken for a person's on the phone and was sent
-- by a route of the backend. `filled` for one whose content was still missing. `captioned` for a file whose caption was
-- missing, and `completed` for a message whose file was. `marked` for one that turned out to be seen once.
--
-- `isBeingMatched` shows an own message before it is known who wrote it: under no network id, so that only readers of
-- the inbox find it. A second such report updates it, and the report of a person on the phone gives it its id.
--
-- `is_for_agent` is true when the tenant has set the agent up, which must be told of what a contact says. `parked` are
-- the kinds of changes that were made to the message before it came; the caller applies them. One that a read of the
-- history brought may be revoked by now.
create or replace function write_message(p_conversation text, p jsonb, p_now timestamptz)
returns table (id text, conversation_id text, contact_id text, is_for_agent boolean, parked text[], outcome text)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  v_id text;
  v_outcome text;
  v_matches boolean := coalesce((p->>'isBeingMatched')::boolean, false);
begin
  if p->>'origin' = 'phone' then
    -- Another report may have brought the message meanwhile, from the history or by a process of the previous release.
    if v_matches and exists (select 1 from conversation c join message m on m.session_id = c.session_id
        and m.network_id = p->>'networkId' and m.direction = 'out' where c.id = p_conversation) then return; end if;
    if (select d.is_deleted from conversation c
        cross join lateral deletion_of_report(c.agency_id, c.tenant_id, c.session_id, p, p_now) d
        where c.id = p_conversation) then return; end if;
    v_id := update_matching(p_conversation, p, p_now);
    v_outcome := case when v_id is not null then 'new' end;
  end if;
  if v_outcome is null then
    return query
      insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
        body, media, participant, network_id, reply_to_network_id, occurred_at, status, ack, error_code, awaits_turn,
        created_at, updated_at, revoked_at, via, sent_at, ended_at, chat_id, recovered, content,
        matching_network_id)
      select p->>'id', c.agency_id, c.tenant_id, c.session_id, c.id, c.contact_id, p->>'direction', p->>'origin',
        p->>'kind', p->>'body', nullif(p->'media', 'null'), p->>'participant',
        case when not v_matches then p->>'networkId' end, p->>'replyToNetworkId',
        (p->>'at')::timestamptz, p->>'status', (p->>'ack')::smallint, p->>'error',
        -- This is a guess, because the tenant is not locked; `tell_agent` decides under its locks.
        (p->>'isOwed')::boolean and agent_is_set_up(t) and agent_silence(c, t, is_suspended(a.status)) is null,
        p_now, p_now,
        -- A process of the previous release may have been told that it was revoked before it came.
        (select r.at from parked_revoke r where r.session_id = c.session_id and r.network_id = p->>'networkId'),
        p->>'via', case when p ? 'via' then p_now end, case when p ? 'via' then p_now end,
        -- The address of its own decides where it stays when a merge of contacts is undone.
        nullif(p->>'chatId', c.chat_id), coalesce((p->>'recovered')::boolean, false), nullif(p->'content', 'null'),
        case when v_matches then p->>'networkId' end
      from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      join agency a on a.id = c.agency_id
      -- The gate of all writers: what was deleted does not come back. A merge below asks it, too.
      cross join lateral deletion_of_report(c.agency_id, c.tenant_id, c.session_id, p, p_now) d
      where c.id = p_conversation and not d.is_deleted
      on conflict (network_id, session_id, direction) where network_id is not null do nothing
      returning message.id, message.conversation_id, message.contact_id,
        (select agent_is_set_up(t) from tenant t where t.agency_id = message.agency_id and t.id = message.tenant_id),
        array(select k.change->>'kind' from parked_change k
          where k.session_id = message.session_id and k.network_id = message.network_id)
          || case when message.revoked_at is null then '{}' else '{revoked}'::text[] end, 'new'::text;
    if found then return; end if;
    select r.id, r.outcome into v_id, v_outcome from merge_report(p_conversation, p, p_now) r;
    if v_outcome is null then return; end if;
  end if;
  return query
    select m.id, m.conversation_id, m.contact_id, agent_is_set_up(t),
      array(select k.change->>'kind' from parked_change k
        where k.session_id = m.session_id and k.network_id = m.network_id)
        || case when m.revoked_at is null then '{}' else '{revoked}'::text[] end, v_outcome
    from message m join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id where m.id = v_id;
end
$$;

-- Merges another report of a known message into its row: content fills what was missing. Words of an edit stay, and so
-- do a stored file, one that nobody can give any more, and a message that was revoked. For its own sends, the engine's
-- facts win over the network's. If either report marks the file to be seen once, the row keeps none.
create or replace function merge_report(p_conversation text, p jsonb, p_now timestamptz)
returns table (id text, outcome text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  known message;
  v_media jsonb := nullif(p->'media', 'null');
  v_content jsonb := nullif(p->'content', 'null');
  v_level integer := content_level(p->>'kind', p->>'body', v_media, v_content);
  v_known_level integer;
  v_is_passed boolean;
  v_is_live boolean;
  v_is_open boolean;
  v_fills boolean;
  v_captions boolean;
  v_gives_file boolean;
  v_is_once boolean;
  v_marks boolean;
  v_merged jsonb;
begin
  if is_seen_once(v_content) then
    -- The fetch goes before the message is locked, as at its end, so that the two cannot wait for each other.
    delete from media_fetch f where f.message_id = (select m.id from conversation c
      join message m on m.session_id = c.session_id and m.network_id = p->>'networkId' and m.direction = p->>'direction'
      where c.id = p_conversation and not is_sent_by_engine(m.origin));
  end if;
  select m.* into known from conversation c join message m on m.session_id = c.session_id
    and m.network_id = p->>'networkId' and m.direction = p->>'direction'
    cross join lateral deletion_of_report(c.agency_id, c.tenant_id, c.session_id, p, p_now) d
  where c.id = p_conversation and not d.is_deleted for no key update of m;
  if not found then return; end if;
  v_is_once := not is_sent_by_engine(known.origin) and (is_seen_once(known.content) or is_seen_once(v_content));
  v_marks := v_is_once and (not is_seen_once(known.content) or known.media is not null);
  if v_is_once then v_media := null; end if;
  v_known_level := content_level(known.kind, known.body, known.media, known.content);
  v_is_passed := not is_sent_by_engine(known.origin) and p ? 'via';
  v_is_live := known.origin = 'history' and p->>'origin' in ('network', 'phone');
  v_is_open := known.revoked_at is null and not is_sent_by_engine(known.origin);
  v_fills := v_is_open and v_level > v_known_level;
  v_captions := v_is_open and not v_fills and known.kind = p->>'kind' and known.kind not in ('text', 'other')
    and known.body = '' and p->>'body' <> '' and known.edited_at is null;
  v_gives_file := v_is_open and v_media->>'url' is not null and known.media->>'url' is null
    and (lacks_file(known.media) or (known.media->>'error' = 'media_unavailable' and p->>'origin' <> 'history'));
  outcome := case when v_is_live or v_is_passed then 'live' when v_fills then 'filled'
    when v_captions then 'captioned' when v_gives_file then 'completed' when v_marks then 'marked' end;
  if outcome is null then return; end if;
  id := known.id;
  v_merged := case
    when v_fills or (v_is_live and v_level = 0 and v_known_level = 0) then coalesce(v_content, '{}')
      || coalesce(known.content - array['contentState', 'unsupported'], '{}')
    when outcome = 'live' then coalesce(known.content, nullif(v_content - 'contentState', '{}'))
    else known.content end;
  update message m set updated_at = p_now,
    origin = case when v_is_live or v_is_passed then p->>'origin' else known.origin end,
    created_at = case when v_is_live or v_is_passed then p_now else known.created_at end,
    via = case when v_is_live or v_is_passed then p->>'via' else known.via end,
    recovered = case when v_is_live or v_is_passed then coalesce((p->>'recovered')::boolean, false)
      else known.recovered end,
    kind = case when v_fills then p->>'kind' else known.kind end,
    body = case when (v_fills and known.edited_at is null) or v_captions then p->>'body' else known.body end,
    media = case when v_is_once then null
      when v_fills or v_gives_file or (outcome = 'live' and lacks_file(known.media))
      then coalesce(case when lacks_file(known.media) or v_gives_file then v_media end, known.media)
      else known.media end,
    content = case when v_is_once then coalesce(v_merged, '{}') || '{"viewOnce": true}' else v_merged end,
    participant = coalesce(known.participant, p->>'participant'),
    reply_to_network_id = coalesce(known.reply_to_network_id, p->>'replyToNetworkId')
  where m.id = known.id;
  if v_fills and known.edited_at is not null then
    update message_version v set body = p->>'body' where v.message_id = known.id and v.edit_id = '' and v.body = '';
  end if;
  return next;
end
$$;

-- Has the event of a message wait for the content, `p_waits` long. `p` is the message as it was told.
create or replace function await_content(p_message text, p jsonb, p_recovered boolean, p_now timestamptz,
  p_waits interval)
returns void language sql set enable_seqscan = off as $$
  insert into awaited_content (message_id, agency_id, tenant_id, session_id, message, recovered, until)
  select m.id, m.agency_id, m.tenant_id, m.session_id, p, p_recovered, p_now + p_waits
  from message m where m.id = p_message
  on conflict (message_id) do nothing
$$;
