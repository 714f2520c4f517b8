import { z } from 'zod';
import { beginErasure, findErasureOfAgency, listErasures } from '../../db/personal-data/erasure.ts';
import type { Erasure } from '../../db/personal-data/erasure.ts';
import { recordChange } from '../../db/audit.ts';
import { notFound } from '../../domain/error.ts';
import { ContactId, ErasureId } from '../../domain/ids.ts';
import { ERASURE_KEEPS, EraseContact, ErasureView } from '../../domain/personal-data/erasure.ts';
import { AgencyField } from '../../domain/scope.ts';
import { answer } from '../wire/answer.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { defineRoute } from '../deps.ts';

const Cursor = cursorOf<string>({ read: (text) => (text.startsWith('era_') ? text : undefined), write: (id) => id });

export const erasureRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/contacts/:contactId/erase',
    auth: 'agency',
    cost: 20,
    scope: 'erase',
    operationId: 'erasures.create',
    location: 'The erasure.',
    summary: 'Erase all data of a person',
    description:
      "Deletes the contact and all the tenant's data about the person. You cannot undo it.\n\nIt deletes " +
      'addresses, conversations, messages with their files, memories, turns, raw events, events and stored ' +
      'responses. The erasure runs in the background and survives a stop of the engine: poll `Location`. ' +
      'Messages that wait to be sent to the person are not sent; a message that is being sent is waited ' +
      'for. Anyone who writes from the same number later is a new contact, and earlier history is not read ' +
      'again. A second request returns the same erasure. Event: `contact.erased`.',
    params: z.object({ contactId: ContactId }),
    body: EraseContact,
    status: 202,
    reply: ErasureView,
    idempotent: true,
    errors: ['not_found'],
    handle: ({ caller, params: { contactId }, body: { actor }, commit }) =>
      commit.transaction(async (tx) => {
        const { agencyId, keyId } = caller;
        const by = { keyId, actor: actor ?? caller.actor };
        const begun = await beginErasure(tx, agencyId, { contactId, keyId });
        if (begun === null) throw notFound('contact');
        const { erasure, isNew } = begun;
        if (isNew) {
          const of = { agencyId, tenantId: erasure.tenantId };
          const change = { of, object: 'contact', objectId: erasure.contactId, action: 'erased' } as const;
          await recordChange(tx, change, by);
        }
        return answer(202, toView(erasure), { location: `/api/v1/erasures/${erasure.id}` });
      }),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/erasures/:id',
    auth: 'agency',
    scope: 'read',
    operationId: 'erasures.read',
    summary: "Read an erasure's progress and results",
    params: z.object({ id: ErasureId }),
    query: z.object({ agencyId: AgencyField }),
    reply: ErasureView,
    errors: ['not_found'],
    async handle({ caller, params: { id } }, { database }) {
      const erasure = await database.read((queries) => findErasureOfAgency(queries, caller.agencyId, id));
      if (erasure === null) throw notFound('erasure');
      return toView(erasure);
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/erasures',
    auth: 'agency',
    scope: 'read',
    operationId: 'erasures.list',
    summary: 'List the erasures of an agency',
    description: 'Returns the newest first. They are kept as proof of what was done, and contain only ids and numbers.',
    query: z.object({ agencyId: AgencyField, limit: Limit, cursor: nextPage(Cursor) }),
    reply: z.object({
      erasures: z.array(ErasureView).meta({ description: 'The erasures on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query: { limit, cursor: before = null } }, { database }) {
      const of = { agencyId: caller.agencyId, tenantId: null };
      const found = await database.read((queries) => listErasures(queries, of, { before, limit: limit + 1 }));
      const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { erasures: rows.map(toView), ...page };
    },
  }),
];

function toView(erasure: Erasure): z.input<typeof ErasureView> {
  const { id, contactId, step, waitsFor, report, createdAt, erasedAt, endedAt } = erasure;
  return {
    id,
    contactId,
    status: endedAt === null ? 'running' : 'done',
    step,
    waitsFor,
    erased: report,
    kept: [...ERASURE_KEEPS],
    createdAt: createdAt.toISOString(),
    erasedAt: isoOrNull(erasedAt),
    endedAt: isoOrNull(endedAt),
  };
}
