import type { EventFilter } from '../../db/webhooks/events/event-list.ts';

const CONVERSATION_DAYS = 7;

/** Reads which events a request asks for. */
export function filterOf(
  query: {
    type?: string | undefined;
    sessionId?: string | undefined;
    conversationId?: string | undefined;
    since?: Date | undefined;
    until?: Date | undefined;
  },
  now: Date,
): EventFilter {
  const { type = null, sessionId = null, conversationId = null, until = null } = query;
  // No index leads to the events of a conversation, so its search is bounded in time.
  const lately = conversationId === null ? null : new Date((until ?? now).getTime() - CONVERSATION_DAYS * 86_400_000);
  return { type, sessionId, conversationId, since: query.since ?? lately, until };
}
