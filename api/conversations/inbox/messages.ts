import { z } from 'zod';
import { currentConversationId, findConversationInScope } from '../../../db/conversations/conversation.ts';
import { invalid, notFound } from '../../../domain/error.ts';
import { ConversationId } from '../../../domain/ids.ts';
import { MessageView } from '../../../domain/sending/message.ts';
import { defineRoute } from '../../deps.ts';
import { sessionInScope } from '../../sessions/session-in-scope.ts';
import { NextCursor, nextPage } from '../../wire/page.ts';
import { awaitHistory } from '../await-history.ts';
import { repairGap } from '../repair-gap.ts';
import { InboxPage } from './inbox-page.ts';
import { MessageCursor, MessageMark } from './message-cursor.ts';
import { depthOf, readMessagePage } from './message-page.ts';
import { readBeside } from '../beside.ts';
import { endOf } from '../../../domain/network/ends.ts';
import { toMessageView } from '../message-view.ts';

const MARK = 'a messageId of the conversation, or a time';
const EXAMPLES = ['msg_019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24', '2026-11-22T09:30:00Z'];
const mark = (description: string) => MessageMark.optional().meta({ description, examples: EXAMPLES });

export const messageListRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    auth: 'tenant',
    cost: 3,
    scope: 'read',
    operationId: 'conversations.listMessages',
    summary: 'List the messages of a conversation',
    description:
      'Returns the messages of a conversation, newest first. It waits a few seconds for messages that are ' +
      'still being fetched (`syncing`).\n\nMissing history and messages missed during a stop are fetched. ' +
      'Request a page with one of `cursor`, `before`, `after` and `around`; otherwise it is the newest ' +
      'page. Within a page, the newest message always comes first. With these parameters each page costs ' +
      'the same, and new messages do not shift the pages.',
    params: z.object({ conversationId: ConversationId }),
    query: z.object({
      ...InboxPage,
      cursor: nextPage(MessageCursor).meta({
        description: 'The `nextCursor` of a response, for the page after it, or its `newerCursor`, for newer messages.',
      }),
      before: mark(`Only messages older than this: ${MARK}.`),
      after: mark(
        `Only messages newer than this, the nearest to it: ${MARK}. \`nextCursor\` then leads to newer ones.`,
      ),
      around: mark(`The messages around this, half of the page on each side: ${MARK}.`),
    }),
    reply: z.object({
      messages: z.array(MessageView).meta({ description: 'The messages of this page, newest first.' }),
      hasMore: z.boolean().meta({
        description: 'True if older messages follow after these; newer ones, for a page requested with `after`.',
      }),
      nextCursor: NextCursor,
      hasNewer: z.boolean().meta({ description: 'True if messages newer than those of this page are known.' }),
      newerCursor: z
        .string()
        .nullable()
        .meta({
          description:
            'The `cursor` for messages newer than this page, including those that are still to come. Null for a ' +
            'page without messages, unless it was requested with such a cursor.',
        }),
      syncing: z
        .boolean()
        .meta({ description: 'True while messages are still being fetched: request it again in a few seconds.' }),
    }),
    errors: ['not_found'],
    async handle({ scope, params, query, request }, deps) {
      const { database, messageWatch, mediaLinks } = deps;
      const { limit, offset, cursor, before, after, around } = query;
      refuseTwo({ cursor, before, after, around, ...(around !== undefined && offset > 0 ? { offset } : {}) });
      const conversation = await database.read((q) => findConversationInScope(q, scope, params.conversationId));
      if (!conversation) throw notFound('conversation', 'path/conversationId');
      const conversationId = conversation.id;
      if (cursor !== undefined && cursor.conversationId !== conversationId) {
        // The conversation of the cursor may have been merged into this one since.
        const now = await database.read((queries) => currentConversationId(queries, cursor.conversationId));
        if (now !== conversationId)
          throw invalid({ pointer: 'query/cursor', message: 'belongs to another list' }, OTHER_LIST);
      }
      const session = await sessionInScope(database, scope, conversation.sessionId);
      const asked = { conversationId, limit, offset, cursor, before, after, around };
      const depth = await database.read((queries) => depthOf(queries, scope, asked));
      const asks = { scope, conversation, session, depth, signal: request.signal };
      const late = await Promise.all([
        repairGap(deps, { session, conversation }),
        awaitHistory({ database, messageWatch }, asks),
      ]);
      const syncing = late.includes(true);
      const { page, quoted, phones, changes } = await database.read(async (queries) => {
        const found = await readMessagePage(queries, scope, { ...asked, depth });
        const chatIds = [conversation.chatId];
        return { page: found, ...(await readBeside(queries, scope, { messages: found.messages, chatIds })) };
      });
      const ends = { own: endOf(session.chatId), other: endOf(conversation.chatId, phones), phones };
      const shown = { ends, quoted, changes };
      const messages = page.messages.map((message) => toMessageView(message, shown, mediaLinks));
      return { ...page, messages, syncing };
    },
  }),
];

const OTHER_LIST = 'Send a cursor with the conversation that it belongs to, or request the newest page without one.';

/** Refuses a request that asks for two pages at once. */
function refuseTwo(marks: Readonly<Record<string, unknown>>): void {
  const [, ...others] = Object.keys(marks).filter((name) => marks[name] !== undefined);
  if (others.length === 0) return;
  throw invalid(
    others.map((name) => ({ pointer: `query/${name}`, message: 'requests another page' })),
    'Use only one of cursor, before, after and around; do not combine the last one with an offset.',
  );
}
