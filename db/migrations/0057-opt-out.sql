-- Opt-outs: whoever asks for no more messages gets none but those that a request calls transactional.
set local lock_timeout = '10s';

alter table contact
  -- Since when the contact wants no more messages; null where the contact has not said so.
  add column opted_out_at timestamptz,
  -- By a `word` of the contact, or by a `request` to the API.
  add column opted_out_by text;

-- True for what also goes to a contact who has opted out: what a request calls transactional, and what a person says.
alter table message add column transactional boolean;
