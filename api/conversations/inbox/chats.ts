import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ConversationMode } from '../../../domain/conversation.ts';
import { ChatSummary } from '../../../domain/inbox/chat-summary.ts';
import { invalid } from '../../../domain/error.ts';
import { SessionRef } from '../../../domain/ids.ts';
import { MAX_SEARCH_LENGTH, MAX_TERMS } from '../../../domain/inbox/search-terms.ts';
import { LabelId } from '../../../domain/labels.ts';
import type { Scope } from '../../../domain/scope.ts';
import { WORKING } from '../../../domain/sessions/session.ts';
import { countChats, readChatTotal } from '../../../db/conversations/inbox/chat-count.ts';
import { countNarrowed, listChats, listWaiting, MAX_COUNTED } from '../../../db/conversations/inbox/chats.ts';
import type { Chat, ChatFilter, ChatPlace } from '../../../db/conversations/inbox/chats.ts';
import { indexBeforeSearch } from '../../../db/conversations/search/due.ts';
import { listLabelsOf } from '../../../db/conversations/labels/labels.ts';
import { notePicturesAsked } from '../../../db/conversations/picture.ts';
import type { Database } from '../../../db/engine/database.ts';
import { promisePicture } from '../../../db/sessions/session-workflow.ts';
import { findSessionInScope } from '../../../db/sessions/session.ts';
import type { Session } from '../../../db/sessions/session.ts';
import { defineRoute } from '../../deps.ts';
import { sessionInScope } from '../../sessions/session-in-scope.ts';
import { cursorOf, HasMore, Moment, NextCursor, nextPage, pageOf } from '../../wire/page.ts';
import { refreshChats } from '../await-history.ts';
import { toChatSummary } from './chat-view.ts';
import { InboxPage } from './inbox-page.ts';
import { termsOf } from './typed-search.ts';

/** The end of a page of chats; `list` names its list, and `total` is the count of the first page. */
interface Place extends ChatPlace {
  list: string;
  total: number;
}

const Cursor = cursorOf<Place>({
  read(text) {
    const [, list = '', at = '', total = '', id = ''] =
      /^chats (\w{16}) (\d{1,16}) (\d{1,9}) (\S{1,128})$/.exec(text) ?? [];
    return id === '' ? undefined : { list, at, total: Number(total), id };
  },
  write: ({ list, at, total, id }) => `chats ${list} ${at} ${total} ${id}`,
});

const Filter = {
  search: z
    .string()
    .min(1)
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .meta({
      description:
        `Only chats with words that begin with these terms, at most ${MAX_TERMS}. It searches the chat's ` +
        "name, and the contact's name and phone number.\n\nIn a phone number, any part matches. Upper and " +
        'lower case and accents are ignored.',
      examples: ['mar 0123'],
    }),
  unread: z
    .stringbool()
    .optional()
    .meta({ description: 'With `true`, only chats with unread messages; with `false`, only those without.' }),
  waiting: z
    .stringbool()
    .optional()
    .meta({
      description:
        'With `true`, only chats whose contact waits for an answer (`waitingSince`), the longest wait first; with ' +
        '`false`, only the others.',
    }),
  mode: ConversationMode.optional(),
  assignedTo: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({
      description: 'Only chats that this `assignee` has.',
      examples: ['Maria'],
    }),
  label: LabelId.optional().meta({ description: "Only chats with this label, by the network's id of the label." }),
  updatedSince: Moment.optional().meta({
    description:
      'Only chats in which someone has written, read or taken over since this time, or whose name has changed. Go ' +
      'back a few seconds before your last request, because a change becomes visible a moment after its time.',
  }),
};

export const chatRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/chats',
    auth: 'tenant',
    cost: 5,
    scope: 'read',
    takesUnknownTenant: true,
    operationId: 'conversations.list',
    summary: 'List chats, newest first',
    description:
      'Returns stored chats and updates them in the background (`syncing`). With `cursor`, no chat appears ' +
      'twice.\n\nWith `cursor`, each page costs the same. A chat that moves up during the read is on its ' +
      'first page. A tenant without a session has no chats.',
    query: z.object({
      ...InboxPage,
      cursor: nextPage(Cursor),
      pages: z.coerce
        .number()
        .int()
        .min(1)
        .max(20)
        .default(1)
        .meta({ description: 'How many pages of 20 chats are brought up to date, 1 to 20.' }),
      ...Filter,
      session: SessionRef.optional(),
    }),
    reply: z.object({
      chats: z.array(ChatSummary).meta({ description: 'The conversations of this page, newest first.' }),
      total: z.int().meta({
        description:
          'How many chats the session has, all pages together. For a filtered list, how many chats match; ' +
          `${MAX_COUNTED} means that many or more.\n\nPages by \`cursor\` keep the count of the first page.`,
      }),
      hasMore: HasMore,
      nextCursor: NextCursor,
      syncing: z
        .boolean()
        .meta({ description: 'True while the list is being brought up to date: request it again in a few seconds.' }),
    }),
    errors: ['not_found'],
    async handle({ scope, query }, { database, mediaLinks }) {
      const { limit, offset, cursor, unread, waiting, mode, assignedTo, label, updatedSince } = query;
      const session = await shownSession(database, scope, query.session);
      if (session === null) return { chats: [], total: 0, hasMore: false, nextCursor: null, syncing: false };
      const search = query.search === undefined ? undefined : termsOf(query.search, 'query/search');
      const filter = { search, unread, waiting, mode, assignedTo, label, updatedSince };
      const list = nameOf(session.id, filter);
      if (cursor !== undefined && cursor.list !== list) {
        throw invalid({ pointer: 'query/cursor', message: 'belongs to another list' }, OTHER_LIST);
      }
      if (search !== undefined) await indexBeforeSearch(database);
      const wanted = { sessionId: session.id, filter, after: cursor ?? null, limit: limit + 1, offset };
      const { found, counted, labels } = await database.read(async (queries) => {
        const { chats, total } =
          waiting === true
            ? await listWaiting(queries, scope, wanted)
            : { chats: await listChats(queries, scope, wanted), total: undefined };
        const ids = chats.map(({ id }) => id);
        return {
          found: chats,
          counted: total,
          labels: await listLabelsOf(queries, session.id, ids),
        };
      });
      const total = cursor?.total ?? counted ?? (await totalOf(database, scope, { sessionId: session.id, filter }));
      const { rows, ...page } = pageOf(found, limit, ({ id, at }) => Cursor.encode({ list, at: at ?? '0', total, id }));
      const syncing = await refreshChats(database, session, query.pages);
      await fetchMissingPictures(database, session, rows);
      return {
        chats: rows.map((chat) => toChatSummary(chat, labels.get(chat.id) ?? [], mediaLinks)),
        total,
        ...page,
        syncing,
      };
    },
  }),
];

/** Null for a tenant that has not connected an account yet: its inbox is empty and not missing. */
async function shownSession(database: Database, scope: Scope, named: string | undefined): Promise<Session | null> {
  if (named !== undefined) return sessionInScope(database, scope, named);
  return database.read((queries) => findSessionInScope(queries, scope));
}

/** A list has so many pictures fetched at most, because each is a question that the network counts. */
const MAX_PICTURES = 5;

/** Has pictures fetched for who reads the list again: a chat that began live has none yet. */
async function fetchMissingPictures(database: Database, session: Session, chats: readonly Chat[]): Promise<void> {
  const unasked = chats.flatMap(({ contactId, isPictureAsked }) =>
    contactId === null || isPictureAsked ? [] : [contactId],
  );
  if (session.status !== WORKING || unasked.length === 0) return;
  const { agencyId, tenantId, id: sessionId } = session;
  const account = { agencyId, tenantId, sessionId };
  await database.transaction(async (tx) => {
    for (const contactId of await notePicturesAsked(tx, account, unasked.slice(0, MAX_PICTURES))) {
      await promisePicture(tx, { sessionId, contactId, isAwaited: false });
    }
  });
}

const OTHER_LIST = 'Send a cursor with the parameters of its own list, or request the first page without one.';

/** Counts the chats of a list; the number of all chats of a session is kept, and read. */
async function totalOf(
  database: Database,
  scope: Scope,
  list: { sessionId: string; filter: ChatFilter },
): Promise<number> {
  const { sessionId, filter } = list;
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  if (isNarrowed) return database.read((queries) => countNarrowed(queries, scope, list));
  const kept = await database.read((queries) => readChatTotal(queries, sessionId));
  return kept ?? database.statement((tx) => countChats(tx, scope, sessionId));
}

/** Names a list: a cursor of it leads nowhere in another session, or where the list is narrowed otherwise. */
function nameOf(sessionId: string, filter: ChatFilter): string {
  return createHash('sha256')
    .update(JSON.stringify([sessionId, filter]))
    .digest('hex')
    .slice(0, 16);
}
