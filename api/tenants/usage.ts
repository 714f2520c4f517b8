import { z } from 'zod';
import { KEEP_USAGE_DAYS, readUsedDays } from '../../db/agent/usage.ts';
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
    summary: 'Read how much a tenant stores, and what its agent has used',
    description:
      'The files of its messages. A file that two messages have counts twice, although it is stored once; pictures of ' +
      'contacts do not count. `mediaRetentionDays` of the settings bounds how long files are kept. What models have used ' +
      'is kept by the day, with that of rehearsals.',
    params: z.object({
      tenantId: ExternalId.meta({ description: "The tenant's id, as the agency chose it.", examples: ['shop'] }),
    }),
    query: z.object({
      agencyId: AgencyField,
      days: z.coerce
        .number()
        .pipe(z.int().min(1).max(KEEP_USAGE_DAYS))
        .default(30)
        .meta({
          description: `How many days back the agent's use is told, 1 to ${String(KEEP_USAGE_DAYS)}; today (UTC) is the last.`,
        }),
    }),
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
        agent: z
          .array(
            z.object({
              day: z.iso.date().meta({ description: 'The day, of UTC.' }),
              replies: z.int().meta({ description: 'Answers of the agent.' }),
              tokens: z.int().meta({ description: 'Tokens that models have used.' }),
              costMicros: z
                .int()
                .meta({ description: 'What they cost, in millionths of the currency of `LLM_MODELS`.' }),
            }),
          )
          .meta({ description: 'What the agent has used, the earliest day first; days without use are left out.' }),
      })
      .meta({ id: 'TenantUsage', description: 'How much a tenant stores, and what its agent has used.' }),
    async handle({ scope, query }, { database }) {
      return database.read(async (queries) => {
        if ((await findSettings(queries, scope)) === null) throw notFound('tenant');
        const { agencyId, tenantId } = scope;
        const media = await readMediaUsage(queries, scope);
        return { agencyId, tenantId, media, agent: await readUsedDays(queries, scope, query.days) };
      });
    },
  }),
];
