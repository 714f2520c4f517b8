-- Indexes on tables that have rows: db/indexes/indexes.ts builds them after the migrations, without holding up writers.
-- The list says what the database has: one statement for each index, in any order, and one for each that is dropped.
-- The only forms are
--   create [unique] index concurrently if not exists <name> on <table> (…) [where …];
--   drop index concurrently if exists <name>;
-- The definition of an index cannot be changed under its name: a changed index gets another name, and the former one is
-- dropped.

-- Indexes for contacts with two identities: unfinished merges, conversations that lead to another one, and the rows
-- that a merge moves besides the queue.
create index concurrently if not exists conversation_unfinished_merge on conversation (id)
  where unfinished_merge is not null;
create index concurrently if not exists conversation_merged on conversation (merged_into) where merged_into is not null;
create index concurrently if not exists message_undecided on message (conversation_id)
  where status in ('scheduled', 'uncertain');
create index concurrently if not exists handover_untold on handover (conversation_id) where is_untold;

-- Indexes for parked own messages, and for sends that an operator has given up and that the network may still show.
create index concurrently if not exists parked_own_message_conversation on parked_own_message (conversation_id);
create index concurrently if not exists message_given_up on message (session_id, ended_at)
  where status = 'failed' and error_code = 'resolved_by_operator';
create index concurrently if not exists backend_event_own on backend_event (session_name)
  where own_network_id is not null and applied_at is null and parked_at is null;

-- Indexes of events in the order of their sequence.
create index concurrently if not exists event_order on event (agency_id, txid, place);
create index concurrently if not exists event_tenant_order on event (agency_id, tenant_id, txid, place);
create index concurrently if not exists event_rare_order on event (agency_id, type, txid, place)
  where type <> 'message' and type <> 'message.ack';
drop index concurrently if exists event_pull;
drop index concurrently if exists event_tenant;
drop index concurrently if exists event_rare;

-- The index of unapplied events, by session: first those that were never tried, in the order in which they came, then
-- those that wait to be tried again. It also has events that a previous release parked without moving them.
create index concurrently if not exists backend_event_waiting on backend_event (session_name, retry_at nulls first, id)
  where applied_at is null;
drop index concurrently if exists backend_event_pending;
drop index concurrently if exists backend_event_unapplied;

-- Nobody read this index, and every message wrote an entry.
drop index concurrently if exists conversation_unanswered;

-- The index of ready messages, in the order in which the releaser takes them.
create index concurrently if not exists message_ready_order on message (session_id, lane, bulk, ready_at, id)
  where status = 'queued' and released_at is null and ready_at is not null;
drop index concurrently if exists message_ready;

-- The index of sessions by the time at which the releaser looks at them.
create index concurrently if not exists session_pace_release on session_pace (release_at)
  where release_at is not null;

-- Indexes by which the owners of shards read what is new, page by page, and by due time.
create index concurrently if not exists delivery_tail on delivery (txid, shard_of(endpoint_id))
  where status = 'pending';
create index concurrently if not exists delivery_page on delivery (endpoint_id, place) where status = 'pending';
create index concurrently if not exists delivery_due on delivery (next_attempt_at, shard_of(endpoint_id))
  where status = 'pending' and attempts > 0;
create index concurrently if not exists endpoint_shard on endpoint (shard_of(id)) where deleted_at is null;
create index concurrently if not exists delivery_lost on delivery (event_created_at) where status = 'pending';
create index concurrently if not exists delivery_failing on delivery (first_attempt_at)
  where status = 'pending' and attempts > 0 and not out_of_order;
drop index concurrently if exists delivery_ready;
drop index concurrently if exists delivery_old;
drop index concurrently if exists delivery_tried;

-- Decisions of people about messages, for the audit.
create index concurrently if not exists message_history_decided on message_history (at) where actor is not null;

-- The index of handovers by age, for the clean-up.
create index concurrently if not exists handover_at on handover (at);

-- The index of sessions by the server that holds them.
create index concurrently if not exists session_backend on session (backend);

-- Indexes for contacts who are known by a hidden id alone, and for merges that are undone.
create index concurrently if not exists contact_ask_phone on contact (ask_session_id, ask_phone_at)
  where ask_phone_at is not null;
create index concurrently if not exists contact_ask_overdue on contact (ask_phone_at) where ask_phone_at is not null;
create index concurrently if not exists contact_merge_undone on contact_merge (agency_id, tenant_id)
  where undone_at is not null;
create index concurrently if not exists contact_merge_unfinished on contact_merge (id) where undo_unfinished;
