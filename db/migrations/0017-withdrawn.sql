-- An owner of a shard reads an endpoint's row again after each decision about the endpoint. Its memory of the
-- endpoint's deliveries is wrong only when some of them have ended without an attempt, which is noted on its own: to
-- read all of them again after each failure would be most of what an endpoint with a backlog costs.
set local lock_timeout = '10s';

alter table endpoint add column withdrawn_txid xid8;

create or replace function touch_endpoint_of_delivery() returns trigger language plpgsql as $$
begin
  update endpoint set withdrawn_txid = pg_current_xact_id()
    where id = new.endpoint_id and withdrawn_txid is distinct from pg_current_xact_id();
  return null;
end
$$;
