import { z } from 'zod';
import { findKnownContact, listKnownContacts } from '../../db/conversations/known-contact.ts';
import { Contact } from '../../domain/contact.ts';
import { notFound } from '../../domain/error.ts';
import { PersonRef, SessionRef } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { sessionInScope } from '../sessions/session-in-scope.ts';
import { SessionPath } from '../sessions/session-path.ts';
import { answer } from '../wire/answer.ts';
import { arrayPage, cursorOf, nextPage, pageOf } from '../wire/page.ts';
import { awaitContacts, awaitPicture } from '../sessions/await-contacts.ts';
import { namedContact, toContact } from './contact-view.ts';

const Cursor = cursorOf<string>({ read: (text) => (text.startsWith('con_') ? text : undefined), write: (id) => id });

/** Without paging a client reads more at once than of other lists, since the spec's list is the whole one. */
const Page = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(500).meta({
    description: 'The maximum number of rows, 1 to 1,000.',
  }),
  offset: z.coerce.number().int().min(0).max(100_000).default(0).meta({
    description: 'How many rows to skip, 0 to 100,000, after those of the `cursor`. A cursor reads a long list faster.',
  }),
  cursor: nextPage(Cursor),
});
type Page = z.output<typeof Page>;

const lists = {
  cost: 3,
  scope: 'read',
  description:
    'Returns contacts of the address book, of the network and of chats, in the order the engine learned ' +
    'of them. An outdated list is refreshed in the background (`X-Syncing: true`).\n\nThe response comes ' +
    'from the database. The list is outdated five minutes after its last reading. Before the first ' +
    'reading, it waits a few seconds. The response is the array itself; `X-Next-Cursor` and `Link` lead ' +
    'to the next page.',
  reply: z.array(Contact),
} as const;

export const contactRoutes = [
  defineRoute({
    ...lists,
    method: 'GET',
    path: '/api/v1/sessions/:id/contacts',
    auth: 'tenant',
    operationId: 'contacts.list',
    summary: 'List the contacts of a session',
    params: SessionPath,
    query: Page,
    errors: ['not_found'],
    handle: ({ scope, params, query, request }, deps) =>
      listContacts(deps, { scope, named: params.id, page: query, signal: request.signal }),
  }),

  defineRoute({
    ...lists,
    method: 'GET',
    path: '/api/v1/sessions/contacts',
    auth: 'tenant',
    operationId: 'contacts.listOwn',
    summary: "List the contacts of the key's session",
    query: Page.extend({ session: SessionRef.optional() }),
    errors: ['not_found'],
    handle: ({ scope, query, request }, deps) =>
      listContacts(deps, { scope, named: query.session, page: query, signal: request.signal }),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/contacts/:ref',
    auth: 'tenant',
    cost: 2,
    scope: 'read',
    operationId: 'contacts.read',
    summary: 'Look up a contact',
    description:
      'Returns a contact by any reference. The id of a contact that was merged into another one leads to ' +
      "the contact that stayed.\n\n`name`, `isBlocked` and `isMyContact` are those of the session's account. " +
      "A session's key finds people whom its account knows or has talked with.",
    params: z.object({
      ref: PersonRef.meta({
        description:
          'A contactId, a phone number, a chat id (`4915112345678@c.us`) or a hidden id (`123456789@lid`). A ' +
          "number has its country code, or follows the tenant's `country`.",
        examples: ['+4915112345678'],
      }),
    }),
    query: z.object({
      session: SessionRef.optional(),
      fetchPicture: z
        .stringbool()
        .default(false)
        .meta({
          description:
            'Fetches the picture if that was not done in the last hour, and waits for it up to five seconds. The ' +
            'session must be connected.',
        }),
    }),
    reply: Contact,
    errors: ['not_found', 'invalid_recipient'],
    async handle({ scope, params: { ref }, query, request }, deps) {
      const { database, mediaLinks } = deps;
      const named = await namedContact(database, scope, { ref, pointer: 'path/ref' });
      const find = () =>
        database.read((queries) => findKnownContact(queries, scope, { named, session: query.session }));
      const { sessionId, contact } = await find();
      if (sessionId === null && query.session !== undefined) throw notFound('session');
      if (contact === null) throw notFound('contact');
      if (!query.fetchPicture || sessionId === null) return toContact(contact, mediaLinks);
      const { contactId, pictureAskedAt: askedAt } = contact;
      const look = async () => {
        const { contact: now } = await find();
        return now && now.pictureAskedAt !== askedAt ? now : undefined;
      };
      const fetched = await awaitPicture(deps, { sessionId, contactId, askedAt, signal: request.signal }, look);
      return toContact(fetched ?? contact, mediaLinks);
    },
  }),
];

async function listContacts(
  deps: ApiDeps,
  { scope, named, page, signal }: { scope: Scope; named: string | undefined; page: Page; signal: AbortSignal },
) {
  const session = await sessionInScope(deps.database, scope, named);
  const { limit, offset, cursor: after = null } = page;
  // Whoever reads on has asked for the list before.
  const syncing = after === null && offset === 0 && (await awaitContacts(deps, { session, signal }));
  const found = await deps.database.read((queries) =>
    listKnownContacts(queries, session.id, { after, limit: limit + 1, offset }),
  );
  const { rows, nextCursor } = pageOf(found, limit, ({ contactId }) => Cursor.encode(contactId));
  const contacts = rows.map((contact) => toContact(contact, deps.mediaLinks));
  const target = scope.sessionId === null ? { agencyId: scope.agencyId, tenantId: scope.tenantId } : {};
  const path = `/api/v1/sessions/${session.id}/contacts`;
  const { status, body, headers } = arrayPage({ rows: contacts, nextCursor }, { path, asked: { ...target, limit } });
  return answer(status, body, syncing ? { ...headers, 'x-syncing': 'true' } : { ...headers });
}
