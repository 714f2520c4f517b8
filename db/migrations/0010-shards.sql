-- Deliveries are read by the owners of their shards, in the order of commits, instead of being claimed one by one.

set local lock_timeout = '10s';

-- The transaction that wrote the delivery, or that made it pending again, due earlier, or sent it out of its order: by
-- this number the owner of its shard finds it. Null in rows of before, which an owner finds when it takes the shard.
alter table delivery add column txid xid8;
alter table delivery alter column txid set default pg_current_xact_id();

-- The last transaction that decided about the endpoint. The owner of its shard then reads its row again.
alter table endpoint add column touched_txid xid8;
alter table endpoint_health add column touched_txid xid8;
create index endpoint_touched on endpoint (touched_txid) where touched_txid is not null;
create index endpoint_health_touched on endpoint_health (touched_txid) where touched_txid is not null;

-- The processes that deliver. A lease has an end for all shards of a process; the rows are few and rewritten each
-- second, so their pages have room.
create table delivery_worker (
  id uuid primary key,
  -- The number of the process, whose advisory lock it holds while it runs.
  process bigint not null,
  renewed_at timestamptz not null,
  leased_until timestamptz not null
) with (fillfactor = 20);

-- The owner of each shard, and the secret under which it writes outcomes.
create table delivery_shard (
  shard smallint primary key,
  owner uuid,
  token uuid
) with (fillfactor = 50);
insert into delivery_shard (shard) select generate_series(0, 255);

-- Triggers note what an owner must look at again, so that no statement can forget it, neither one of this release nor
-- one of a process of the release before.

create function note_delivery_txid() returns trigger language plpgsql as $$
begin
  new.txid := pg_current_xact_id();
  return new;
end
$$;
create trigger delivery_again before update on delivery for each row
  when (new.status = 'pending' and (old.status <> 'pending' or new.next_attempt_at < old.next_attempt_at
    or new.out_of_order <> old.out_of_order or new.place is distinct from old.place))
  execute function note_delivery_txid();

-- Ended without an attempt: the owner may have the delivery in its memory.
create function touch_endpoint_of_delivery() returns trigger language plpgsql as $$
begin
  update endpoint set touched_txid = pg_current_xact_id()
    where id = new.endpoint_id and touched_txid is distinct from pg_current_xact_id();
  return null;
end
$$;
create trigger delivery_taken_back after update on delivery for each row
  when (old.status = 'pending' and (new.status = 'cancelled' or new.status = 'failed' and new.last_class = 'expired'))
  execute function touch_endpoint_of_delivery();

create function touch() returns trigger language plpgsql as $$
begin
  new.touched_txid := pg_current_xact_id();
  return new;
end
$$;
create trigger endpoint_touched before update on endpoint for each row execute function touch();
create trigger endpoint_health_touched before update on endpoint_health for each row
  when ((old.breaker, old.probe_at, old.probes, old.concurrency, old.throttled_until)
    is distinct from (new.breaker, new.probe_at, new.probes, new.concurrency, new.throttled_until))
  execute function touch();

-- A suspended agency gets nothing, and gets it again when it is active.
create function touch_endpoints_of_agency() returns trigger language plpgsql as $$
begin
  update endpoint set touched_txid = pg_current_xact_id() where agency_id = new.id and deleted_at is null;
  return null;
end
$$;
create trigger agency_status after update of status on agency for each row when (old.status is distinct from new.status)
  execute function touch_endpoints_of_agency();

-- Which endpoints want an event is known in the memory of processes. The version is another one after each change of an
-- agency's endpoints that matters for that. It is from a sequence, so a number that was rolled back never comes again.
create sequence endpoint_version_seq;
create table endpoint_version (
  agency_id text primary key,
  version bigint not null default nextval('endpoint_version_seq')
);
create function note_endpoint_version() returns trigger language plpgsql as $$
begin
  insert into endpoint_version (agency_id) values (new.agency_id)
    on conflict (agency_id) do update set version = excluded.version;
  return null;
end
$$;
create trigger endpoint_made after insert on endpoint for each row execute function note_endpoint_version();
create trigger endpoint_changed after update on endpoint for each row
  when ((old.url, old.events, old.tenant_ids, old.ordering, old.status, old.deleted_at)
    is distinct from (new.url, new.events, new.tenant_ids, new.ordering, new.status, new.deleted_at))
  execute function note_endpoint_version();

-- Each new delivery would lock its endpoint's row for this. An endpoint is removed only long after its deletion, when
-- it has no deliveries (`db/webhooks/forget-endpoints.ts`).
alter table delivery drop constraint if exists delivery_endpoint_id_fkey;
