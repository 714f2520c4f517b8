import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { findContactId, isContactInScope } from '../../db/conversations/contact.ts';
import { listOptOuts, readOptOut, setOptOut } from '../../db/automations/opt-out.ts';
import type { OptOutRow } from '../../db/automations/opt-out.ts';
import { ensureTenantContact } from '../../db/network/sync-contacts.ts';
import { identityOf } from '../../domain/contact.ts';
import { notFound } from '../../domain/error.ts';
import { ContactId, PersonRef } from '../../domain/ids.ts';
import { OptOut, SetOptOut } from '../../domain/sending/opt-out.ts';
import { Target } from '../../domain/scope.ts';
import type { TenantScope } from '../../domain/scope.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { defineRoute } from '../deps.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { namedContact } from './contact-view.ts';

const params = z.object({
  ref: PersonRef.meta({
    description: 'A contactId, a phone number in any usual format, a chat id or a hidden id.',
    examples: ['+4915112345678'],
  }),
});

export const optOutRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/opt-outs',
    auth: 'tenant',
    scope: 'read',
    operationId: 'contacts.listOptOuts',
    summary: 'List opt-outs',
    description: 'Returns the people who have opted out, in the order in which the engine learned of them.',
    query: z.object({ ...Target, limit: Limit, cursor: nextPage(ContactId) }),
    reply: z.object({
      optOuts: z.array(OptOut).meta({ description: 'The people of this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ scope, query: { limit, cursor = null } }, { database }) {
      const found = await database.read((queries) => listOptOuts(queries, scope, { after: cursor, limit: limit + 1 }));
      const { rows, ...rest } = pageOf(found, limit, ({ contactId }) => contactId);
      return { optOuts: rows.map(shownOptOut), ...rest };
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/opt-outs/:ref',
    auth: 'tenant',
    scope: 'send',
    operationId: 'contacts.optOut',
    summary: 'Record an opt-out',
    description:
      "Records that a person wants no more messages. Messages from the tenant's sessions to this person " +
      'end as `failed`, `opted_out`.\n\nThis includes waiting messages. `transactional` messages and those ' +
      'that a person wrote in a dashboard are still sent. The agent and automations stay silent. A person ' +
      'who is not yet known is also recorded. Repeating it changes nothing.',
    params,
    body: SetOptOut,
    reply: OptOut,
    errors: ['not_found', 'invalid_recipient'],
    async handle({ scope, params: { ref }, caller }, { database }) {
      const named = await namedContact(database, scope, { ref, pointer: 'path/ref' });
      return database.transaction(async (tx) => {
        const known = await findContactId(tx, scope, named);
        const contactId = known ?? ('chatId' in named ? await ensureTenantContact(tx, scope, named.chatId) : null);
        if (contactId === null || !(await isContactInScope(tx, scope, contactId))) throw notFound('contact');
        await change(tx, scope, { contactId, isOptedOut: true }, caller);
        const optOut = await readOptOut(tx, contactId);
        if (!optOut) throw new Error('The opt-out that was just recorded is not there.');
        return shownOptOut(optOut);
      });
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/opt-outs/:ref',
    auth: 'tenant',
    scope: 'send',
    operationId: 'contacts.optIn',
    summary: 'Remove an opt-out',
    description:
      'Records that a person wants messages again. Messages that have already ended are not sent.\n\nSafe to ' +
      'repeat, also for a person who has not opted out.',
    params,
    query: z.object(Target),
    reply: z.object({
      contactId: ContactId,
      isOptedOut: z.literal(false).meta({ description: 'Messages to the person are sent again.' }),
    }),
    errors: ['not_found', 'invalid_recipient'],
    async handle({ scope, params: { ref }, caller }, { database }) {
      const named = await namedContact(database, scope, { ref, pointer: 'path/ref' });
      return database.transaction(async (tx) => {
        const contactId = await findContactId(tx, scope, named);
        if (contactId === null || !(await isContactInScope(tx, scope, contactId))) throw notFound('contact');
        await change(tx, scope, { contactId, isOptedOut: false }, caller);
        return { contactId, isOptedOut: false as const };
      });
    },
  }),
];

async function change(
  tx: Tx,
  of: TenantScope,
  { contactId, isOptedOut }: { contactId: string; isOptedOut: boolean },
  by: { keyId: string },
): Promise<void> {
  if (!(await setOptOut(tx, contactId, { isOptedOut, by: 'request' }))) return;
  const action = isOptedOut ? 'created' : 'deleted';
  await recordChange(tx, { of, object: 'opt_out', objectId: contactId, action }, by);
}

function shownOptOut({ since, ...row }: OptOutRow): OptOut {
  const { phone } = identityOf(row.chatId, []);
  return { ...row, phone, since: since.toISOString() };
}
