-- Message delivery, complete: several messages per request, schedules, pace, interactive messages, idempotency.

-- Which text of the functions in `db/functions` this database has, and which version of the engine it is of.
create table function_version (digest text not null, version integer not null);

alter table message
  -- The first message of the request, where it became several: its attachments end when its text fails.
  add column request_id text,
  -- What the kind needs beyond its text: attachment, buttons, list, mentions (`domain/sending/content.ts`).
  add column content jsonb,
  add column reply_to_from_me boolean,
  -- Nobody waits for one of many: it is neither watched nor started eagerly.
  add column bulk boolean not null default false,
  -- When the caller wants it to become due; its place in the queue is given then.
  add column scheduled_at timestamptz,
  -- From when it may be released, as the head of its lane, as soon as the session's pace allows.
  add column ready_at timestamptz,
  -- What it waits for and until when, as far as that is known (`domain/sending/plan.ts`).
  add column held_by text,
  add column held_until timestamptz,
  -- Nobody of the conversation had written, and nothing had been sent there, when it was released.
  add column first_contact boolean not null default false,
  add column rendered_as text check (rendered_as in ('native', 'text')),
  -- Since when the process that has claimed it was seen to be gone.
  add column owner_gone_at timestamptz,
  add column resend_of text;
-- Who did it, as they say; and the API key that asked, where that is somebody else's word.
alter table message_history add column actor text, add column key_id text;
create index message_request on message (request_id) where request_id is not null and status in ('queued', 'scheduled');
-- What lists of the tenant's sends begin with.
create index message_scheduled_of on message (session_id, scheduled_at, id) where status = 'scheduled';
create index message_not_sent on message (session_id, status, id)
  where direction = 'out' and status in ('queued', 'sending', 'failed', 'cancelled', 'uncertain');
-- Their parameters have changed.
drop function if exists accept_send(jsonb);
create index message_scheduled on message (scheduled_at) where status = 'scheduled';
-- For replies to interactive messages that went as numbered text.
create index message_numbered on message (conversation_id, sent_at) where rendered_as = 'text';
-- What waits behind others, for its session to come back, or for nothing, which must not be.
create index message_unready on message (session_id, conversation_id) where status = 'queued' and released_at is null and ready_at is null;
create index message_ready on message (session_id, lane, bulk, ready_at) where status = 'queued' and released_at is null and ready_at is not null;

-- Whether the network knows a number, asked once before the first send to it.
alter table contact
  add column on_network boolean,
  add column checked_at timestamptz;

alter table tenant add column settings jsonb not null default '{}';

-- The pace of a session, in a row of its own so that charging it never waits for a change of the session.
create table session_pace (
  session_id text primary key references session (id),
  -- The earliest time of the next send at the session's rate (the theoretical arrival time of the rate algorithm).
  next_slot_at timestamptz not null default 'epoch',
  -- The tenant's day that first contacts are counted for, and how many there were.
  first_contact_day date,
  first_contacts integer not null default 0,
  -- Until when the network refuses first contacts of this account, and its word for why.
  restricted_until timestamptz,
  restriction text,
  -- The session's first day: the limit of first contacts rises from there.
  first_connected_at timestamptz,
  -- Since when the session is not connected; and since when sends go out again after it was: the rate rises from there.
  away_since timestamptz,
  ramp_since timestamptz
);
insert into session_pace (session_id, first_connected_at) select id, created_at from session;

-- The pace of tenants that have none of their own, as the process that started last was configured. One row.
create table pace_default (
  one boolean primary key default true check (one),
  per_minute integer not null,
  burst integer not null,
  first_contacts_per_day integer not null
);
insert into pace_default (per_minute, burst, first_contacts_per_day) values (0, 1, 0);

-- When the contact last wrote: replies to somebody who is there are not held back. And whether anybody has written at all.
alter table conversation
  add column last_inbound_at timestamptz,
  add column contacted boolean not null default false;
update conversation c set contacted = exists (select 1 from message m where m.conversation_id = c.id
    and m.status in ('received', 'sent', 'delivered', 'read', 'played')),
  last_inbound_at = (select max(m.occurred_at) from message m where m.conversation_id = c.id and m.direction = 'in');

-- Those of a session that are on their way come first.
drop index message_session_open;
create index message_session_open on message (session_id, released_at, conversation_id) where status in ('queued', 'sending');

-- Answers to requests with an Idempotency-Key, written in the transaction of what they answer for.
create table idempotency (
  agency_id text not null,
  tenant_id text not null,
  -- The one session that the caller's API key is bound to, else empty.
  session_id text not null,
  route text not null,
  key text not null,
  request_digest bytea not null,
  status integer not null,
  headers jsonb not null,
  -- The answer's JSON without its secrets.
  body text,
  -- The whole of it, sealed, while its secrets may be shown again.
  sealed_body bytea,
  created_at timestamptz not null,
  primary key (key, agency_id, tenant_id, session_id, route)
);
create index idempotency_sealed on idempotency (created_at) where sealed_body is not null;
create index idempotency_created on idempotency (created_at);

-- How often the backend was asked for an ack that is missing, and when it may be asked again.
alter table message
  add column ack_checks smallint not null default 0,
  add column ack_check_at timestamptz;
create index message_unacked on message (sent_at) where status = 'sent' and ack = 0;

-- The conversation that this one turned out to be: its messages are there, and its id still leads to it.
alter table conversation add column merged_into text references conversation (id);
