-- Indexes on tables that have rows: db/indexes/indexes.ts builds them after the migrations, without holding up writers.
-- The list says what the database has: one statement for each index, in any order, and one for each that is dropped.
-- The only forms are
--   create [unique] index concurrently if not exists <name> on <table> [using gin] (…) [where …];
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
-- The index by which a report is known as the echo of a send whose call goes on.
create index concurrently if not exists message_chosen on message (chosen_network_id)
  where status in ('sending', 'uncertain');
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

-- The releaser looks first whether a person's reply waits. A flood of the agent's replies would be read for that.
create index concurrently if not exists message_ready_of_people on message (session_id, ready_at)
  where origin = 'person' and lane = 0 and status = 'queued' and released_at is null;

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
create index concurrently if not exists endpoint_of_session on endpoint (session_id) where session_id is not null;
create index concurrently if not exists delivery_lost on delivery (event_created_at) where status = 'pending';
create index concurrently if not exists delivery_failing on delivery (first_attempt_at)
  where status = 'pending' and attempts > 0 and not out_of_order;
drop index concurrently if exists delivery_ready;
drop index concurrently if exists delivery_old;
drop index concurrently if exists delivery_tried;

-- Attempts that ended with a class of failure, for the list of one class. Most attempts have no entry.
create index concurrently if not exists delivery_attempt_failed on delivery_attempt (class, endpoint_id, at desc)
  where class <> 'delivered';

-- Operators read these all the time: messages whose call continues, and endpoints that fail.
create index concurrently if not exists message_claimed on message (claimed_at) where status = 'sending';
create index concurrently if not exists endpoint_health_failing on endpoint_health (breaker)
  where breaker <> 'closed';

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

-- Indexes of the chat list by what it is narrowed to: unread chats, those that a person has, and those that have
-- changed since a time.
create index concurrently if not exists conversation_unread on conversation
  (session_id, last_message_at desc nulls last, id) where unread_count > 0 and last_message_at is not null;
create index concurrently if not exists conversation_taken on conversation
  (session_id, last_message_at desc nulls last, id) where mode = 'human_takeover' and last_message_at is not null;
create index concurrently if not exists conversation_updated on conversation (session_id, updated_at);

-- Indexes of files: those of a tenant by their age, those of a history that are still to be fetched, and the rows that
-- name a key of the store.
create index concurrently if not exists message_file_age on message (agency_id, tenant_id, occurred_at)
  where media is not null and not starts_with(coalesce(media->>'error', ''), 'media_');
create index concurrently if not exists message_unfetched on message (session_id, occurred_at)
  where origin = 'history' and media is not null and not media ? 'stored'
    and not starts_with(coalesce(media->>'error', ''), 'media_');
create index concurrently if not exists message_file_key on message ((media->'stored'->>'key') collate "C")
  where media ? 'stored';
create index concurrently if not exists contact_picture_key on contact ((picture->>'key')) where picture is not null;
create index concurrently if not exists session_picture_key on session ((picture->>'key')) where picture is not null;

-- Indexes by which the rows of one person are found: what they said in groups, and the stored answers of their tenant.
create index concurrently if not exists message_participant on message (participant, agency_id)
  where participant is not null;
create index concurrently if not exists idempotency_tenant on idempotency (agency_id, tenant_id, created_at, key);

-- The index of what members of groups have put on messages, by whom.
create index concurrently if not exists message_response_member on message_response (responder)
  where responder not in ('account', 'contact');

-- The index of who has opted out of a tenant's messages.
create index concurrently if not exists contact_opted_out on contact (agency_id, tenant_id, id)
  where opted_out_at is not null;

-- The walk of an export through a tenant.
create index concurrently if not exists conversation_tenant on conversation (agency_id, tenant_id, id);
create index concurrently if not exists memory_tenant on memory (agency_id, tenant_id, id);

-- The index of runs under way by the key that whoever asked for them has given.
create index concurrently if not exists automation_execution_request_key on automation_execution
  (automation_id, request_key) where request_key is not null and status = 'running';

-- Indexes by which the runs of an agency's automations are counted: those that run, and those of the last minute.
create index concurrently if not exists automation_execution_agency_running on automation_execution (agency_id)
  where status = 'running';
create index concurrently if not exists automation_execution_agency_since on automation_execution
  (agency_id, created_at);

-- Indexes by which all that the engine does and did for a tenant is listed, the newest first, and what runs now.
-- Without its prefix an id sorts among those of other kinds. An index of the ids alone is no way to read the list: it
-- would be walked through the newer rows of all other tenants.
create index concurrently if not exists automation_execution_tenant on automation_execution
  (agency_id, tenant_id, substr(id, 5));
drop index concurrently if exists automation_execution_list;
create index concurrently if not exists ai_turn_of_tenant on ai_turn (agency_id, tenant_id, substr(id, 5));
create index concurrently if not exists ai_turn_running_of_tenant on ai_turn (agency_id, tenant_id, substr(id, 5))
  where outcome = 'running';
create index concurrently if not exists message_action_tenant on message_action
  (agency_id, tenant_id, substr(id, 5));
create index concurrently if not exists message_action_tenant_open on message_action
  (agency_id, tenant_id, substr(id, 5)) where ended_at is null;
create index concurrently if not exists rehearsal_tenant on rehearsal (agency_id, tenant_id, substr(id, 5));

-- Indexes of an agency's runs that wait for their turn, and of those at work.
create index concurrently if not exists automation_execution_line on automation_execution (agency_id, id)
  where status = 'running' and promised_at is null;
create index concurrently if not exists automation_execution_at_work on automation_execution (agency_id, promised_at)
  where status = 'running' and waits_for is null and promised_at is not null;

-- The index of the runs that schedules began for contacts, which have half of an agency's runs at most.
create index concurrently if not exists automation_execution_audience on automation_execution (agency_id)
  where status = 'running' and audience is not null;

-- The index of all workflows of an agency. The deletion of an agency looks for deleted ones, too.
create index concurrently if not exists flow_of_agency on flow (agency_id, id);
drop index concurrently if exists flow_agency;

-- The messages whose options a reply may name, native ones included.
create index concurrently if not exists message_offered on message (conversation_id, sent_at)
  where rendered_as is not null;
drop index concurrently if exists message_numbered;

-- Indexes of the walks of an export: messages and turns of a tenant by their ids, which no merge changes.
create index concurrently if not exists message_of_tenant on message (agency_id, tenant_id, id);
create index concurrently if not exists ai_turn_exported on ai_turn (agency_id, tenant_id, id);

-- Messages whose content a repair has asked for.
create index concurrently if not exists message_content_asked on message (conversation_id)
  where content_asked_at is not null;

-- A preflight of a browser names an origin and no login: it is looked up among all links that a page may embed.
create index concurrently if not exists console_link_embed_in on console_link
  using gin (embed_in) where (embed_in <> '{}');

-- A new session's name is compared with all others without regard to case.
create index concurrently if not exists session_lower_name on session (lower(name));

-- The conversations that the agent owes to a person are few among all that people have.
create index concurrently if not exists conversation_owed_to_people on conversation (agency_id, tenant_id)
  where taken_over_by = 'agent' and assigned_reason in ('agent_late', 'reply_expired', 'reply_failed');

-- Messages of contacts whose content has not come are few, and each scrape of the metrics counts the newest.
create index concurrently if not exists message_content_missing on message (created_at)
  where direction = 'in' and content->>'contentState' = 'missing';
