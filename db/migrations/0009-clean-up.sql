-- Adds what lets an idle session cost almost nothing, and keeps the tables small that change all the time.

set local lock_timeout = '10s';

-- Records which webhook the session has at the backend, by a digest of its address, events and secret, and the start of
-- the oldest process that gives it this webhook.
alter table session add column webhook_digest text, add column webhook_since timestamptz;
-- Counts the runs of the store's reconcile schedule: a store that was restored from a copy has fewer.
alter table temporal_store add column schedule_runs bigint not null default 0;

-- Dead rows of queues and counters slow down whoever looks for the few live ones, and the defaults wait until a fifth
-- of a table is dead. These numbers are of dead rows, not of a share, where a table has few rows that live.
alter table dispatch set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
alter table session_sequence set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table session_pace set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table endpoint_drain set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
alter table endpoint_health set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table repeated_promise set (autovacuum_vacuum_scale_factor = 0.05);
-- Large tables whose rows change a few times in their first minutes.
alter table delivery set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.02);
alter table message set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.02);
alter table conversation set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0.02);
alter table idempotency set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
alter table ai_turn set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- Partitions do not take over the parameters of their table, so the policy says with which they are made.
alter table partition_policy add column parameters text not null default '';
update partition_policy set parameters = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000'
where table_name = 'backend_event';
do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'backend_event'::regclass
  loop
    execute format('alter table %s set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)',
      part);
  end loop;
end
$$;
