import type { ChatSummary, Conversation, Message } from '../../../typescript/src/index.ts';
import { createKnown } from '../../parts/known.ts';
import type { Rows } from '../../parts/pages.ts';
import { knownAs } from '../../parts/use-load.ts';

const CHATS_AT_MOST = 2_000;
const OPENED_AT_MOST = 50;

/** The rows of the list: a chat that is opened from it has a name and its last words at once. */
export const listedChats = createKnown<ChatSummary>(CHATS_AT_MOST);
/** The chats that were open before, with the newest page of their messages. */
export const openedChats = createKnown<Conversation>(OPENED_AT_MOST);
export const openedMessages = createKnown<Rows<Message>>(OPENED_AT_MOST, ({ pages }) => pages === 1);

/** Forgets a chat that is gone, and its messages also where they were opened at another place. */
export const forgetChat = (id: string): void => {
  listedChats.drop(id);
  openedMessages.drop(knownAs(JSON.stringify([id, null])));
};
