-- Work of the search index: messages and chats that were written, changed or deleted. A row here costs a send less than
-- its words do, which are indexed together soon after it, and before the next search
-- (`db/conversations/search/due.sql`).
set local lock_timeout = '10s';

create table search_due (
  id bigint generated always as identity primary key,
  agency_id text not null,
  tenant_id text not null,
  -- One of the two.
  message_id text,
  conversation_id text,
  -- The former time of the message's words that are no longer true; null for a new message.
  former_at timestamptz
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000);
