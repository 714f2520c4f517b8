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
