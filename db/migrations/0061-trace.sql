-- The trace in which a message was accepted, as W3C's `traceparent`; null where nobody traces. It has to outlive the
-- request, because a message may wait for days before it goes.
set local lock_timeout = '10s';

alter table message add column trace text;
