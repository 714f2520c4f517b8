// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { LabelOutput } from '../shared/answered-3.ts';

/** The labels of an account. */
export interface ListedLabels {
  /** All labels of the account. */
  labels: LabelOutput[];
}

/** The chat, and the labels that it has now. */
export interface LabelsSet {
  /** The backend has accepted the labels. */
  success: true;
  /** The network's name of the chat. */
  chatId: string;
  /** The conversation of the chat. Null if nothing has been said in it yet. */
  conversationId: string | null;
  /** The contact of the chat. Null for groups and strangers. */
  contactId: string | null;
  /** The labels that the chat has now. */
  labels: LabelOutput[];
}
