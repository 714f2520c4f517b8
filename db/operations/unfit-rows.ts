import { z } from 'zod';
import { StoredPersona } from '../../domain/agent/sales-agent.ts';
import { Trigger } from '../../domain/automations/trigger.ts';
import { OwnLimits } from '../../domain/tenants/limits.ts';
import { TenantSettings } from '../../domain/tenants/settings.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/** The settings of an automation. No statement reads them; its definition checks the rest. */
const Parameters = z.looseObject({ texts: z.record(z.string(), z.string()).optional() });

/** The schemas of what people configure, by the name under which the report shows it. */
const SCHEMAS = {
  settings: TenantSettings,
  persona: StoredPersona,
  limits: OwnLimits,
  trigger: Trigger,
  'default trigger': Trigger,
  parameters: Parameters,
  'default parameters': Parameters,
} as const;

const KINDS = [
  'settings',
  'persona',
  'limits',
  'trigger',
  'default trigger',
  'parameters',
  'default parameters',
] as const satisfies (keyof typeof SCHEMAS)[];

const StoredRow = z.object({ kind: z.enum(KINDS), id: z.string(), value: z.unknown() });

/** A stored row that this release cannot use as a whole: it counts what does not fit as not set. */
export interface UnfitRow {
  kind: (typeof KINDS)[number];
  /** The row: the agency, the tenant of the agency, or the automation. */
  id: string;
  /** The first field that does not fit, as a JSON pointer; its value is never shown. */
  pointer: string;
}

/** The long texts of a persona, which would make a report of all tenants read megabytes. */
const LONG_TEXTS = ['systemPrompt', 'fallbackMessage', 'outOfHoursMessage'];

/**
 * Lists stored configuration that does not fit the schemas of this release, over all tenants. Messages arrive all the
 * same, because each reader leaves out what does not fit; without this list nobody would notice.
 */
export async function listUnfitRows(queries: Pick<Queries, 'sql'>): Promise<UnfitRow[]> {
  const stored = await rows(queries, StoredRow)`
    select 'settings' as kind, agency_id || '/' || id as id, settings as value from tenant where settings <> '{}'
    union all
    select 'persona', agency_id || '/' || id, case when jsonb_typeof(persona) = 'object'
        then persona - array(select k.key from jsonb_each(case when jsonb_typeof(persona) = 'object' then persona
          else '{}' end) k where k.key = any(${LONG_TEXTS}::text[]) and jsonb_typeof(k.value) = 'string')
        else persona end
      from tenant where persona is not null
    union all
    select 'limits', id, limits from agency where limits <> '{}'
    union all
    select 'trigger', id || ' (' || definition || ' of ' || agency_id || '/' || tenant_id || ')', trigger
      from automation where enabled
    union all
    select 'default trigger', agency_id || ' (' || definition || ')', trigger from automation_default where enabled
    union all
    select 'parameters', id || ' (' || definition || ' of ' || agency_id || '/' || tenant_id || ')', params
      from automation where enabled
    union all
    select 'default parameters', agency_id || ' (' || definition || ')', params from automation_default where enabled
    order by 1, 2`;
  return stored.flatMap(({ kind, id, value }) => {
    const read = SCHEMAS[kind].safeParse(value);
    if (read.success) return [];
    return [{ kind, id, pointer: `/${(read.error.issues[0]?.path ?? []).join('/')}` }];
  });
}
