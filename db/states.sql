-- The rules of states, each said once for SQL; domain/sending/message-state.ts, domain/sending/message.ts,
-- domain/session.ts and domain/tenants/dashboard.ts say them for TypeScript, and test/db/states.test.ts holds the two
-- together. Neither STRICT nor SET: only so does PostgreSQL put the rule itself into the statement that calls
-- it, where it costs nothing and indexes are used as if it were written out.

-- The network has the message.
create or replace function was_sent(p_status text) returns boolean language sql immutable parallel safe as $$
  select p_status in ('sent', 'delivered', 'read', 'played')
$$;

-- It stands in the chat, whoever wrote it.
create or replace function was_said(p_status text) returns boolean language sql immutable parallel safe as $$
  select p_status in ('received', 'sent', 'delivered', 'read', 'played')
$$;

-- It goes, or went, through the engine: nobody wrote it on the phone, and it was not found in the history.
create or replace function is_sent_by_engine(p_origin text) returns boolean language sql immutable parallel safe as $$
  select p_origin in ('api', 'person', 'ai')
$$;

create or replace function is_working(p_session_status text) returns boolean language sql immutable parallel safe as $$
  select p_session_status = 'WORKING'
$$;

create or replace function is_suspended(p_agency_status text) returns boolean language sql immutable parallel safe as $$
  select p_agency_status = 'suspended'
$$;

-- Whether a session sends at all now; what holds single messages back comes on top.
create or replace function may_send(p_session_status text, p_agency_status text) returns boolean
  language sql immutable parallel safe as $$
  select is_working(p_session_status) and not is_suspended(p_agency_status)
$$;
