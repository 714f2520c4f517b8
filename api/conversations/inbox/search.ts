import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findContactId, isContactInScope } from '../../../db/conversations/contact.ts';
import { findConversationInScope } from '../../../db/conversations/conversation.ts';
import { indexBeforeSearch } from '../../../db/conversations/search/due.ts';
import { listConversationsOf, readSearch, searchMessages } from '../../../db/conversations/search/search-messages.ts';
import type { FoundMessage, SearchFilter } from '../../../db/conversations/search/search-messages.ts';
import type { Queries } from '../../../db/engine/tx.ts';
import { invalid, notFound } from '../../../domain/error.ts';
import { ContactId, ConversationId, SessionId, SessionRef } from '../../../domain/ids.ts';
import { highlightsOf, MAX_HIGHLIGHTS } from '../../../domain/inbox/highlights.ts';
import { MAX_SEARCH_LENGTH, MAX_TERMS } from '../../../domain/inbox/search-terms.ts';
import type { Scope } from '../../../domain/scope.ts';
import { MessageKind } from '../../../domain/sending/message-kind.ts';
import { MessageView } from '../../../domain/sending/message.ts';
import { defineRoute } from '../../deps.ts';
import { requireSession } from '../../sessions/session-in-scope.ts';
import { cursorOf, HasMore, Limit, Moment, NextCursor, nextPage, pageOf } from '../../wire/page.ts';
import { readBeside } from '../beside.ts';
import { endOf } from '../../../domain/network/ends.ts';
import { toMessageView } from '../message-view.ts';
import { hasNoWord, termsOf } from './typed-search.ts';

interface Place {
  list: string;
  at: string;
  id: string;
}

const Cursor = cursorOf<Place>({
  read(text) {
    const [, list = '', at = '', id = ''] = /^found (\w{16}) (-?\d{1,16}) (\S{1,128})$/.exec(text) ?? [];
    return id === '' ? undefined : { list, at, id };
  },
  write: ({ list, at, id }) => `found ${list} ${at} ${id}`,
});

const Highlight = z
  .object({
    start: z.int().meta({ description: 'The first code unit.' }),
    end: z.int().meta({ description: 'The first code unit after it.' }),
  })
  .meta({ id: 'Highlight', description: 'A part of a text, in UTF-16 code units, as JavaScript counts.' });

const FoundView = MessageView.extend({
  conversationId: ConversationId,
  sessionId: SessionId,
  chatId: z.string().meta({ description: "The network's name of the chat." }),
  contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
  highlights: z.array(Highlight).meta({
    description:
      `The places in \`body\` that match the search, at most ${MAX_HIGHLIGHTS}. \`body\` is text as its sender ` +
      'wrote it: escape it before you highlight it.',
  }),
}).meta({ id: 'FoundMessage', description: 'A message that was found, with its conversation.' });

const Query = z.object({
  q: z
    .string()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .meta({
      description:
        `Words that the message must contain, all of them, at most ${MAX_TERMS}. Upper and lower case, ` +
        'accents and punctuation are ignored.\n\nWords `"in quotes"` must appear in a row, and a star makes a ' +
        'word a prefix.',
      examples: ['invoice 47* "thank you"'],
    }),
  session: SessionRef.optional().meta({
    description:
      'Only messages of one session, by its id or name. Defaults to all sessions of the tenant, or of the key.',
  }),
  conversationId: ConversationId.optional().meta({ description: 'Only messages of one conversation.' }),
  contactId: ContactId.optional().meta({ description: 'Only messages of the conversations with this contact.' }),
  fromMe: z.stringbool().optional().meta({
    description: 'With `true`, only messages written from the account; with `false`, only messages that others wrote.',
  }),
  kind: MessageKind.optional(),
  since: Moment.optional().meta({ description: 'Only messages from this time on.' }),
  until: Moment.optional().meta({ description: 'Only messages from before this time.' }),
  limit: Limit,
  cursor: nextPage(Cursor),
});
type Query = z.output<typeof Query>;

export const searchRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/messages/search',
    auth: 'tenant',
    cost: 5,
    scope: 'read',
    operationId: 'messages.search',
    summary: 'Search messages',
    description:
      "Searches the texts and captions of a tenant's messages, of both sides, and returns them newest " +
      'first. Messages deleted for everyone are not found, and edited messages are found by their new ' +
      'text.\n\nIn scripts without spaces between words, any part of a sentence is found.',
    query: Query,
    reply: z.object({
      messages: z.array(FoundView).meta({ description: 'The messages of this page, newest first.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
      isComplete: z.boolean().meta({
        description:
          'False while messages from before an upgrade, or thousands of messages that have just arrived, are ' +
          'still being indexed: some may be missing.',
      }),
    }),
    errors: ['not_found'],
    async handle({ scope, query }, { database, mediaLinks }) {
      const { q, limit, cursor } = query;
      const terms = termsOf(q, 'query/q');
      const isIndexed = await indexBeforeSearch(database);
      const { found, quoted, changes, phones, list, isComplete } = await database.read(async (queries) => {
        const search = await readSearch(queries, terms);
        if (search.words === null) throw hasNoWord('query/q');
        const filter = await filterOf(queries, scope, query);
        const named = nameOf([scope, search.words, filter]);
        if (cursor !== undefined && cursor.list !== named) {
          throw invalid({ pointer: 'query/cursor', message: 'belongs to another list' }, OTHER_LIST);
        }
        const asked = { words: search.words, filter, after: cursor ?? null, limit: limit + 1 };
        const messages = await searchMessages(queries, scope, asked);
        const chatIds = messages.map(({ chatId }) => chatId);
        const beside = await readBeside(queries, scope, { messages: messages.map(({ message }) => message), chatIds });
        return { found: messages, list: named, isComplete: isIndexed && search.isComplete, ...beside };
      });
      const { rows, ...page } = pageOf(found, limit, ({ at, id }) => Cursor.encode({ list, at, id }));
      const view = ({ message, conversationId, chatId, contactId, sessionChatId }: FoundMessage) => {
        const ends = { own: endOf(sessionChatId), other: endOf(chatId, phones), phones };
        return {
          ...toMessageView(message, { ends, quoted, changes }, mediaLinks),
          conversationId,
          sessionId: message.sessionId,
          chatId,
          contactId,
          highlights: highlightsOf(message.body, terms),
        };
      };
      return { messages: rows.map(view), ...page, isComplete };
    },
  }),
];

const OTHER_LIST = 'Send a cursor with the search that it belongs to, or request the first page without one.';

/** Finds what the search is narrowed to; what the caller may not see is as what is not there. */
async function filterOf(queries: Queries, scope: Scope, query: Query): Promise<SearchFilter> {
  const { session, conversationId, contactId, kind = null, fromMe = null, since = null, until = null } = query;
  const sessionId = session === undefined ? scope.sessionId : (await requireSession(queries, scope, session)).id;
  const conversationIds = await conversationsOf(queries, { ...scope, sessionId }, { conversationId, contactId });
  return { sessionId, conversationIds, kind, fromMe, since, until };
}

async function conversationsOf(
  queries: Queries,
  scope: Scope,
  { conversationId, contactId }: { conversationId: string | undefined; contactId: string | undefined },
): Promise<string[] | null> {
  if (conversationId !== undefined) {
    const conversation = await findConversationInScope(queries, scope, conversationId);
    if (!conversation) throw notFound('conversation', 'query/conversationId');
    if (contactId !== undefined && conversation.contactId !== contactId) return [];
    return [conversation.id];
  }
  if (contactId === undefined) return null;
  const known = await findContactId(queries, scope, { contactId });
  if (known === null || !(await isContactInScope(queries, scope, known))) throw notFound('contact', 'query/contactId');
  return listConversationsOf(queries, scope, known);
}

/** Names a search: a cursor of it leads nowhere in another one. */
function nameOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
