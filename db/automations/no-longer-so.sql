-- Answers the last message of the conversation's line. One that is being matched may be what a run itself has said, so
-- the one before it counts.
create or replace function said_last(c conversation) returns text language sql stable as $$
  select case when not exists (select 1 from message m
      where m.id = c.last_message_id and m.matching_network_id is not null) then c.last_message_id
    else (select m.id from message m
      where m.conversation_id = c.id and m.matching_network_id is null and m.status <> 'scheduled'
        and m.content->'notice' is null
      order by m.occurred_at desc, m.id desc limit 1) end
$$;

-- True when what an absence began a run for is over: somebody has said something in the conversation, a person has done
-- something there, the contact has read the message, or a time of the day has passed for long. A run that speaks then
-- promises an answer behind the answer. A contact whom a schedule has chosen by silence must still be silent. The run's
-- own messages change nothing.
create or replace function is_no_longer_so(e automation_execution, p_conversation text) returns boolean
  language sql stable as $$
  select case
    when e.trigger->>'event' in ('unanswered', 'unread') then e.taken_over_at is not null
      or not exists (select 1 from conversation c cross join lateral said_last(c) as said(id)
        left join message l on l.id = said.id
        where c.id = p_conversation and (said.id = e.trigger->>'messageId' or l.execution_id = e.id))
      or (e.trigger->>'event' = 'unread' and exists (select 1 from message m
        where m.id = e.trigger->>'messageId' and m.status not in ('sent', 'delivered')))
    when e.trigger->>'event' = 'schedule' then coalesce(e.started_at > e.created_at + interval '2 hours', false)
      or (e.audience->'silentDays' is not null and exists (select 1 from conversation c
        cross join lateral said_last(c) as said(id) join message l on l.id = said.id
        where c.id = p_conversation and l.created_at > e.created_at and l.execution_id is distinct from e.id
          -- History that comes later is no sign of life.
          and l.occurred_at > e.created_at - (e.audience->>'silentDays')::int * interval '1 day'))
    else false end
$$;
