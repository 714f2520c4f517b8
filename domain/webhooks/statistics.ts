import { z } from 'zod';

export const STATISTICS_HOURS = 24;
/** More attempts than these of one endpoint are not read: the newest of a day say enough. */
export const STATISTICS_MAX_ATTEMPTS = 50_000;

const Numbers = {
  delivered: z.int().meta({ description: 'The attempts that the endpoint accepted.' }),
  failed: z.int().meta({ description: 'The attempts that failed by its doing. Those of the engine do not count.' }),
  medianMs: z
    .int()
    .nullable()
    .meta({ description: 'Half of the accepted attempts took no longer, in milliseconds. Null if there was none.' }),
  p95Ms: z
    .int()
    .nullable()
    .meta({ description: '95 % of the accepted attempts took no longer, in milliseconds. Null if there was none.' }),
};

export const EndpointStatistics = z
  .object({
    since: z.iso.datetime().meta({ description: 'The beginning of the first hour.' }),
    ...Numbers,
    isCut: z.boolean().meta({
      description: `True if only the newest ${STATISTICS_MAX_ATTEMPTS} attempts were counted.`,
    }),
    hours: z
      .array(z.object({ at: z.iso.datetime().meta({ description: 'The beginning of the hour.' }), ...Numbers }))
      .meta({ description: `The last ${STATISTICS_HOURS} hours, the oldest first.` }),
  })
  .meta({ id: 'WebhookEndpointStatistics', description: 'The attempts at an endpoint in the last 24 hours.' });
export type EndpointStatistics = z.output<typeof EndpointStatistics>;
