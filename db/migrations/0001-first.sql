-- Agencies and their registered dashboards.
create table agency (
  id text primary key,
  dashboard_name text not null,
  status text not null default 'registered' check (status in ('registered', 'active', 'suspended')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A tenant comes into being with its first session or setting. mode and epoch are the takeover fence of the whole tenant.
create table tenant (
  agency_id text not null references agency (id),
  id text not null,
  ai_enabled boolean not null default false,
  ai_mode text not null default 'bot_active' check (ai_mode in ('bot_active', 'human_takeover')),
  ai_epoch integer not null default 0,
  persona jsonb,
  created_at timestamptz not null default now(),
  primary key (agency_id, id)
);

create table session (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  name text not null unique,
  backend text not null default 'default',
  is_default boolean not null default false,
  status text not null default 'STOPPED',
  -- When the backend says that it reached this status, by its own clock.
  status_at timestamptz not null default 'epoch',
  status_changed_at timestamptz not null default now(),
  chat_id text,
  push_name text,
  lid text,
  platform text,
  last_error text,
  synced_pages integer not null default 0,
  synced_at timestamptz,
  supervised_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create unique index session_default on session (agency_id, tenant_id) where is_default;
create index session_tenant on session (agency_id, tenant_id, id);

-- The last number given to an event of the session: its own row, so that the wait for it is the last of a transaction.
create table session_sequence (
  session_id text primary key references session (id),
  last bigint not null default 0
);

create table api_key (
  id text primary key,
  kind text not null check (kind in ('session', 'dashboard')),
  agency_id text not null references agency (id),
  tenant_id text,
  session_id text references session (id),
  name text not null,
  digest bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_key_agency on api_key (agency_id, id);

create table contact (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  chat_id text not null,
  name text,
  push_name text,
  created_at timestamptz not null default now(),
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index contact_tenant on contact (agency_id, tenant_id, id);

-- A person's addresses. One address belongs to one person of a tenant.
create table contact_alias (
  agency_id text not null,
  tenant_id text not null,
  chat_id text not null,
  contact_id text not null references contact (id),
  primary key (agency_id, tenant_id, chat_id)
);
create index contact_alias_contact on contact_alias (contact_id);

create table conversation (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null references session (id),
  chat_id text not null,
  contact_id text references contact (id),
  name text,
  picture_url text,
  mode text not null default 'bot_active' check (mode in ('bot_active', 'human_takeover')),
  epoch integer not null default 0,
  assigned_to text,
  last_seq bigint not null default 0,
  last_message_id text,
  last_message_body text,
  last_message_from_me boolean,
  last_message_at timestamptz,
  unread_count integer not null default 0,
  history_synced integer not null default 0,
  history_complete boolean not null default false,
  created_at timestamptz not null default now(),
  -- The most selective column first, here and below: a plan that was made while the tables were empty, when every index
  -- looks alike, can then only choose the right one.
  unique (chat_id, session_id)
);
create unique index conversation_contact on conversation (contact_id, session_id);
create index conversation_unanswered on conversation (last_message_at) where last_message_from_me = false;
create index conversation_recent on conversation (agency_id, tenant_id, session_id, last_message_at desc nulls last, id);

create table message (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  conversation_id text not null references conversation (id),
  contact_id text,
  direction text not null check (direction in ('in', 'out')),
  origin text not null,
  kind text not null,
  body text not null default '',
  media jsonb,
  participant text,
  network_id text,
  chosen_network_id text,
  reply_to_network_id text,
  -- When it happened for people: the network's time, or ours until the network has one.
  occurred_at timestamptz not null,
  status text not null,
  ack smallint,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  played_at timestamptz,
  ended_at timestamptz,
  error_code text,
  error_detail text,
  -- The rest is about sending.
  lane smallint not null default 1,
  chat_seq bigint,
  released_at timestamptz,
  -- When the reconcile last promised its delivery again.
  promised_at timestamptz,
  claim_token uuid,
  claimed_at timestamptz,
  -- The process that makes the call: the advisory lock of this number is held as long as it lives.
  claim_owner bigint,
  -- How a send of unknown outcome was lost: it decides how long "not there" must be doubted.
  lost_at timestamptz,
  lost_cause text check (lost_cause in ('error_answer', 'broken_connection', 'timeout')),
  attempts integer not null default 0,
  conversation_epoch integer,
  tenant_epoch integer,
  turn_id text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index message_network on message (network_id, session_id, direction) where network_id is not null;
create index message_conversation on message (conversation_id, occurred_at desc, id desc);
create index message_queue on message (conversation_id, lane, chat_seq) where status in ('queued', 'sending');
create index message_promised on message (promised_at nulls first, updated_at)
  where status = 'sending' or (status = 'queued' and released_at is not null);
create index message_expiring on message (expires_at) where status = 'queued';
create index message_session_open on message (session_id, conversation_id) where status in ('queued', 'sending');
create index message_sent on message (session_id, sent_at desc)
  where direction = 'out' and network_id is not null and sent_at is not null;
create index message_uncertain on message (session_id, ended_at) where status = 'uncertain';
create unique index message_turn on message (turn_id) where turn_id is not null;

create table message_history (
  -- The order of what happened; times of different processes do not tell it.
  id bigint generated always as identity,
  message_id text not null,
  at timestamptz not null default clock_timestamp(),
  status text not null,
  reason text,
  detail text
) partition by range (at);
create index message_history_message on message_history (message_id, id);

-- Acks and own messages that arrived before the row they belong to.
create table parked_ack (
  session_id text not null,
  network_id text not null,
  level smallint not null,
  error jsonb,
  at timestamptz not null default now(),
  primary key (session_id, network_id, level)
);
create index parked_ack_at on parked_ack (at);
create table parked_own_message (
  session_id text not null,
  network_id text not null,
  conversation_id text not null,
  message jsonb not null,
  parked_at timestamptz not null default clock_timestamp(),
  primary key (session_id, network_id)
);
create index parked_own_message_due on parked_own_message (parked_at);

-- A promise to start or signal a workflow, written with the rows it is about.
create table dispatch (
  id bigint generated always as identity primary key,
  workflow_type text not null,
  workflow_id text not null,
  action text not null check (action in ('start', 'signal', 'signal_with_start')),
  signal text,
  signal_args jsonb not null default '[]',
  args jsonb not null default '[]',
  attributes jsonb not null default '{}',
  summary text,
  priority smallint not null default 2,
  agency_id text not null,
  not_before timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  leased_until timestamptz,
  lease_token uuid,
  parked_at timestamptz,
  last_error text,
  created_at timestamptz not null default clock_timestamp()
);
create index dispatch_ready on dispatch (priority, agency_id, id) where parked_at is null;
create index dispatch_parked on dispatch (parked_at) where parked_at is not null;
create index dispatch_workflow on dispatch (workflow_id);

-- What the backend told us, raw, before anything is made of it.
create table backend_event (
  id bigint generated always as identity,
  received_on date not null default current_date,
  session_name text not null,
  request_key text not null,
  body text not null,
  received_at timestamptz not null default clock_timestamp(),
  attempts integer not null default 0,
  applied_at timestamptz,
  retry_at timestamptz,
  parked_at timestamptz,
  error text,
  primary key (received_on, id),
  unique (received_on, session_name, request_key)
) partition by range (received_on);
create index backend_event_pending on backend_event (session_name, id) where applied_at is null and parked_at is null;

create table event (
  id text not null,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  conversation_id text,
  sequence bigint not null,
  type text not null,
  body text not null,
  txid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default clock_timestamp(),
  primary key (created_at, id)
) partition by range (created_at);
create index event_tenant on event (agency_id, tenant_id, txid);

create table endpoint (
  id text primary key,
  agency_id text not null references agency (id),
  tenant_id text,
  url text not null,
  secret bytea not null,
  events text[] not null,
  ordering text not null default 'conversation' check (ordering in ('conversation', 'parallel', 'fifo')),
  concurrency integer not null default 10,
  timeout_ms integer not null default 15000,
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text,
  last_error text,
  failing_since timestamptz,
  created_at timestamptz not null default now()
);
create index endpoint_agency on endpoint (agency_id, tenant_id);

-- Who drains an endpoint, in a row of its own so that renewing the lease never waits for a change of the endpoint.
create table endpoint_drain (
  endpoint_id text primary key references endpoint (id),
  token uuid,
  drained_until timestamptz
);

create table delivery (
  id bigint generated always as identity primary key,
  endpoint_id text not null references endpoint (id),
  agency_id text not null,
  tenant_id text not null,
  event_id text not null,
  event_created_at timestamptz not null,
  lane text not null,
  -- Only the head of a lane is ready; its result makes the next one so.
  ready boolean not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  first_attempt_at timestamptz,
  lease_token uuid,
  leased_until timestamptz,
  last_class text,
  last_status integer,
  out_of_order boolean not null default false,
  done_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index delivery_ready on delivery (endpoint_id, next_attempt_at, id) where status = 'pending' and ready;
create index delivery_lane on delivery (endpoint_id, lane, id) where status = 'pending';
create index delivery_event on delivery (event_id);
create index delivery_old on delivery (event_created_at) where status = 'pending' and ready;
create index delivery_done on delivery (done_at) where status <> 'pending';

create table delivery_attempt (
  delivery_id bigint not null,
  endpoint_id text not null,
  event_id text not null,
  number integer not null,
  at timestamptz not null default clock_timestamp(),
  class text not null,
  status integer,
  duration_ms integer not null,
  response_excerpt text
) partition by range (at);
create index delivery_attempt_delivery on delivery_attempt (delivery_id, at);

create table ai_turn (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  conversation_id text not null references conversation (id),
  -- The turn answers inbound messages up to this one.
  up_to_message_id text not null,
  up_to_at timestamptz not null,
  conversation_epoch integer not null,
  tenant_epoch integer not null,
  outcome text not null default 'running' check (outcome in ('running', 'reply', 'fallback', 'silence')),
  silence_code text,
  model text,
  input_tokens integer,
  output_tokens integer,
  reply text,
  message_id text,
  error_code text,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz
);
create index ai_turn_conversation on ai_turn (conversation_id, up_to_at desc);
create index ai_turn_ended on ai_turn (ended_at) where outcome <> 'running';

create table request_log (
  at timestamptz not null default clock_timestamp(),
  request_id text not null,
  key_id text,
  agency_id text not null,
  tenant_id text not null,
  session_id text not null,
  method text not null,
  route text not null,
  status integer not null,
  duration_ms integer not null,
  response_bytes bigint not null
) partition by range (at);
create index request_log_agency on request_log (agency_id, at);

-- Growth: time-partitioned tables and how long their rows are kept. `maintain_partitions` makes the coming ones and drops the old.
create table partition_policy (
  table_name text primary key,
  period_days integer not null,
  keep_days integer not null
);
insert into partition_policy (table_name, period_days, keep_days) values
  ('backend_event', 1, 7),
  ('event', 7, 30),
  ('message_history', 7, 90),
  ('delivery_attempt', 7, 90),
  ('request_log', 7, 30);

-- Never in the way of the rows' own traffic: a new partition is made beside its table and then attached, which locks nobody
-- out. A drop does for a moment, so it is the last thing and one at a time, the next with the next call. What cannot be had
-- within a second is left to the next call as well.
create function maintain_partitions(today date) returns void language plpgsql set lock_timeout = '1s' as $$
declare
  policy record;
  starts date;
  part_name text;
  old_name text;
begin
  -- Any fixed number. Whoever has it makes the same partitions.
  if not pg_try_advisory_xact_lock(7215002) then return; end if;
  for policy in select * from partition_policy order by table_name loop
    -- Periods are counted from a fixed day, so that every process makes the same borders.
    starts := date '2026-01-05' + ((today - date '2026-01-05') / policy.period_days) * policy.period_days;
    -- One period back, for rows whose day began on another clock, and enough ahead that a few days off do no harm.
    for offset_periods in -1 .. (case when policy.period_days = 1 then 7 else 2 end) loop
      part_name := format('%s_p%s', policy.table_name, to_char(starts + offset_periods * policy.period_days, 'YYYYMMDD'));
      if to_regclass(part_name) is null then
        begin
          execute format('create table %I (like %I including defaults)', part_name, policy.table_name);
          execute format('alter table %I attach partition %I for values from (%L) to (%L)', policy.table_name, part_name,
            starts + offset_periods * policy.period_days, starts + (offset_periods + 1) * policy.period_days);
        exception when lock_not_available then null;
        end;
      end if;
    end loop;
  end loop;
  select child.relname into old_name
  from partition_policy p join pg_class parent on parent.oid = to_regclass(p.table_name)
    join pg_inherits i on i.inhparent = parent.oid join pg_class child on child.oid = i.inhrelid
  where to_date(right(child.relname, 8), 'YYYYMMDD') + p.period_days + p.keep_days < today
  order by right(child.relname, 8) limit 1;
  if old_name is null then return; end if;
  begin
    execute format('drop table %I', old_name);
  exception when lock_not_available then null;
  end;
end
$$;
select maintain_partitions(current_date);
