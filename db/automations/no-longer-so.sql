-- True when what an absence began a run for is over: somebody has said something in the conversation, a person has done
-- something there, the contact has read the message, or a time of the day has passed for long. A run that speaks then
-- promises an answer behind the answer. What the run itself has said changes nothing.
create or replace function is_no_longer_so(e automation_execution, p_conversation text) returns boolean
  language sql stable as $$
  select case
    when e.trigger->>'event' in ('unanswered', 'unread') then e.taken_over_at is not null
      or not exists (select 1 from conversation c left join message l on l.id = c.last_message_id
        where c.id = p_conversation and (c.last_message_id = e.trigger->>'messageId' or l.execution_id = e.id))
      or (e.trigger->>'event' = 'unread' and exists (select 1 from message m
        where m.id = e.trigger->>'messageId' and m.status not in ('sent', 'delivered')))
    when e.trigger->>'event' = 'schedule' then coalesce(e.started_at > e.created_at + interval '2 hours', false)
    else false end
$$;
