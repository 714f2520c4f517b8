import { z } from 'zod';
import { readEndpointDay } from '../../db/webhooks/endpoint-statistics.ts';
import { findEndpoint } from '../../db/webhooks/endpoint-view.ts';
import { notFound } from '../../domain/error.ts';
import { EndpointId } from '../../domain/ids.ts';
import { EndpointStatistics } from '../../domain/webhooks/statistics.ts';
import { defineRoute } from '../deps.ts';

export const endpointStatisticsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/endpoints/:id/statistics',
    auth: 'agency',
    // It reads up to 50,000 attempts.
    cost: 10,
    scope: 'webhooks',
    operationId: 'webhookEndpoints.readStatistics',
    summary: "Read a webhook endpoint's last 24 hours",
    description: 'Counts the attempts by the hour, with how long the accepted ones took.',
    params: z.object({ id: EndpointId }),
    reply: EndpointStatistics,
    errors: ['not_found'],
    handle: ({ caller: { agencyId, login }, params: { id } }, { database }) =>
      database.read(async (queries) => {
        const endpoint = await findEndpoint(queries, agencyId, id);
        if (!endpoint) throw notFound('endpoint');
        // The holder of a link of one tenant must not learn how much others send.
        const day = await readEndpointDay(queries, {
          endpointId: id,
          tenantId: login?.link?.tenantId ?? null,
        });
        return {
          ...day,
          since: day.since.toISOString(),
          hours: day.hours.map((hour) => ({ ...hour, at: hour.at.toISOString() })),
        };
      }),
  }),
];
