import { z } from 'zod';
import { KEEP_USAGE_DAYS, readUsedDays } from '../../db/agent/usage.ts';
import { readStorageUse } from '../../db/media/storage.ts';
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
    summary: "Read a tenant's storage and its agent's usage",
    description:
      'Counts the files of its messages. A file in two messages counts twice, although it is stored once; ' +
      'pictures of contacts do not count.\n\nThe setting `mediaRetentionDays` limits how long files are ' +
      'kept. Model usage, including rehearsals, is kept by day.',
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
          description: `How many days of the agent's usage to return, from 1 to ${String(KEEP_USAGE_DAYS)}; today (UTC) is the last.`,
        }),
    }),
    reply: z
      .object({
        agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
        tenantId: z.string().meta({ description: 'The tenant.' }),
        media: z
          .object({
            files: z.int().meta({ description: 'How many messages have a stored file.' }),
            sizeBytes: z.int().meta({ description: 'The size of these files in bytes.' }),
          })
          .meta({ description: 'The files of messages.' }),
        storage: z
          .object({
            usedBytes: z
              .number()
              .meta({ description: 'Bytes of its stored files, uploads and exports; each file counts once.' }),
            limitBytes: z.number().meta({ description: 'Its limit. 0 means no limit. The agency has a limit, too.' }),
            waitingUploadBytes: z.number().meta({ description: 'Bytes of uploads that have not expired.' }),
            exportBytes: z.number().meta({ description: 'Bytes of the exports that are kept.' }),
          })
          .meta({ description: 'Data that counts towards the limit of stored bytes.' }),
        agent: z
          .array(
            z.object({
              day: z.iso.date().meta({ description: 'The day, in UTC.' }),
              replies: z.int().meta({ description: 'Answers of the agent.' }),
              tokens: z.int().meta({ description: 'Tokens that models used.' }),
              costMicros: z.int().meta({ description: 'The cost, in millionths of the currency of `LLM_MODELS`.' }),
            }),
          )
          .meta({ description: "The agent's usage, earliest day first. Days without usage are omitted." }),
      })
      .meta({ id: 'TenantUsage', description: "How much a tenant stores, and its agent's usage." }),
    async handle({ scope, query }, { database }) {
      const storage = await database.transaction((tx) => readStorageUse(tx, scope));
      return database.read(async (queries) => {
        if ((await findSettings(queries, scope)) === null) throw notFound('tenant');
        const { agencyId, tenantId } = scope;
        const media = await readMediaUsage(queries, scope);
        return { agencyId, tenantId, media, storage, agent: await readUsedDays(queries, scope, query.days) };
      });
    },
  }),
];
