-- True when one of these addresses, given as keyed digests, was an erased person's when that happened. The network
-- tells whole seconds, and a time is the end of its second: what is of the second of the erasure counts as later.
create or replace function was_erased(p_digests jsonb, p_at timestamptz)
returns boolean language sql stable as $$
  select exists (
    select 1 from jsonb_array_elements_text(p_digests) d join erased_address e on e.digest = decode(d, 'hex')
    where e.erased_at >= p_at)
$$;
