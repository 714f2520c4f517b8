import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { isInForce, readMirrors, writePulledMirror } from '../../db/webhooks/mirror.ts';
import type { Database } from '../../db/database.ts';
import { EndpointId } from '../../domain/ids.ts';
import { AgencyField, ExternalId } from '../../domain/scope.ts';
import { MIRROR_EVENTS } from '../../domain/webhooks/mirror-events.ts';
import { defineRoute } from '../deps.ts';

const MAX_TENANTS = 1_000;
/** Transactions of the engine are open for milliseconds; a longer one is an operator's. */
const IN_FORCE_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 20;

const tenantIds = z.array(ExternalId).max(MAX_TENANTS).nullable();

const MirrorView = z
  .object({
    tenantIds: tenantIds.meta({
      description: 'The tenants whose inboxes are mirrored by pull or stream; null is every tenant of the agency.',
    }),
    events: z
      .array(z.enum(MIRROR_EVENTS))
      .meta({ description: 'The kinds of events that are written only for those who mirror.' }),
    endpointIds: z.array(EndpointId).meta({ description: 'The endpoints that ask for such events themselves.' }),
  })
  .meta({ id: 'Mirror', description: 'Who keeps a copy of the inbox.' });

export const webhookMirrorRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/mirror',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookMirror.read',
    summary: 'Read who mirrors the inboxes of an agency',
    reply: MirrorView,
    handle: ({ caller }, { database }) => mirrorOf(database, caller.agencyId),
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/webhooks/mirror',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookMirror.update',
    summary: 'Mirror inboxes by pull or stream',
    description:
      'From the answer on, every change of a message or a conversation of these tenants is written as an event, which pulls ' +
      'and streams then have: `message.any`, `message.updated` and `conversation.updated`. An endpoint asks for them by its ' +
      '`events` instead. Where nobody asks they are not written. It is for readers of pulls and streams together: what one ' +
      'of them sets holds for all.',
    body: z
      .strictObject({
        agencyId: AgencyField,
        tenantIds: tenantIds.meta({
          description: 'Whose inboxes; null is every tenant of the agency, also later ones, and an empty list is none.',
        }),
      })
      .meta({ id: 'UpdateMirror', description: 'Whose inboxes are mirrored by pull or stream.' }),
    reply: MirrorView,
    async handle({ caller, body }, { database }) {
      const { agencyId } = caller;
      const txid = await database.transaction((tx) => writePulledMirror(tx, agencyId, body.tenantIds));
      const until = performance.now() + IN_FORCE_WITHIN_MS;
      while (!(await database.read((queries) => isInForce(queries, txid))) && performance.now() < until) {
        await pause(LOOK_EVERY_MS);
      }
      return mirrorOf(database, agencyId);
    },
  }),
];

async function mirrorOf(database: Database, agencyId: string): Promise<z.output<typeof MirrorView>> {
  const mirrors = await database.read((queries) => readMirrors(queries, agencyId));
  return { ...mirrors, events: [...MIRROR_EVENTS] };
}
