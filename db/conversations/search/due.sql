-- Indexes what is due, oldest first, and answers how much it has looked at; -1 when another transaction does and
-- `p_waits` is false. One transaction does at a time, so a search that waits for it finds what was said before. It
-- locks no message. Triggers note changes during the read (`follow_changed_message`, `chat-text.sql`) and these are
-- indexed again: each statement here sees every earlier commit.
create or replace function index_due(p_limit integer, p_waits boolean)
returns integer language plpgsql set enable_seqscan = off as $$
declare
  v_lock constant bigint := hashtextextended('search-due', 0);
  v_messages text[];
  v_chats text[];
  v_count integer;
begin
  if p_waits then
    if not exists (select from search_due) then return 0; end if;
    perform pg_advisory_xact_lock(v_lock);
  elsif not pg_try_advisory_xact_lock(v_lock) then
    return -1;
  end if;

  with taken as (
    delete from search_due where id = any (array(select d.id from search_due d order by d.id limit p_limit))
    returning agency_id, tenant_id, message_id, conversation_id, former_at
  ), gone as (
    delete from message_text t using taken d
    where d.former_at is not null and t.agency_id = d.agency_id and t.tenant_id = d.tenant_id
      and t.occurred_at = d.former_at and t.message_id = d.message_id
  )
  select array_agg(distinct message_id) filter (where message_id is not null),
    array_agg(distinct conversation_id) filter (where conversation_id is not null), count(*)
  into v_messages, v_chats, v_count from taken;

  insert into message_text as t (agency_id, tenant_id, occurred_at, message_id, words)
  select m.agency_id, m.tenant_id, m.occurred_at, m.id, x.words
  from message m cross join lateral text_of(m.agency_id, m.tenant_id, m.session_id, m.conversation_id, m.occurred_at,
    m.status, m.revoked_at, m.body) x(words)
  where m.id = any (v_messages) and x.words is not null
  on conflict (agency_id, tenant_id, occurred_at, message_id) do update set words = excluded.words
    where t.words <> excluded.words;

  delete from chat_text t where t.conversation_id = any (v_chats)
    and not exists (select from conversation c where c.id = t.conversation_id and c.merged_into is null);
  perform index_chats(v_chats);
  return v_count;
end
$$;
