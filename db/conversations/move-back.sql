-- Lists the conversations that a merge has touched.
create or replace function parted_conversations(p_merge bigint) returns text[] language sql stable as $$
  select array(
    select from_id from merge_move where merge_id = p_merge and kind = 'conversation'
    union select into_id from merge_move where merge_id = p_merge and kind = 'conversation'
    union select unnest(ids) from merge_move where merge_id = p_merge and kind in
      ('conversation_contact', 'conversation_lead'))
$$;

-- Moves messages and turns of a merge back, of each conversation those that one transaction has moved: first the open
-- and the newest ones, then the older. A message that waited at the merge and went out since was said to the other
-- person, so it stays. Answers whether any step is left.
create or replace function move_back(p_merge bigint, p_first boolean)
returns boolean language plpgsql set enable_seqscan = off as $$
declare
  step merge_move;
begin
  for step in
    select v.* from merge_move v
    where v.merge_id = p_merge and v.kind in ('message', 'ai_turn') and v.undone_at is null
      -- Later steps of a conversation are those of its older messages.
      and (not p_first or not exists (select 1 from merge_move e
        where e.merge_id = p_merge and e.kind = v.kind and e.from_id = v.from_id and e.id < v.id))
    order by v.id limit (case when p_first then null else 2 end)
  loop
    if step.kind = 'message' then
      update message m set conversation_id = step.from_id, contact_id = f.contact_id,
        chat_seq = coalesce((f.before->'places'->>m.id)::bigint, m.chat_seq)
      from (select g.from_contact_id as contact_id, v.before from contact_merge g left join merge_move v
        on v.merge_id = g.id and v.kind = 'conversation' and v.from_id = step.from_id where g.id = p_merge) f
      where m.id = any (step.ids) and m.conversation_id = step.into_id
        and not (coalesce(f.before->'waiting' ? m.id, false) and (m.status in ('sending', 'uncertain')
          or was_sent(m.status)));
    else
      update ai_turn r set conversation_id = step.from_id
      where r.id = any (step.ids) and r.conversation_id = step.into_id;
    end if;
    update merge_move set undone_at = clock_timestamp() where id = step.id;
  end loop;
  return exists (select 1 from merge_move v
    where v.merge_id = p_merge and v.kind in ('message', 'ai_turn') and v.undone_at is null);
end
$$;

-- Moves back at once what merges of these contacts that were undone have left behind, because what is merged or taken
-- apart next would otherwise carry messages of one person on with those of the other.
create or replace function finish_undoing(p_contacts text[])
returns void language plpgsql set enable_seqscan = off as $$
declare
  v_merge bigint;
begin
  for v_merge in
    select g.id from contact_merge g
    where g.undo_unfinished and (g.from_contact_id = any (p_contacts) or g.into_contact_id = any (p_contacts))
    order by g.id desc
  loop
    perform lock_people('{}', parted_conversations(v_merge));
    while move_back(v_merge, false) loop end loop;
    update contact_merge set undo_unfinished = false where id = v_merge;
  end loop;
end
$$;
