-- Writes a page of a chat's past in one statement; what we have already stays as it is, and what was deleted is left
-- out. Answers the ids that were written, and how the conversation's line in the chat list stands. Needs the
-- conversation's lock.
create or replace function import_messages(p_conversation text, p_messages jsonb, p_now timestamptz)
returns table (ids text[], is_for_agent boolean, contacted boolean, last_message_at timestamptz,
  last_inbound_at timestamptz, unread_count integer)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
begin
  with written as (
    insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
      body, media, participant, network_id, reply_to_network_id, occurred_at, status, ack, error_code, created_at,
      updated_at, revoked_at, chat_id, content)
    select g.id, c.agency_id, c.tenant_id, c.session_id, c.id, c.contact_id, g.direction, g.origin, g.kind, g.body,
      nullif(g.media, 'null'), g.participant, g."networkId", g."replyToNetworkId", g.at, g.status, g.ack, g.error,
      p_now, p_now,
      -- A process of the previous release may have been told that it was revoked before it came.
      r.at, nullif(g."chatId", c.chat_id), nullif(g.content, 'null')
    from jsonb_to_recordset(p_messages) as g(id text, direction text, origin text, kind text, body text, media jsonb,
      "chatId" text, participant text, "networkId" text, "replyToNetworkId" text, at timestamptz, status text,
      ack smallint, error text, content jsonb)
    join conversation c on c.id = p_conversation
    left join parked_revoke r on r.session_id = c.session_id and r.network_id = g."networkId"
    where not is_deleted(c.agency_id, c.tenant_id, c.session_id, null, g.at, true, p_now)
    on conflict (network_id, session_id, direction) where network_id is not null do nothing
    returning id
  )
  select coalesce(array_agg(w.id), '{}') into ids from written w;
  select agent_is_set_up(t), c.contacted, c.last_message_at, c.last_inbound_at, c.unread_count
  into is_for_agent, contacted, last_message_at, last_inbound_at, unread_count
  from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id where c.id = p_conversation;
  return next;
end
$$;
