-- Answers "who is this about now?" for everything that keeps the id of a contact or a conversation: runs, sends, reads,
-- the agent, erasures, exports, imports. `test/toolchain/conversation-now.ts` refuses other reads of the lead.

-- Answers the conversation that this one is now: itself, or the one into which merges have led it. A merge and its
-- undoing rewrite the lead, so it is one step long. PostgreSQL inlines the function, so it costs what its columns do.
create or replace function conversation_now(c conversation) returns text language sql immutable as $$
  select coalesce(c.merged_into, c.id)
$$;

-- Lists the ids under which rows name a conversation that is one now: its own, and those that became it. Rows that a
-- merge leaves in place, such as runs and old messages, keep theirs. PostgreSQL inlines the function in a `from`.
create or replace function ids_of_conversation(p_conversation text) returns setof text
  language sql stable rows 2 as $$
  select p_conversation union all select k.id from conversation k where k.merged_into = p_conversation
$$;

-- Answers the contact that this one is now: the one into which merges have led it, step by step, as far as they were
-- not undone. Work that lasts asks this before each step, because a merge moves everything under other ids meanwhile.
create or replace function contact_now(p_contact text) returns text language sql stable as $$
  with recursive way as (
    select p_contact as id, 0 as steps
    union all
    select g.into_contact_id, w.steps + 1 from way w
    join contact_merge g on g.from_contact_id = w.id and g.undone_at is null where w.steps < 1000
  )
  select id from way order by steps desc limit 1
$$;
