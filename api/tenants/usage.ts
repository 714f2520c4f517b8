import { z } from 'zod';
import { readMediaUsage } from '../../db/media/usage.ts';
import { findSettings } from '../../db/tenants/settings.ts';
import { notFound } from '../../domain/error.ts';
import { AgencyField, ExternalId } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';

export const usageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/usage',
    auth: 'tenant',
    scope: 'read',
    operationId: 'tenantSettings.readUsage',
    summary: 'Read how much a tenant stores',
    description:
      'The files of its messages. A file that two messages have counts twice, although it is stored once; pictures of ' +
      'contacts do not count. `mediaRetentionDays` of the settings bounds how long files are kept.',
    params: z.object({
      tenantId: ExternalId.meta({ description: "The tenant's id, as the agency chose it.", examples: ['shop'] }),
    }),
    query: z.object({ agencyId: AgencyField }),
    reply: z
      .object({
        agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
        tenantId: z.string().meta({ description: 'The tenant.' }),
        media: z
          .object({
            files: z.int().meta({ description: 'How many messages have a file that is stored.' }),
            sizeBytes: z.int().meta({ description: 'The bytes of these files.' }),
          })
          .meta({ description: 'The files of messages.' }),
      })
      .meta({ id: 'TenantUsage', description: 'How much a tenant stores.' }),
    async handle({ scope }, { database }) {
      return database.read(async (queries) => {
        if ((await findSettings(queries, scope)) === null) throw notFound('tenant');
        const { agencyId, tenantId } = scope;
        return { agencyId, tenantId, media: await readMediaUsage(queries, scope) };
      });
    },
  }),
];
