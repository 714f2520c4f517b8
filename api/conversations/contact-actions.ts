import type { z } from 'zod';
import { ensureContact, recordBlocked } from '../../db/network/sync-contacts.ts';
import { findKnownContact, readKnownContacts } from '../../db/conversations/known-contact.ts';
import { promiseContactSync } from '../../db/sessions/session-workflow.ts';
import { BlockContact, ContactBlocked, ContactSync } from '../../domain/contact.ts';
import { notFound } from '../../domain/error.ts';
import { workflowId } from '../../domain/names.ts';
import type { Scope } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { IF_ABLE_ERRORS, atBackend, requireAble } from '../sessions/at-backend.ts';
import { requireWorking } from '../sessions/readiness.ts';
import { sessionInScope } from '../sessions/session-in-scope.ts';
import { SessionFirst } from '../sessions/session-path.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { namedContact, toContact } from './contact-view.ts';

const blocks = {
  cost: 3,
  scope: 'send',
  params: SessionFirst,
  body: BlockContact,
  reply: ContactBlocked,
  errors: ['invalid_recipient', ...IF_ABLE_ERRORS],
} as const;

export const contactActionRoutes = [
  defineRoute({
    ...blocks,
    method: 'POST',
    path: '/api/v1/:session/block',
    auth: 'tenant',
    operationId: 'contacts.block',
    summary: 'Block a person',
    description:
      "Blocks the person: the network then keeps the person's messages from the account. Safe to repeat.\n\n" +
      "If the session's engine does not support it, the request returns 501 without calling the network.",
    handle: ({ scope, params: { session }, body: { chatId } }, deps) =>
      setBlocked(deps, scope, { session, ref: chatId, isBlocked: true }),
  }),

  defineRoute({
    ...blocks,
    method: 'POST',
    path: '/api/v1/:session/unblock',
    auth: 'tenant',
    operationId: 'contacts.unblock',
    summary: 'Unblock a person',
    description: 'Lets a blocked person write again. Safe to repeat, also for a person who is not blocked.',
    handle: ({ scope, params: { session }, body: { chatId } }, deps) =>
      setBlocked(deps, scope, { session, ref: chatId, isBlocked: false }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/:session/syncContacts',
    auth: 'tenant',
    cost: 3,
    // It starts a run, so a key that only reads may not ask for it.
    scope: 'sessions',
    operationId: 'contacts.sync',
    summary: 'Sync the contacts of an account',
    description:
      'Starts reading the contact list again. The reading continues in the background and survives a stop ' +
      'of the engine; a second request joins a reading in progress.\n\nOnly changes are written, and ' +
      'reported as `contact.updated` to endpoints that subscribe to it, except for the first reading of an ' +
      'account.',
    params: SessionFirst,
    status: 202,
    reply: ContactSync,
    errors: ['not_found', 'session_not_ready'],
    async handle({ scope, params: { session: named } }, { database }) {
      const session = await sessionInScope(database, scope, named);
      requireWorking(session);
      await database.transaction((tx) => promiseContactSync(tx, session.id));
      return {
        success: true as const,
        sessionId: session.id,
        workflowId: workflowId('syncContacts', session.id),
        lastSyncedAt: isoOrNull(session.contactsSyncedAt),
      };
    },
  }),
];

/**
 * Has the network block the person or let them write again, and records it afterwards. A stop of the engine in between
 * leaves it unrecorded; repeating the request mends that.
 */
async function setBlocked(
  deps: ApiDeps,
  scope: Scope,
  asked: { session: string; ref: string; isBlocked: boolean },
): Promise<z.input<typeof ContactBlocked>> {
  const { database, mediaLinks } = deps;
  const { ref, isBlocked } = asked;
  const session = await sessionInScope(database, scope, asked.session);
  const named = await namedContact(database, scope, { ref, pointer: '/chatId' });
  const { contact: known } = await database.read((queries) =>
    findKnownContact(queries, scope, { named, session: session.id }),
  );
  const chatId = known?.chatId ?? ('chatId' in named ? named.chatId : null);
  if (chatId === null) throw notFound('contact', '/chatId');
  await requireAble('block', session, deps);
  requireWorking(session);
  await atBackend(session, deps, (backend) => backend.setBlocked({ session: session.name, chatId, isBlocked }));
  const account = { agencyId: scope.agencyId, tenantId: scope.tenantId, sessionId: session.id };
  const contact = await database.transaction(async (tx) => {
    const contactId = await ensureContact(tx, account, [chatId]);
    await recordBlocked(tx, account, { contactId, isBlocked });
    const [now] = await readKnownContacts(tx, session.id, [contactId]);
    return now;
  });
  if (!contact) throw new Error('The contact that was just blocked or unblocked is not there.');
  return { success: true, contact: toContact(contact, mediaLinks) };
}
