import { z } from 'zod';
import { listGaps } from '../../db/sessions/gaps.ts';
import type { Gap } from '../../db/sessions/gaps.ts';
import { GAP_STATES, GapView } from '../../domain/sessions/gap.ts';
import { defineRoute } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { requireSession } from './session-in-scope.ts';
import { SessionPath } from './session-path.ts';

const GAP_ID = /^gap_[0-9a-f-]{36}$/;
const Cursor = cursorOf<string>({ read: (text) => (GAP_ID.test(text) ? text : undefined), write: (id) => id });

export const gapRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/sessions/:id/gaps',
    auth: 'tenant',
    scope: 'read',
    operationId: 'sessions.listGaps',
    summary: 'List the gaps of a session',
    description:
      'Returns the times in which messages may have been lost, newest first. Missed messages arrive as ' +
      '`message` events with `recovered`.\n\nEach has its cause, what was compared with the backend, what ' +
      'was fetched, and what remains unknown. A gap is compared as soon as the session works. Closed gaps ' +
      'are kept for 90 days.',
    params: SessionPath,
    query: z.object({
      state: z.enum(GAP_STATES).optional().meta({ description: 'Only gaps in this state.' }),
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      gaps: z.array(GapView).meta({ description: 'The gaps of this page, the newest first.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    async handle({ scope, params, query: { state = null, limit, cursor: before = null } }, { database }) {
      const found = await database.read(async (queries) => {
        const { id } = await requireSession(queries, scope, params.id);
        return listGaps(queries, { sessionId: id, state }, { before, limit: limit + 1 });
      });
      const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { gaps: rows.map(toView), ...page };
    },
  }),
];

function toView(gap: Gap): GapView {
  const { id, sessionId, cause, from, to, state, chats, messages, recovered, own, revoked, changed } = gap;
  return {
    id,
    sessionId,
    cause,
    from: from.toISOString(),
    to: isoOrNull(to),
    state,
    compared: { chats, messages, at: isoOrNull(gap.comparedAt) },
    recovered: { messages: recovered, own, revoked, changed },
    unknown: gap.leftUnknown,
    compareAt: isoOrNull(gap.compareAt),
    openedAt: gap.openedAt.toISOString(),
    closedAt: isoOrNull(gap.closedAt),
  };
}
