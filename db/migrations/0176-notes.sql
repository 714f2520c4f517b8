-- The notes of a team about a contact. Neither the contact nor the agent ever sees them.
set local lock_timeout = '10s';

create table note (
  id text primary key,
  agency_id text not null,
  tenant_id text not null,
  contact_id text not null references contact (id),
  text text not null,
  -- The name that the author gave; null for a program that gave none.
  author text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (agency_id, tenant_id) references tenant (agency_id, id)
);
create index note_contact on note (contact_id, id);
-- The walk of an export through a tenant.
create index note_tenant on note (agency_id, tenant_id, id);

-- A merge moves notes, too.
alter table merge_move drop constraint merge_move_kind_check;
alter table merge_move add constraint merge_move_kind_check check (kind in ('conversation', 'conversation_contact',
  'conversation_lead', 'message', 'ai_turn', 'handover', 'parked_own_message', 'contact_alias', 'memory',
  'memory_superseded', 'ai_reservation', 'note')) not valid;
