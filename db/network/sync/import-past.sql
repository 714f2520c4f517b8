-- Writes a page of a chat's past; what was deleted is left out, and so is what this session has sent, whatever its
-- direction. Answers the messages that were written or have their content now, with their places
-- among the given ones, and how the conversation's line in the chat list stands. Needs the conversation's lock.
create or replace function import_past(p_conversation text, p_messages jsonb, p_now timestamptz)
returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  m jsonb;
  talk record;
  v_written jsonb := '[]';
  v_id text;
  v_outcome text;
  v_place integer := -1;
begin
  select c.session_id, agent_is_set_up(t) as is_for_agent into talk
  from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id where c.id = p_conversation;
  for m in select e.value from jsonb_array_elements(p_messages) with ordinality e order by e.ordinality loop
    v_place := v_place + 1;
    continue when m->>'direction' = 'in'
      and (select k.is_own or is_of_own_account(talk.session_id, m)
        from known_report(talk.session_id, m->>'networkId', m->>'chatId') k);
    select w.id, w.outcome into v_id, v_outcome from write_message(p_conversation, m, p_now) w;
    continue when v_outcome is null or v_outcome in ('captioned', 'completed', 'marked');
    v_written := v_written || jsonb_build_object('id', v_id, 'place', v_place);
  end loop;
  return (select jsonb_build_object('written', v_written, 'isForAgent', talk.is_for_agent, 'contacted', c.contacted,
      'lastMessageAt', c.last_message_at, 'lastInboundAt', c.last_inbound_at, 'unreadCount', c.unread_count)
    from conversation c where c.id = p_conversation);
end
$$;
