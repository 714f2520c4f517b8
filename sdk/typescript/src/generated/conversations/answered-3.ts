// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Participant } from './answered-2.ts';

export interface ConversationsListParticipantsAnswer {
  /** The id of a conversation. */
  conversationId: string;
  /** The participants; those who manage the group come first. */
  participants: Participant[];
  /** False if the network could not be asked, so the list may be out of date. */
  isCurrent: boolean;
}
