/** Tells how the undoing of a merge treats a column that names a contact or a conversation. */
export type Line =
  /** Rows go back to the person whose they are. */
  | { isGivenBack: true; by: string }
  /** Rows keep what they name, and why that is right. */
  | { isGivenBack: false; because: string };

const givenBack = (by: string): Line => ({ isGivenBack: true, by });
const kept = (because: string): Line => ({ isGivenBack: false, because });

const LEDGER = 'the ledger of merges keeps what it did';
const HINT = 'a hint that lasts for seconds; it is resolved when it is read';
const JOB = 'a long job asks `contact_now` before each step';
const RECORD = 'a record of what was answered or told at that moment';

/**
 * Every column that names a contact or a conversation. A new one belongs here and, where its rows belong to a person,
 * into the step that gives them back.
 */
export const UNMERGE_LINES: Readonly<Record<string, Line>> = {
  'ai_reservation.contact_id': givenBack('partUsage; one since stays for the minutes that it lasts'),
  'ai_turn.conversation_id': givenBack('move_back, and giveTurnsBack for one since that has said nothing'),
  'ai_usage.contact_id': givenBack('partUsage; what was used since stays with the contact that stayed'),
  'audit_entry.object_id': kept(RECORD),
  'automation_execution.contact_id': givenBack('moveRuns; a merge moves none'),
  'automation_execution.conversation_id': givenBack('moveRuns; a merge moves none'),
  'chat_text.conversation_id': kept('triggers index both conversations anew'),
  'contact.id': givenBack('restoreStayed and restoreGone of contacts.ts, and partOptOuts'),
  'contact_alias.contact_id': givenBack('giveAddressesBack'),
  'contact_merge.from_contact_id': kept(LEDGER),
  'contact_merge.into_contact_id': kept(LEDGER),
  'contact_merge.after': kept(LEDGER),
  'contact_merge.before': kept(LEDGER),
  'conversation.contact_id': givenBack('restoreGone, and giveConversationBack'),
  'conversation.id': givenBack('restoreGone and restoreStayed of conversations.ts, and shareUnread'),
  'conversation.merged_into': givenBack('restoreGone, and giveRecordsBack for those that led there'),
  'delivery.lane': kept('events go out in the order of the conversation that they were written for'),
  'dispatch.args': kept('the workflow reads the rows when it begins'),
  'dispatch.attributes': kept('the workflow reads the rows when it begins'),
  'dispatch.summary': kept('the workflow reads the rows when it begins'),
  'dispatch.workflow_id': kept('wakeAgents promises the agent in both conversations'),
  'erasure.asked_contact_id': kept(JOB),
  'erasure.contact_id': kept(JOB),
  'event.body': kept(RECORD),
  'event.conversation_id': kept(RECORD),
  'gap_reading.conversation_id': kept('the chat was read for that gap, whoever it belongs to'),
  'group_member.conversation_id': kept('no merge joins groups'),
  'handover.conversation_id': givenBack('giveRecordsBack; what was decided since holds for both'),
  'handover.merged_from': kept(RECORD),
  'held_event.conversation_id': kept('an event goes out as it was written; its message finds it'),
  'held_event.held_in': kept('an event goes out as it was written; its message finds it'),
  'history_read.conversation_id': kept('a chat that waits to be read; the next reading lists it again'),
  'memory.contact_id': givenBack('giveMemoriesBack, and giveLearnedBack for what was learned since'),
  'merge_move.after': kept(LEDGER),
  'merge_move.before': kept(LEDGER),
  'merge_move.from_id': kept(LEDGER),
  'merge_move.ids': kept(LEDGER),
  'merge_move.into_id': kept(LEDGER),
  'message.contact_id': givenBack('move_back, and giveMessagesBack for those since'),
  'message.conversation_id': givenBack('move_back, and giveMessagesBack for those since'),
  'mirror_note.conversation_id': kept(HINT),
  'note.contact_id': givenBack('giveNotesBack; one since stays with the contact that stayed'),
  'parked_own_message.conversation_id': givenBack('giveRecordsBack, also those since'),
  'passthrough_send.conversation_id': kept(
    'a merge moves none; a send since went to the address of the one that stayed',
  ),
  'search_due.conversation_id': kept(HINT),
  'session_contact.contact_id': givenBack('partAccounts; a block since holds for both'),
  'viewer.conversation_id': kept(HINT),
};
