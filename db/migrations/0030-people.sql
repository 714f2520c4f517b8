-- Reports of the backend about groups, the picture of an account, and the requests that have decided about a session.
set local lock_timeout = '10s';

alter table group_member
  -- Somebody who has left stays as a row, so that a late report of before does not put them back.
  add column is_member boolean not null default true,
  -- The time of the backend's newest report of the member, by the backend's clock: an older one changes nothing.
  add column told_at timestamptz not null default '-infinity',
  add column changed_at timestamptz not null default '-infinity';
-- The time of the backend's newest report of a group's name, by the backend's clock.
alter table conversation add column name_told_at timestamptz;

-- The picture that the network shows of the account: `key`, `sizeBytes`, `sha256` and `mimeType` of the file in the
-- store.
alter table session add column picture jsonb, add column picture_asked_at timestamptz;

-- The requests of operators that have decided about a session: an activity that runs again must not decide again.
create table session_request (
  session_id text not null references session (id) on delete cascade,
  request_id text not null,
  at timestamptz not null,
  primary key (session_id, request_id)
);

-- No release has these; a database of this one's development may.
drop function if exists receive_messages(jsonb, timestamptz, interval);
drop function if exists ensure_conversation(text, text, text, text, text[], text, text, text, text, text);
drop function if exists ensure_contact(text, text, text[], text, text, text, text, text);
