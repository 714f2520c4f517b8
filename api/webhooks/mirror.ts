import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { isInForce, readMirrors, writePulledMirror } from '../../db/webhooks/mirror.ts';
import type { Database } from '../../db/engine/database.ts';
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
      description: 'The tenants whose inboxes are mirrored by pull or stream. Null means every tenant of the agency.',
    }),
    events: z
      .array(z.enum(MIRROR_EVENTS))
      .meta({ description: 'The event types that are written only for readers who mirror.' }),
    endpointIds: z.array(EndpointId).meta({ description: 'The endpoints that ask for these event types themselves.' }),
  })
  .meta({ id: 'Mirror', description: 'The tenants whose inboxes are mirrored.' });

export const webhookMirrorRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/mirror',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookMirror.read',
    summary: 'Read which inboxes of an agency are mirrored',
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
      "Writes each change of these tenants' messages and conversations as an event for pulls and streams. " +
      'Endpoints subscribe with `events` instead.\n\nThe events are `message.any`, `message.updated` and ' +
      '`conversation.updated`, once the response arrives. If nobody asks for them, they are not written. ' +
      'The setting is shared by all readers of pulls and streams: what one of them sets applies to all.',
    body: z
      .strictObject({
        agencyId: AgencyField,
        tenantIds: tenantIds.meta({
          description:
            'The tenants whose inboxes are mirrored. Null means every tenant of the agency, including later ' +
            'ones; an empty list means none.',
        }),
      })
      .meta({ id: 'UpdateMirror', description: 'The tenants whose inboxes are mirrored by pull or stream.' }),
    reply: MirrorView,
    async handle({ caller, body }, { database }) {
      const { agencyId } = caller;
      const txid = await database.transaction(async (tx) => {
        const change = { of: { agencyId }, object: 'mirror', objectId: agencyId, action: 'changed' } as const;
        await recordChange(tx, change, caller);
        return writePulledMirror(tx, agencyId, body.tenantIds);
      });
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
