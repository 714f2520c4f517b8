-- The rules of states and addresses for SQL, each defined once. domain/sending/message-state.ts,
-- domain/sending/message.ts, domain/sessions/session.ts, domain/tenants/dashboard.ts and domain/network/chat-id.ts
-- define them for TypeScript, and test/db/states.test.ts checks that both agree. The functions have neither STRICT nor
-- SET, because only then PostgreSQL inlines the rule into the statement that calls it. Then the call costs nothing, and
-- the statement can use indexes.

-- True when the network has the message.
create or replace function was_sent(p_status text) returns boolean language sql immutable parallel safe as $$
  select p_status in ('sent', 'delivered', 'read', 'played')
$$;

-- True when the message stands in the chat, whoever wrote it.
create or replace function was_said(p_status text) returns boolean language sql immutable parallel safe as $$
  select p_status in ('received', 'sent', 'delivered', 'read', 'played')
$$;

-- True when the message goes, or went, through the engine: it was neither written on the phone nor found in the
-- history.
create or replace function is_sent_by_engine(p_origin text) returns boolean language sql immutable parallel safe as $$
  select p_origin in ('api', 'person', 'ai')
$$;

-- Answers the kind of a message: what it holds tells those that are stored as `other`.
create or replace function shown_kind(p_kind text, p_content jsonb) returns text
  language sql immutable parallel safe as $$
  select case when p_kind <> 'other' or p_content is null then p_kind when p_content ? 'poll' then 'poll'
    when p_content ? 'call' then 'call' when p_content ? 'notice' then 'notice' else p_kind end
$$;

-- True for what the network has put into a chat, and for calls: nobody wrote it, so that it is neither unread nor
-- answered.
create or replace function is_notice(p_content jsonb) returns boolean language sql immutable parallel safe as $$
  select coalesce(p_content ?| '{notice,call}', false)
$$;

create or replace function is_working(p_session_status text) returns boolean language sql immutable parallel safe as $$
  select p_session_status = 'WORKING'
$$;

-- True when somebody has asked for what ends the session's connection: what is not on its way yet waits until it is
-- done.
create or replace function is_ending(p_asked text) returns boolean language sql immutable parallel safe as $$
  select coalesce(p_asked <> 'start', false)
$$;

create or replace function is_suspended(p_agency_status text) returns boolean language sql immutable parallel safe as $$
  select p_agency_status = 'suspended'
$$;

-- True when the session may send at all now; single messages may still be held back by other rules.
create or replace function may_send(p_session_status text, p_agency_status text) returns boolean
  language sql immutable parallel safe as $$
  select is_working(p_session_status) and not is_suspended(p_agency_status)
$$;

-- The kinds of an address (domain/network/chat-id.ts). An adapter translates its network's addresses into these.
create or replace function is_phone(p_chat_id text) returns boolean language sql immutable parallel safe as $$
  select p_chat_id like '%@c.us'
$$;

create or replace function is_hidden(p_chat_id text) returns boolean language sql immutable parallel safe as $$
  select p_chat_id like '%@lid'
$$;

create or replace function is_group(p_chat_id text) returns boolean language sql immutable parallel safe as $$
  select p_chat_id like '%@g.us'
$$;
