-- The erasures of persons: what is asked for, how far it is, and what was erased where.
set local lock_timeout = '10s';

create table erasure (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  contact_id text not null,
  key_id text not null,
  step text not null default 'messages',
  -- By whom rows are found: ids and addresses. Null once the erasure has ended, because nothing of the person stays.
  subject jsonb,
  -- The position of a table's sweep.
  cursor jsonb,
  -- The rows that were deleted or blanked, by table; `files` counts files of the store.
  report jsonb not null default '{}',
  -- The reason why the erasure waits; null while it does not.
  waits_for text,
  created_at timestamptz not null,
  -- From then on the person is unknown: who writes later is a new contact.
  erased_at timestamptz,
  -- The event that tells it, whose place divides what was written before from what comes later.
  event_id text,
  ended_at timestamptz,
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index erasure_contact on erasure (contact_id);
create index erasure_tenant on erasure (agency_id, tenant_id, id);
create index erasure_open on erasure (created_at) where ended_at is null;

-- The addresses of erased persons as keyed digests, by which late news of before the erasure is known and left out. The
-- key is not in the database, so that nobody learns the address from its digest.
create table erased_address (
  digest bytea primary key,
  agency_id text not null,
  tenant_id text not null,
  erased_at timestamptz not null
);

-- The files of erased messages and persons. Their addresses answer that they were erased. `key` is the file in the
-- store until it is deleted there.
create table erased_file (
  -- The id of the message or the contact whose file it was.
  id text primary key,
  agency_id text not null,
  erasure_id text not null references erasure (id),
  key text,
  erased_at timestamptz not null
);
create index erased_file_left on erased_file (erasure_id, id) where key is not null;
