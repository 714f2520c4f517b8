import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const OpeningRow = z.object({
  isOpen: z.boolean(),
  /** Time until the next opening. Null while it is open, or if no opening is planned. */
  opensInMs: z.number().nullable(),
});
export type Opening = z.output<typeof OpeningRow>;

/**
 * Reads whether it is within the working hours of a tenant's persona, in the tenant's time zone. A
 * tenant without working hours is always open.
 */
export async function readOpeningOf(
  queries: Pick<Queries, 'sql' | 'now'>,
  { agencyId, tenantId }: TenantScope,
): Promise<Opening> {
  const { now } = queries;
  return one(queries, OpeningRow)`
    with place as (
      select zone_of(t.settings) as zone,
        case when jsonb_typeof(t.persona->'workingHours') = 'array' then t.persona->'workingHours' end as hours
      from tenant t where t.agency_id = ${agencyId} and t.id = ${tenantId}
    ), opening as (
      select (d.day + stored_time(h->'from')) at time zone zone as begins,
        (d.day + stored_time(h->'to')) at time zone zone as ends
      from place, jsonb_array_elements(hours) h, lateral (
        select (${now}::timestamptz at time zone zone)::date + n as day from generate_series(-1, 7) n) d
      where h->>'day' = (array['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'])
        [extract(dow from d.day)::int + 1]
    ), found as (
      select hours is null or exists (select 1 from opening where begins <= ${now} and ends > ${now}) as is_open,
        (select min(begins) from opening where begins > ${now}) as opens_at
      from place
    )
    select is_open as "isOpen",
      case when not is_open then (extract(epoch from opens_at - ${now}::timestamptz) * 1000)::float8 end as "opensInMs"
    from found`;
}
