-- Message delivery, complete: several messages per request, schedules, pace, interactive messages, idempotency.

-- Which text of the functions in `db/functions` this database has.
create table function_version (digest text not null);

alter table message
  -- The first message of the request that this one belongs to: its attachments end when its text fails.
  add column request_id text,
  -- What the kind needs beyond its text: attachment, buttons, list, mentions (`domain/content.ts`).
  add column content jsonb,
  add column reply_to_from_me boolean,
  -- Nobody waits for one of many: it is neither watched nor started eagerly.
  add column bulk boolean not null default false,
  -- When the caller wants it to become due; its place in the queue is given then.
  add column scheduled_at timestamptz,
  -- Since when it is the head of its lane and may be released as soon as the session's pace allows.
  add column ready_at timestamptz,
  -- What it waits for and until when, as far as that is known (`domain/plan.ts`).
  add column held_by text,
  add column held_until timestamptz,
  -- Nobody of the conversation had written, and nothing had been sent there, when it was released.
  add column first_contact boolean not null default false,
  add column rendered_as text check (rendered_as in ('native', 'text')),
  add column resend_of text;
alter table message_history add column actor text;
create index message_request on message (request_id) where request_id is not null and status in ('queued', 'scheduled');
create index message_scheduled on message (scheduled_at) where status = 'scheduled';
create index message_ready on message (session_id, lane, ready_at) where status = 'queued' and released_at is null and ready_at is not null;

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
  -- Since when sends go out again after the session was away: the rate rises from there.
  ramp_since timestamptz
);

-- Answers to requests with an Idempotency-Key, written in the transaction of what they answer for.
create table idempotency (
  agency_id text not null,
  tenant_id text not null,
  route text not null,
  key text not null,
  request_digest text not null,
  status integer not null,
  headers jsonb not null default '{}',
  -- The answer's JSON; sealed where it holds a secret, and gone once that may not be shown again.
  body text,
  sealed boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (key, agency_id, tenant_id, route)
);
create index idempotency_created on idempotency (created_at);
