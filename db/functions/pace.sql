-- When a message that was just accepted is likely to go out, and the rule that decides it.
create or replace function plan_of(p_message text, p_now timestamptz)
returns jsonb language plpgsql set enable_seqscan = off as $$
begin
  return jsonb_build_object('sendAt', p_now, 'rule', 'now');
end
$$;
