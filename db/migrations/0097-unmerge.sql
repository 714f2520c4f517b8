-- Merges are undone by statements of the engine (`db/network/unmerge`). No release has called these functions; a
-- database of this release's development may have them.
set local lock_timeout = '10s';

drop function if exists unmerge_contact(bigint, text[], timestamptz);
drop function if exists merged_on(contact_merge);
drop function if exists part_conversation(merge_move, contact_merge, text[], timestamptz);
drop function if exists take_conversation_back(merge_move, text[], text);
drop function if exists in_same_hands(conversation, conversation);
drop function if exists part_contacts(contact_merge, text[]);
drop function if exists part_opt_outs(contact_merge, contact, contact);
drop function if exists show_newest(text);
drop function if exists part_unread(text, text, integer);
