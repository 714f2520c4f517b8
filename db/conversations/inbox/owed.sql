-- True for a conversation whose contact waits for an answer and may get one. Nobody answers what was said more than 30
-- days ago, nor a contact who wants no messages.
create or replace function awaits_answer(c conversation, p_now timestamptz) returns boolean language sql stable as $$
  select c.merged_into is null and c.contact_id is not null and c.last_inbound_at > p_now - interval '30 days'
    and not has_opted_out(c.contact_id) and not ends_with_answer(c.id, c.unread_count, c.last_inbound_at)
    and waiting_since(c.id) is not null
$$;

-- True for a conversation that the agent owed to a person and that still waits for one. It is plain SQL, so that
-- PostgreSQL inlines it and finds these conversations by their index.
create or replace function is_owed_to_people(c conversation, p_now timestamptz) returns boolean
  language sql stable as $$
  select c.taken_over_by = 'agent' and c.assigned_reason in ('agent_late', 'reply_expired', 'reply_failed')
    and c.mode = 'human_takeover' and c.assigned_to is null and awaits_answer(c, p_now)
$$;

-- True for a message whose failed model is asked again soon, as the persona wants it. It is late by plan.
create or replace function waits_for_model(m message, p_now timestamptz) returns boolean language sql stable as $$
  select exists (select 1 from ai_turn r where r.id = m.turn_id and r.retry_at > p_now - interval '1 minute')
$$;
