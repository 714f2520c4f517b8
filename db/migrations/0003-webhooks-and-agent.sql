-- Webhook endpoints that dashboards manage, and the AI sales agent, complete.

-- Readers wait for these locks, too (docs/deploy.md): better to begin again than to stand in their way.
set local lock_timeout = '10s';

alter table endpoint
  -- Who made it: the dashboard's registration, the tenant's setting, or a call of the endpoint routes.
  add column source text not null default 'api' check (source in ('dashboard', 'tenant', 'api')),
  add column description text,
  -- Whose events it gets; null is every tenant of the agency.
  add column tenant_ids text[],
  -- Earlier secrets that still sign: [{ "sealed": base64, "until": time }], newest first.
  add column old_secrets jsonb not null default '[]',
  -- Sealed JSON of the headers that its owner adds.
  add column headers bytea,
  -- Null is no limit.
  add column rate_per_second integer,
  -- Its own delays before each attempt, in milliseconds; null is the engine's ladder.
  add column retry_ladder_ms bigint[],
  add column status_at timestamptz not null default clock_timestamp(),
  -- Rows of deliveries lead to it, so it is only marked as gone.
  add column deleted_at timestamptz;
update endpoint e set source = 'dashboard' where e.tenant_id is null
  and e.id = (select min(first.id) from endpoint first where first.agency_id = e.agency_id and first.tenant_id is null);
update endpoint set tenant_ids = array[tenant_id] where tenant_id is not null;
-- As from now on without asking; of other endpoints than itself.
update endpoint set events = events || '{endpoint.failing,endpoint.disabled,endpoint.recovered}'::text[] where source = 'dashboard';

-- How an endpoint does. Only its drain and its owner's decisions write here, and only when something has changed: an
-- endpoint that answers well costs no write.
create table endpoint_health (
  endpoint_id text primary key references endpoint (id),
  consecutive_failures integer not null default 0,
  failing_since timestamptz,
  last_failure_at timestamptz,
  last_error text,
  -- Open: nothing is attempted but one probe at `probe_at`. Half open: answers come again, the concurrency rises.
  breaker text not null default 'closed' check (breaker in ('closed', 'open', 'half_open')),
  probe_at timestamptz,
  probes integer not null default 0,
  -- Less than the endpoint's own after 502, 504 or a breaker; null is its own.
  concurrency integer,
  -- The receiver asked for a pause (429) until then.
  throttled_until timestamptz,
  -- The earliest time of the next attempt at the endpoint's rate.
  next_slot_at timestamptz,
  -- How far its owner was told that it fails: 0 nothing, 1 an hour, 2 a day, 3 three days, 4 disabled.
  notice_level smallint not null default 0,
  -- The last end of an event that had used up its attempts when its owner was last told of such.
  exhausted_told_at timestamptz,
  -- How it did when its execution was last told.
  told text not null default 'active closed',
  -- When the breaker closed: what failed before says nothing about now.
  recovered_at timestamptz
);
insert into endpoint_health (endpoint_id, failing_since, last_failure_at, last_error)
  select id, failing_since, failing_since, last_error from endpoint;
alter table endpoint drop column tenant_id, drop column last_error, drop column failing_since;
create index endpoint_of_agency on endpoint (agency_id, id);
create index endpoint_live on endpoint (agency_id, id) where deleted_at is null;
create index endpoint_deleted on endpoint (deleted_at) where deleted_at is not null;
-- The webhook URL of a tenant's settings is one endpoint.
create unique index endpoint_of_tenant on endpoint (agency_id, (tenant_ids[1])) where source = 'tenant' and deleted_at is null;

-- What people and operators did with an endpoint, and why.
create table endpoint_history (
  id bigint generated always as identity primary key,
  endpoint_id text not null references endpoint (id),
  at timestamptz not null,
  action text not null,
  actor text,
  key_id text,
  reason text,
  -- Of whoever may say the same again without knowing that it was heard.
  request_id text,
  detail jsonb
);
create index endpoint_history_endpoint on endpoint_history (endpoint_id, id desc);
create index endpoint_history_old on endpoint_history (at);
create unique index endpoint_history_request on endpoint_history (endpoint_id, request_id) where request_id is not null;

-- What agencies are told of their endpoints, also where no endpoint of theirs can be reached.
create table endpoint_notice (
  id text primary key,
  agency_id text not null references agency (id),
  endpoint_id text not null references endpoint (id),
  type text not null,
  detail jsonb not null,
  at timestamptz not null
);
create index endpoint_notice_at on endpoint_notice (id desc);
create index endpoint_notice_agency on endpoint_notice (agency_id, id desc);
create index endpoint_notice_endpoint on endpoint_notice (endpoint_id, id desc);
create index endpoint_notice_old on endpoint_notice (at);

-- Events of an endpoint belong to no session and, where it serves several, to no tenant.
alter table event
  alter column tenant_id drop not null,
  alter column session_id drop not null,
  -- The whole event where it is too large to be posted: `body` then bears a link to it.
  add column full_body text,
  -- The endpoint that somebody tries with it, or that it is about and is not told by it.
  add column trial_of text,
  add column not_to text;
-- The order in which they are pulled: by commit, then as they were written.
create index event_pull on event (agency_id, txid, id);
drop index event_tenant;
create index event_tenant on event (agency_id, tenant_id, txid, id);
-- Looked for by their type, and few.
create index event_rare on event (agency_id, type, txid, id) where type <> 'message' and type <> 'message.ack';
-- Found by its id alone, too.
alter table event drop constraint event_pkey, add primary key (id, created_at);

alter table delivery
  alter column tenant_id drop not null,
  -- How far up the ladder it is: attempts that were probes, or before somebody sent it again, do not count.
  add column ladder_step integer not null default 0,
  -- What its lane goes by: the place of its event, so that one that is made later comes where it belongs.
  add column place bigint;
alter table event add column place bigint;
-- Both of one sequence; those of before have the number of their row.
update delivery set place = id, ladder_step = attempts where status <> 'delivered';
alter table delivery alter column place set default nextval('delivery_id_seq');
alter table event alter column place set default nextval('delivery_id_seq');
drop index delivery_lane;
create index delivery_lane on delivery (endpoint_id, lane, place) where status = 'pending';
alter table delivery drop constraint delivery_status_check;
alter table delivery add constraint delivery_status_check check (status in ('pending', 'delivered', 'failed', 'cancelled'));
-- A claim writes its lease onto the same page, and so into no index.
alter table delivery set (fillfactor = 70);
alter table endpoint_drain set (fillfactor = 40);
-- Not `id` alone: whoever wants the newest of an endpoint must not go through those of all others along the primary key.
create index delivery_endpoint on delivery (endpoint_id, (id + 0) desc);
-- Heads that fail and hold their lanes back; a row that is delivered at once is never in it.
create index delivery_tried on delivery (first_attempt_at) where status = 'pending' and ready and attempts > 0 and not out_of_order;
drop function if exists claim_deliveries(text, uuid, integer, integer, timestamptz);
drop function if exists record_attempt(text, uuid, timestamptz, jsonb);
-- What has used up its attempts: to be recovered, and to be told.
create index delivery_failed on delivery (endpoint_id, place, id) where status = 'failed';
create index delivery_exhausted on delivery (endpoint_id, done_at) where status = 'failed';

alter table delivery_attempt
  add column probe boolean not null default false,
  -- Until the connection was there, and until the first byte of the answer; null where it did not come to that.
  add column connect_ms integer,
  add column first_byte_ms integer,
  add column reused_connection boolean not null default false,
  -- Where a redirect that was not followed points to.
  add column location text;
create index delivery_attempt_endpoint on delivery_attempt (endpoint_id, at desc);

-- The AI sales agent.
alter table conversation
  add column assigned_reason text,
  -- What took the conversation over: assign, reply, phone, agent.
  add column taken_over_by text,
  -- When a person last did something here while the agent was out; and when the agent returns by itself.
  add column human_active_at timestamptz,
  add column return_at timestamptz,
  -- When the contact was last seen typing, and until when that counts.
  add column typing_at timestamptz,
  add column typing_until timestamptz;
create index conversation_return on conversation (return_at) where return_at is not null;

-- Who took a conversation over or gave it back, and why.
create table handover (
  id bigint generated always as identity primary key,
  conversation_id text not null,
  at timestamptz not null,
  cause text not null,
  mode text not null,
  epoch integer not null,
  assigned_to text,
  reason text,
  actor text,
  key_id text,
  -- Of whoever may say the same again without knowing that it was heard.
  request_id text
);
create index handover_conversation on handover (conversation_id, id desc);
create unique index handover_request on handover (request_id) where request_id is not null;

alter table ai_turn drop constraint ai_turn_outcome_check;
alter table ai_turn add constraint ai_turn_outcome_check
  check (outcome in ('running', 'reply', 'fallback', 'handoff', 'silence'));
alter table ai_turn
  -- The inbound messages that it answers, or is silent about.
  add column inbound_message_ids text[] not null default '{}',
  add column memory_ids text[] not null default '{}',
  -- The messages that the reply became, in order; `message_id` is the first.
  add column message_ids text[] not null default '{}',
  add column handoff_reason text,
  -- Each request to a model: [{ model, ms, inputTokens?, outputTokens?, costMicros?, error?, purpose? }].
  add column model_calls jsonb not null default '[]',
  -- The rungs of the ladder so far, each put down before it is asked: however it ends, it is not gone back to.
  add column models_tried text[] not null default '{}',
  -- In millionths of the currency that LLM_MODELS is priced in.
  add column cost_micros bigint,
  -- How often a newer message made it begin again.
  add column restarts integer not null default 0,
  -- What the guards did to the reply: link removed, shortened, and the like.
  add column output_notes text[] not null default '{}',
  -- When the first of its messages was here.
  add column received_at timestamptz;
drop index ai_turn_conversation;
create index ai_turn_conversation on ai_turn (conversation_id, id desc);
create index ai_turn_running on ai_turn (conversation_id) where outcome = 'running';
-- Its conversation was read for facts.
alter table ai_turn add column extracted_at timestamptz;
create index ai_turn_tenant on ai_turn (agency_id, tenant_id, ended_at);
create index ai_turn_replied on ai_turn (conversation_id, ended_at) where outcome in ('reply', 'fallback');
-- A reply may be several messages of one turn.
drop index message_turn;
create index message_turn on message (turn_id) where turn_id is not null and direction = 'out';
-- Inbound messages that the agent owes a turn; `turn_id` of one that had it is that turn.
alter table message add column awaits_turn boolean not null default false;
create index message_awaiting on message (conversation_id, created_at) where awaits_turn;
-- When its sender took it back.
alter table message add column revoked_at timestamptz;
-- What was taken back before we had heard of it.
create table parked_revoke (
  session_id text not null,
  network_id text not null,
  at timestamptz not null,
  primary key (session_id, network_id)
);
create index parked_revoke_at on parked_revoke (at);

-- What is known of a contact, or of a tenant where no contact is named.
create table memory (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  contact_id text references contact (id),
  fact text not null,
  -- What it says, without what does not change that (`factKey`).
  fact_key text not null,
  category text not null,
  source text not null,
  -- The message that says so; the memory goes with it.
  evidence_message_id text,
  -- The turn that proposed it.
  turn_id text,
  confidence real,
  expires_at timestamptz,
  superseded_by text references memory (id),
  created_at timestamptz not null,
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index memory_contact on memory (agency_id, tenant_id, contact_id, id) where superseded_by is null;
-- When two contacts turn out to be one.
create index memory_of_contact on memory (contact_id) where contact_id is not null;
create index memory_evidence on memory (evidence_message_id) where evidence_message_id is not null;
create index memory_superseded_by on memory (superseded_by) where superseded_by is not null;
create index memory_expiring on memory (expires_at) where expires_at is not null;

-- What the agent has used, a row a day (of UTC) for the tenant (`contact_id` empty) and for each contact.
create table ai_usage (
  agency_id text not null,
  tenant_id text not null,
  contact_id text not null,
  day date not null,
  replies integer not null default 0,
  tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (agency_id, tenant_id, contact_id, day)
);
create index ai_usage_day on ai_usage (day);
-- What requests to models that are under way may use at the most; given back when it is known what they used.
create table ai_reservation (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  contact_id text not null,
  tokens bigint not null,
  at timestamptz not null
);
create index ai_reservation_whose on ai_reservation (agency_id, tenant_id, contact_id);

-- Personas tried on a conversation without sending. The request holds what people wrote, so it is here and not in Temporal.
create table rehearsal (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text,
  status text not null default 'running' check (status in ('running', 'done', 'failed')),
  request jsonb not null,
  result jsonb,
  error_code text,
  created_at timestamptz not null,
  ended_at timestamptz,
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index rehearsal_created on rehearsal (created_at);
create index rehearsal_running on rehearsal (agency_id, tenant_id) where status = 'running';
create index rehearsal_conversation on rehearsal ((request->>'conversationId')) where request->>'conversationId' is not null;
