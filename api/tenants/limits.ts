import { z } from 'zod';
import type { Database } from '../../db/engine/database.ts';
import { readAgencyStorage } from '../../db/media/storage.ts';
import { findLimits, updateLimits } from '../../db/tenants/limits.ts';
import { recordChange } from '../../db/audit.ts';
import { notFound } from '../../domain/error.ts';
import { ExternalId } from '../../domain/scope.ts';
import { effectiveLimits, LimitsView, UpdateLimits } from '../../domain/tenants/limits.ts';
import { defineRoute } from '../deps.ts';

const PATH = '/api/v1/admin/dashboards/:agencyId/limits';
const params = z.object({ agencyId: ExternalId.meta({ description: 'The agency.', example: 'demo' }) });

export const limitRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    auth: 'master',
    operationId: 'limits.read',
    summary: "Read an agency's limits",
    params,
    reply: LimitsView,
    errors: ['not_found'],
    async handle({ params: { agencyId } }, { database, limits }) {
      const own = await database.read((queries) => findLimits(queries, agencyId));
      if (!own) throw notFound('agency');
      return viewOf(database, { agencyId, own, effective: effectiveLimits(own, limits) });
    },
  }),

  defineRoute({
    method: 'PATCH',
    path: PATH,
    auth: 'master',
    operationId: 'limits.update',
    summary: "Update an agency's limits",
    description:
      "Limits that are not set here have the values of the engine's configuration. Takes effect within a second.",
    params,
    body: UpdateLimits,
    reply: LimitsView,
    errors: ['not_found'],
    async handle({ params: { agencyId }, body, caller }, { database, limits }) {
      const own = await database.transaction(async (tx) => {
        const changed = await updateLimits(tx, agencyId, body);
        if (!changed) return undefined;
        const detail = { ...body };
        await recordChange(
          tx,
          { of: { agencyId }, object: 'limits', objectId: agencyId, action: 'changed', detail },
          caller,
        );
        return changed;
      });
      if (!own) throw notFound('agency');
      return viewOf(database, { agencyId, own, effective: effectiveLimits(own, limits) });
    },
  }),
];

async function viewOf(database: Database, found: Omit<z.input<typeof LimitsView>, 'storedBytes'>) {
  return { ...found, storedBytes: await database.read((queries) => readAgencyStorage(queries, found.agencyId)) };
}
