import type { ChatSummary } from '../../../typescript/src/index.ts';
import { knownOf } from '../../parts/known.ts';
import type { Rows } from '../../parts/pages.ts';
import { place } from '../../shell/engine.ts';

/** The name of the query that lists chats. */
export const CHATS = 'chats';

/** The row of a chat in any list: a chat that is opened from it has a name and its last words at once. */
export const listedChat = (id: string): ChatSummary | undefined => {
  for (const { rows } of knownOf<Rows<ChatSummary>>(CHATS, place.value)) {
    const found = rows.find(({ conversationId }) => conversationId === id);
    if (found) return found;
  }
  return undefined;
};
