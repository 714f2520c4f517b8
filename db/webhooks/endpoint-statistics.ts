import { z } from 'zod';
import { ATTEMPT_CLASSES } from '../../domain/webhooks/retry.ts';
import { STATISTICS_HOURS, STATISTICS_MAX_ATTEMPTS } from '../../domain/webhooks/statistics.ts';
import { Timestamp } from '../engine/columns.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const HOUR_MS = 3_600_000;

/** The faults of the engine itself say nothing of the endpoint. */
const NOT_THEIRS = Object.entries(ATTEMPT_CLASSES).flatMap(([name, { charged }]) => (charged ? [] : [name]));

const HourRow = z.object({
  /** Null in the row of all hours. */
  at: Timestamp.nullable(),
  /** The number of attempts that were read, of all tenants. */
  read: z.int(),
  attempts: z.int(),
  delivered: z.int(),
  medianMs: z.int().nullable(),
  p95Ms: z.int().nullable(),
});
type HourRow = z.output<typeof HourRow>;

interface Numbers {
  delivered: number;
  failed: number;
  medianMs: number | null;
  p95Ms: number | null;
}

export interface DayOfEndpoint extends Numbers {
  since: Date;
  isCut: boolean;
  hours: (Numbers & { at: Date })[];
}

/**
 * Counts the attempts at an endpoint by the hour, those of one tenant's events where one is named. The limit is on what
 * it reads: a tenant with few events at a busy endpoint must not make it read the whole day.
 */
export async function readEndpointDay(
  queries: Queries,
  { endpointId, tenantId }: { endpointId: string; tenantId: string | null },
  most = STATISTICS_MAX_ATTEMPTS,
): Promise<DayOfEndpoint> {
  const thisHour = Math.floor(queries.now.getTime() / HOUR_MS) * HOUR_MS;
  const since = new Date(thisHour - (STATISTICS_HOURS - 1) * HOUR_MS);
  const found = await rows(queries, HourRow)`
    with newest as (
      select t.at, t.class, t.duration_ms, t.delivery_id from delivery_attempt t
      where t.endpoint_id = ${endpointId} and t.at >= ${since}::timestamptz and t.class <> all(${NOT_THEIRS}::text[])
      order by t.at desc limit ${most}
    ), shown as (
      select n.at, n.class, n.duration_ms from newest n
      where ${tenantId}::text is null
        or (select d.tenant_id from delivery d where d.id = n.delivery_id limit 1) = ${tenantId}
    )
    select (select count(*)::int from newest) as "read", date_trunc('hour', n.at, 'UTC') as at,
      count(*)::int as attempts,
      count(*) filter (where n.class = 'delivered')::int as delivered,
      percentile_disc(0.5) within group (order by n.duration_ms) filter (where n.class = 'delivered') as "medianMs",
      percentile_disc(0.95) within group (order by n.duration_ms) filter (where n.class = 'delivered') as "p95Ms"
    from shown n group by grouping sets ((date_trunc('hour', n.at, 'UTC')), ())`;
  const whole = found.find(({ at }) => at === null);
  return {
    since,
    isCut: (whole?.read ?? 0) >= most,
    ...numbersOf(whole),
    hours: Array.from({ length: STATISTICS_HOURS }, (_, place) => {
      const at = new Date(since.getTime() + place * HOUR_MS);
      return { at, ...numbersOf(found.find((hour) => hour.at?.getTime() === at.getTime())) };
    }),
  };
}

function numbersOf(hour: HourRow | undefined): Numbers {
  if (!hour) return { delivered: 0, failed: 0, medianMs: null, p95Ms: null };
  const { attempts, delivered, medianMs, p95Ms } = hour;
  return { delivered, failed: attempts - delivered, medianMs, p95Ms };
}
