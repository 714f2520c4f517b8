import { z } from 'zod';
import { countRecords } from '../../db/personal-data/record-retention.ts';
import { countRetention, MAX_COUNTED } from '../../db/personal-data/retention.ts';
import { findSettings } from '../../db/tenants/settings.ts';
import { notFound } from '../../domain/error.ts';
import { AgencyField, ExternalId } from '../../domain/scope.ts';
import { RetentionDays } from '../../domain/tenants/settings.ts';
import { defineRoute } from '../deps.ts';

const counted = (what: string) =>
  z.int().meta({ description: `${what}; 100,000 means that there are as many or more.` });

export const retentionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/retention',
    auth: 'tenant',
    dashboardOnly: true,
    cost: 20,
    scope: 'read',
    operationId: 'tenantSettings.previewRetention',
    summary: 'Preview a retention period',
    description:
      'Deletes nothing. Counts what the next daily run would delete, by the settings of the tenant or by the days ' +
      'that the query gives instead.',
    params: z.object({
      tenantId: ExternalId.meta({ description: "The tenant's id, as the agency chose it.", examples: ['shop'] }),
    }),
    query: z.object({
      agencyId: AgencyField,
      messageRetentionDays: z.coerce.number().pipe(RetentionDays).optional().meta({
        description: 'As if messages were kept for this many days, 1 to 36,500.',
      }),
      memoryRetentionDays: z.coerce.number().pipe(RetentionDays).optional().meta({
        description: 'As if facts about contacts were kept for this many days, 1 to 36,500.',
      }),
      rawEventRetentionDays: z.coerce.number().pipe(z.int().min(1).max(6)).optional().meta({
        description: 'As if reports of the messaging backend were kept for this many days, 1 to 6.',
      }),
      eventRetentionDays: z.coerce.number().pipe(z.int().min(1).max(29)).optional().meta({
        description: 'As if events kept their payload for this many days, 1 to 29.',
      }),
      requestRetentionDays: z.coerce.number().pipe(z.int().min(1).max(29)).optional().meta({
        description: 'As if records of requests that were passed on were kept for this many days, 1 to 29.',
      }),
      attemptRetentionDays: z.coerce.number().pipe(z.int().min(1).max(89)).optional().meta({
        description: 'As if attempts to post events were kept for this many days, 1 to 89.',
      }),
    }),
    reply: z
      .object({
        messages: counted('Messages, with their histories, words in the search and files'),
        turns: counted('Turns of the agent'),
        memories: counted('Facts about contacts'),
        notes: counted('Notes of the team about contacts'),
        rawEvents: counted('Events of the messaging backend'),
        events: counted('Events that lose their payload'),
        requests: counted('Records of requests that were passed on'),
        attempts: counted('Attempts to post events, with what receivers responded'),
        isComplete: z.boolean().meta({ description: 'False if one of the counts stopped at 100,000.' }),
      })
      .meta({ id: 'RetentionPreview', description: 'The data that a retention period would delete.' }),
    errors: ['not_found', 'forbidden'],
    async handle({ scope, query }, { database }) {
      const settings = await database.read((queries) => findSettings(queries, scope));
      if (!settings) throw notFound('tenant');
      const counts = await database.read((queries) =>
        countRetention(queries, scope, {
          messageDays: query.messageRetentionDays ?? settings.messageRetentionDays ?? null,
          memoryDays: query.memoryRetentionDays ?? settings.memoryRetentionDays ?? null,
        }),
      );
      const records = await database.read((queries) =>
        countRecords(queries, scope, {
          raw_events: query.rawEventRetentionDays ?? settings.rawEventRetentionDays ?? null,
          events: query.eventRetentionDays ?? settings.eventRetentionDays ?? null,
          requests: query.requestRetentionDays ?? settings.requestRetentionDays ?? null,
          attempts: query.attemptRetentionDays ?? settings.attemptRetentionDays ?? null,
        }),
      );
      const all = { ...counts, ...records };
      return { ...all, isComplete: Object.values(all).every((count) => count < MAX_COUNTED) };
    },
  }),
];
