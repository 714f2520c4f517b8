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

-- Answers the content of a message that offers options, marked as native where the network shows no numbers beside
-- them.
create or replace function offered_by(m message) returns jsonb language sql stable as $$
  select case when m.rendered_as = 'native' and jsonb_typeof(m.content) = 'object'
    then m.content || '{"isNative": true}' else m.content end
$$;

-- Finds the numbered text that an inbound message may answer: the one that it quotes, or else the last one, unless we
-- have written another message since. The clocks of the network and ours may differ by five seconds, and a message may
-- wait for two days between its acceptance, which dates it, and its sending.
create or replace function asked_by(p_conversation text, p_reply_to text, p_at timestamptz)
returns table (id text, content jsonb) language sql stable as $$
  select m.id, offered_by(m) from message m
  where m.id = p_reply_to and m.conversation_id = p_conversation and m.rendered_as is not null
  union all
  select m.id, m.content from (
    select a.id, offered_by(a) as content, a.sent_at from message a
    where p_reply_to is null and a.conversation_id = p_conversation and a.rendered_as is not null
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
      and coalesce(later.sent_at, later.occurred_at) <= p_at)
$$;

-- Answers the chats in which a send is under way whose id only its answer brings, each as session, blank and address.
-- Texts, places, cards, polls and forwards go under the id that was chosen for them.
create or replace function chats_of_nameless_sends(p_sessions text[]) returns text[]
language sql stable set enable_seqscan = off as $$
  select array(
    select o.session_id || ' ' || a.address from (
      select m.session_id, m.conversation_id from message m
      where m.session_id = any(p_sessions) and m.status = 'sending'
        and (m.chosen_network_id is null or m.kind not in ('text', 'location', 'contact', 'other'))
      union
      select p.session_id, p.conversation_id from passthrough_send p where p.session_id = any(p_sessions)
    ) o join conversation c on c.id = o.conversation_id
    cross join lateral (
      select c.chat_id as address union select k.chat_id from contact_alias k where k.contact_id = c.contact_id
      -- The hidden id of the contact may not be known yet.
      union select 'lid'
    ) a)
$$;

-- True where a conversation is with another person than the one of these addresses, or with a group. `p_chat_id` is the
-- address of the chat. An operator may have taken apart two contacts who have them.
create or replace function is_with_another(p_conversation text, p_chat_id text, p_chat_ids text[])
returns boolean language sql stable set enable_seqscan = off as $$
  select not (c.chat_id = p_chat_id or exists (select 1 from contact_alias a
      where a.agency_id = c.agency_id and a.tenant_id = c.tenant_id and a.contact_id = c.contact_id
        and a.chat_id = any (p_chat_ids)))
    or exists (select 1 from contact_alias a
      where a.agency_id = c.agency_id and a.tenant_id = c.tenant_id and a.chat_id = p_chat_id
        and a.contact_id <> c.contact_id and are_apart(c.agency_id, c.tenant_id, c.contact_id, a.contact_id))
  from conversation first join conversation c on c.id = conversation_now(first)
  where first.id = p_conversation
$$;

-- Writes what contacts have written, one message after the other: contact, conversation, message, the line in the chat
-- list, the promise to fetch its file, and the agent's turn. Answers a row for each message in their order, with what
-- its event needs; the row has no id when we had the message already. `renamed` is the contact whose name the message
-- changes. `told` is the answer of `tell_agent`, or `awaits` for a message whose event waits for the content. Without
-- an id it is `echo` for a message that this session has sent, and `may_be_echo` for one that came while a send is
-- under way whose id nobody knows yet, unless the caller has compared the two (`isNoEcho`).
--
-- `parked` are the kinds of changes that came before the message (the file of one that was revoked is not fetched),
-- `there` where the row was here before its event, and `filled` where dashboards know the message and its row has more
-- now.
create or replace function receive_messages(p_messages jsonb, p_now timestamptz, p_stale_after interval)
returns table (news jsonb, id text, conversation_id text, contact_id text, chat_id text, sender_phone text,
  reply_to text, asked_id text, asked_content jsonb, told text, let_go text, renamed text, parked text[])
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_variable
declare
  m jsonb;
  given record;
  v_chat_ids text[];
  v_nameless text[] := chats_of_nameless_sends(
    array(select distinct e->>'sessionId' from jsonb_array_elements(p_messages) e));
  v_is_own boolean;
  v_address text;
  v_there text;
  v_shown jsonb;
  v_is_first boolean;
  v_lag interval;
  talk record;
  written record;
begin
  -- One statement asks the deletions and the known messages about all reports, before the first is written.
  for given in
    select e.value as m, d.is_deleted, k.address,
      k.is_own or is_of_own_account(e.value->>'sessionId', e.value) as is_own,
      array(select jsonb_array_elements_text(e.value->'chatIds')) as chat_ids,
      count(*) over (partition by e.value->>'sessionId', e.value->>'networkId') > 1 as is_told_twice,
      k.conversation_id as there
    from jsonb_array_elements(p_messages) with ordinality e
    cross join lateral deletion_of_report(e.value->>'agencyId', e.value->>'tenantId', e.value->>'sessionId', e.value,
      p_now) d
    cross join lateral known_report(e.value->>'sessionId', e.value->>'networkId', e.value->>'chatId') k
    order by e.ordinality
  loop
    m := given.m;
    news := null;
    id := null;
    renamed := null;
    told := null;
    -- The network tells late of what was deleted since: neither the contact nor the conversation is made anew.
    if given.is_deleted then
      return next;
      continue;
    end if;
    v_is_own := given.is_own;
    v_address := given.address;
    v_there := given.there;
    if given.is_told_twice then
      select v_is_own or k.is_own, k.address, k.conversation_id into v_is_own, v_address, v_there
      from known_report(m->>'sessionId', m->>'networkId', m->>'chatId') k;
    end if;
    if v_is_own then
      told := 'echo';
      return next;
      continue;
    end if;
    v_chat_ids := given.chat_ids;
    if m->'spellings' <> '[]' then
      v_chat_ids := in_known_spelling(m->>'agencyId', m->>'tenantId', m->>'sessionId', m->>'networkId', v_chat_ids,
        array(select jsonb_array_elements_text(m->'spellings')));
    end if;
    if v_nameless <> '{}' and not (m->>'isNoEcho')::boolean then
      if v_nameless && array(
          select (m->>'sessionId') || ' ' || a.address
          from unnest(v_chat_ids || (m->>'chatId') || case when is_hidden(m->>'chatId') then 'lid' end) a(address))
      then
        told := 'may_be_echo';
        return next;
        continue;
      end if;
    end if;
    if cardinality(v_chat_ids) > 0 and v_address <> all (v_chat_ids) then
      v_chat_ids := v_chat_ids || v_address;
    end if;
    if v_there is not null and is_with_another(v_there, m->>'chatId', v_chat_ids) then
      -- Nothing shows that the two addresses are one person's, or an operator has taken the two apart. The message
      -- stays where it is, and makes nobody.
      v_there := lock_conversation(v_there);
      select c.id, c.chat_id, c.contact_id, false as is_renamed into talk from conversation c where c.id = v_there;
    else
      select c.id, c.chat_id, c.contact_id, c.is_renamed into talk
      from ensure_conversation(m->>'agencyId', m->>'tenantId', m->>'sessionId', m->>'chatId',
        v_chat_ids, null, m->>'pushName', m->>'newConversationId', m->>'newContactId', m->>'networkId') c;
    end if;
    news := case when cardinality(v_chat_ids) > 1 then take_merge_news(talk.contact_id) end;
    renamed := case when talk.is_renamed then talk.contact_id end;
    sender_phone := null;
    reply_to := null;
    asked_id := null;
    asked_content := null;
    let_go := null;
    select w.* into written from write_message(talk.id, m, p_now) w;
    id := written.id;
    parked := written.parked;
    conversation_id := written.conversation_id;
    contact_id := written.contact_id;
    chat_id := talk.chat_id;
    if id is null and talk.id = m->>'newConversationId' then
      -- It was deleted since the batch began. The batch is tried again, so that nothing stays of what was made for it.
      if (select d.is_deleted from deletion_of_report(m->>'agencyId', m->>'tenantId', m->>'sessionId', m, p_now) d) then
        raise exception 'A message was deleted while it was written.' using errcode = '40M01';
      end if;
    end if;
    if id is not null then
      -- The event of a message is written once: when it came with its content, or when the wait for that ends.
      v_is_first := written.outcome in ('new', 'live');
      v_shown := m;
      if written.outcome <> 'new' then
        -- A read of the history may have brought it before: its id stays, and so does what was done to it since. The
        -- line is as long as `MAX_LINE_LENGTH`.
        select m || jsonb_build_object('id', r.id, 'unread', v_is_first::integer, 'at', r.occurred_at,
          'line', case when r.body = m->>'body' then m->>'line' else left(r.body, 500) end,
          'media', r.media, 'content', r.content)
        into v_shown from message r where r.id = written.id;
      end if;
      if 'revoked' = any(parked) then v_shown := v_shown || '{"line": ""}'; end if;
      if written.outcome = 'filled' then
        delete from awaited_content a where a.message_id = written.id;
        v_is_first := found;
      end if;
      let_go := record_last_message(conversation_id, v_shown, p_now);
      if v_shown->'content' ? 'contentState' then
        perform await_content(id, m->'told', coalesce((m->>'recovered')::boolean, false), p_now,
          (m->>'waitsMs')::integer * interval '1 millisecond');
        told := 'awaits';
        return next;
        continue;
      end if;
      if id <> m->>'id' then parked := parked || 'there'::text; end if;
      if not v_is_first then parked := parked || 'filled'::text; end if;
      if not v_is_first and written.outcome in ('filled', 'captioned') then parked := parked || 'worded'::text; end if;
      if v_shown->'media' <> 'null' and lacks_file(v_shown->'media') and not 'revoked' = any(parked) then
        perform fetch_media(id, true, p_now);
      end if;
      if m->>'hiddenSender' is not null then
        select k.chat_id into sender_phone from contact_alias a join contact k on k.id = a.contact_id
        where a.agency_id = m->>'agencyId' and a.tenant_id = m->>'tenantId' and a.chat_id = m->>'hiddenSender'
          and is_phone(k.chat_id);
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
      if written.is_for_agent and written.outcome not in ('captioned', 'completed', 'marked') then
        -- The time in which the event waited to be applied does not make the message old.
        v_lag := greatest(p_now - coalesce((m->>'receivedAt')::timestamptz, p_now), interval '0');
        told := tell_agent(conversation_id, id, m->>'newTurnId', p_now, p_stale_after + v_lag);
        if v_lag > interval '5 seconds' then
          update message set owed_from = p_now - v_lag where message.id = receive_messages.id and awaits_turn;
        end if;
      end if;
    end if;
    return next;
  end loop;
end
$$;
