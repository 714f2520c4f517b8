-- True where a file may still come: it is not in the store, and nobody has said that it cannot be had any more.
create or replace function lacks_file(p_media jsonb) returns boolean language sql immutable as $$
  select p_media is null or not (p_media ? 'stored' or starts_with(coalesce(p_media->>'error', ''), 'media_'))
$$;

-- Writes a message that the network shows; answers no row when we have it already. A message that a read of the history
-- brought before its live event becomes live, because no dashboard has been told of it. One that was taken for a
-- person's on the phone becomes ours when it was sent by a route of the backend. Needs the conversation's lock.
-- `is_for_agent` is true when the tenant has set the agent up, which must be told of what a contact says. `parked` are
-- the kinds of changes that were made to the message before it came; the caller applies them. One that a read of the
-- history brought may be revoked by now.
create or replace function insert_network_message(p_conversation text, p jsonb, p_now timestamptz)
returns table (id text, conversation_id text, contact_id text, is_for_agent boolean, parked text[])
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
begin
  return query
    insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
      body, media, participant, network_id, reply_to_network_id, occurred_at, status, ack, error_code, awaits_turn,
      created_at, updated_at, revoked_at, via, sent_at, ended_at, chat_id, recovered, content)
    select p->>'id', c.agency_id, c.tenant_id, c.session_id, c.id, c.contact_id, p->>'direction', p->>'origin',
      p->>'kind', p->>'body', nullif(p->'media', 'null'), p->>'participant', p->>'networkId', p->>'replyToNetworkId',
      (p->>'at')::timestamptz, p->>'status', (p->>'ack')::smallint, p->>'error',
      -- This is a guess, because the tenant is not locked; `tell_agent` decides under its locks.
      (p->>'isOwed')::boolean and agent_is_set_up(t) and agent_silence(c, t, is_suspended(a.status)) is null,
      p_now, p_now,
      -- A process of the previous release may have been told that it was revoked before it came.
      (select r.at from parked_revoke r where r.session_id = c.session_id and r.network_id = p->>'networkId'),
      p->>'via', case when p ? 'via' then p_now end, case when p ? 'via' then p_now end,
      -- The address of its own decides where it stays when a merge of contacts is undone.
      nullif(p->>'chatId', c.chat_id), coalesce((p->>'recovered')::boolean, false), nullif(p->'content', 'null')
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    join agency a on a.id = c.agency_id
    where c.id = p_conversation and not is_deleted(c.agency_id, c.tenant_id, c.session_id, p->'erasedDigests',
      (p->>'at')::timestamptz, coalesce((p->>'recovered')::boolean, false), p_now)
    on conflict (network_id, session_id, direction) where network_id is not null
    do update set origin = excluded.origin, created_at = excluded.created_at, updated_at = excluded.updated_at,
      -- A file that is in the store, or that nobody can give any more, stays so.
      media = case when lacks_file(message.media) then coalesce(excluded.media, message.media) else message.media end,
      content = coalesce(message.content, excluded.content),
      via = excluded.via, recovered = excluded.recovered
      where (message.origin = 'history' and excluded.origin in ('network', 'phone'))
        or (not is_sent_by_engine(message.origin) and excluded.via is not null)
    returning message.id, message.conversation_id, message.contact_id,
      (select agent_is_set_up(t) from tenant t where t.agency_id = message.agency_id and t.id = message.tenant_id),
      array(select k.change->>'kind' from parked_change k
        where k.session_id = message.session_id and k.network_id = message.network_id)
        || case when message.revoked_at is null then '{}' else '{revoked}'::text[] end;
end
$$;

-- Promises the workflow that fetches the file of a message; with `p_tells` dashboards wait for it.
create or replace function fetch_media(p_message text, p_tells boolean, p_now timestamptz)
returns void language plpgsql set enable_seqscan = off as $$
begin
  insert into media_fetch (message_id, agency_id, tenant_id, session_id, tells, created_at, promised_at)
  select m.id, m.agency_id, m.tenant_id, m.session_id, p_tells, p_now, p_now from message m where m.id = p_message
  on conflict (message_id) do nothing;
  if not found then return; end if;
  insert into dispatch (workflow_type, workflow_id, action, args, attributes, summary, priority, agency_id)
  select w.workflow_type, w.workflow_id, 'start', w.args, w.attributes, w.summary, w.priority, w.agency_id
  from message m cross join lateral media_workflow(m) w where m.id = p_message;
end
$$;

-- Finds the numbered text that an inbound message may answer: the one that it quotes, or else the last one, unless we
-- have written another message since. The clocks of the network and ours may differ by five seconds, and a message may
-- wait for two days between its acceptance, which dates it, and its sending.
create or replace function asked_by(p_conversation text, p_reply_to text, p_at timestamptz)
returns table (id text, content jsonb) language plpgsql stable set enable_seqscan = off as $$
#variable_conflict use_column
begin
  if p_reply_to is not null then
    return query select m.id, m.content from message m
      where m.id = p_reply_to and m.conversation_id = p_conversation and m.rendered_as = 'text';
    return;
  end if;
  return query select m.id, m.content from (
      select a.id, a.content, a.sent_at from message a
      where a.conversation_id = p_conversation and a.rendered_as = 'text'
        and a.sent_at between p_at - interval '24 hours' and p_at + interval '5 seconds'
      order by a.sent_at desc limit 1
    ) m
    where not exists (
      select 1 from message later
      where later.conversation_id = p_conversation and later.direction = 'out' and later.id <> m.id
        and later.kind in ('text', 'buttons', 'list')
        and (was_sent(later.status) or later.status = 'uncertain')
        and later.occurred_at > m.sent_at - interval '48 hours'
        and coalesce(later.sent_at, later.occurred_at) > m.sent_at
        and coalesce(later.sent_at, later.occurred_at) <= p_at);
end
$$;

-- Writes what contacts have written, one message after the other: contact, conversation, message, the line in the chat
-- list, the promise to fetch its file, and the agent's turn. Answers a row for each message in their order, with what
-- its event needs; the row has no id when we had the message already. `told` is the answer of `tell_agent`. `renamed`
-- is the contact whose name the message changes. `parked` are the kinds of changes that came before the message (the
-- file of one that was revoked is not fetched), and `there` where a read of the history has brought it before.
create or replace function receive_messages(p_messages jsonb, p_now timestamptz, p_stale_after interval)
returns table (news jsonb, id text, conversation_id text, contact_id text, chat_id text, sender_phone text,
  reply_to text, asked_id text, asked_content jsonb, told text, let_go text, renamed text, parked text[])
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_variable
declare
  m jsonb;
  v_chat_ids text[];
  v_shown jsonb;
  v_lacks_file boolean;
  talk record;
  inserted record;
begin
  for m in select e.value from jsonb_array_elements(p_messages) with ordinality e order by e.ordinality loop
    -- The network tells late of what was deleted since: neither the contact nor the conversation is made anew.
    if is_deleted(m->>'agencyId', m->>'tenantId', m->>'sessionId', m->'erasedDigests', (m->>'at')::timestamptz,
      coalesce((m->>'recovered')::boolean, false), p_now) then
      news := null;
      id := null;
      renamed := null;
      return next;
      continue;
    end if;
    v_chat_ids := array(select jsonb_array_elements_text(m->'chatIds'));
    select c.id, c.chat_id, c.contact_id, c.is_renamed into talk
    from ensure_conversation(m->>'agencyId', m->>'tenantId', m->>'sessionId', m->>'chatId',
      v_chat_ids, null, m->>'pushName', m->>'newConversationId', m->>'newContactId', m->>'networkId') c;
    news := case when cardinality(v_chat_ids) > 1 then take_merge_news(talk.contact_id) end;
    renamed := case when talk.is_renamed then talk.contact_id end;
    sender_phone := null;
    reply_to := null;
    asked_id := null;
    asked_content := null;
    told := null;
    let_go := null;
    select i.* into inserted from insert_network_message(talk.id, m, p_now) i;
    id := inserted.id;
    parked := inserted.parked;
    conversation_id := inserted.conversation_id;
    contact_id := inserted.contact_id;
    chat_id := talk.chat_id;
    if id is not null then
      -- A read of the history may have brought it before: its id stays, and so does what was done to it since. The
      -- line is as long as `MAX_LINE_LENGTH`.
      select jsonb_build_object('id', r.id, 'line', case when 'revoked' = any(parked) then ''
          when r.body = m->>'body' then m->>'line' else left(r.body, 500) end), lacks_file(r.media)
      into v_shown, v_lacks_file from message r where r.id = inserted.id;
      let_go := record_last_message(conversation_id, m || v_shown, p_now);
      if id <> m->>'id' then parked := parked || 'there'::text; end if;
      if (m->>'hasFile')::boolean and v_lacks_file and not 'revoked' = any(parked) then
        perform fetch_media(id, true, p_now);
      end if;
      if m->>'hiddenSender' is not null then
        select k.chat_id into sender_phone from contact_alias a join contact k on k.id = a.contact_id
        where a.agency_id = m->>'agencyId' and a.tenant_id = m->>'tenantId' and a.chat_id = m->>'hiddenSender'
          and k.chat_id like '%@c.us';
      end if;
      if m->>'replyToNetworkId' is not null then
        select r.id into reply_to from message r
        where r.session_id = m->>'sessionId' and r.direction in ('in', 'out') and r.network_id = m->>'replyToNetworkId'
        limit 1;
      end if;
      if (m->>'mayChoose')::boolean then
        select a.id, a.content into asked_id, asked_content
        from asked_by(conversation_id, reply_to, (m->>'at')::timestamptz) a;
      end if;
      if inserted.is_for_agent then
        told := tell_agent(conversation_id, id, m->>'newTurnId', p_now, p_stale_after);
      end if;
    end if;
    return next;
  end loop;
end
$$;
