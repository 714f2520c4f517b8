import { z } from 'zod';
import { recordChange } from '../audit.ts';
import type { ChangedBy } from '../audit.ts';
import { Timestamp } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** The automations of all agencies. No agency has this id. */
export const ALL_AGENCIES = '';
/** All agencies, in the audit, where each entry names an agency. No agency has this id either. */
const ALL_IN_AUDIT = '*';

const StopRow = z.object({
  agencyId: z.string(),
  stoppedBy: z.enum(['operator', 'configuration']),
  stoppedAt: Timestamp,
  actor: z.string().nullable(),
  reason: z.string().nullable(),
});
export type AutomationStop = z.output<typeof StopRow>;

const KnownRow = z.object({ id: z.string() });

/** Tells whether there is such an agency; all of them together always are. */
export async function isAgency(queries: Pick<Queries, 'sql'>, agencyId: string): Promise<boolean> {
  if (agencyId === ALL_AGENCIES) return true;
  return (await row(queries, KnownRow)`select id from agency where id = ${agencyId}`) !== undefined;
}

/** Lists what stops automations: of all agencies first, then by the agency. */
export async function listStops(queries: Queries): Promise<AutomationStop[]> {
  return rows(queries, StopRow)`
    select agency_id as "agencyId", stopped_by as "stoppedBy", stopped_at as "stoppedAt", actor, reason
    from automation_stop order by agency_id, stopped_by`;
}

/**
 * Stops the automations of an agency or of all. From the commit on no step that others notice is begun, because each
 * reads this row first. Stopping what is stopped changes nothing.
 */
export async function stopAutomations(tx: Tx, agencyId: string, by: ChangedBy): Promise<boolean> {
  const stopped = await run(tx)`
    insert into automation_stop (agency_id, stopped_by, stopped_at, actor, reason, key_id)
    values (${agencyId}, 'operator', ${tx.now}, ${by.actor ?? null}, ${by.reason ?? null}, ${by.keyId})
    on conflict do nothing`;
  if (stopped > 0) await tell(tx, agencyId, 'stopped', by);
  return stopped > 0;
}

/** Lets the automations of an agency, or of all, begin again. Runs that have ended meanwhile stay ended. */
export async function resumeAutomations(tx: Tx, agencyId: string, by: ChangedBy): Promise<boolean> {
  const resumed = await run(tx)`
    delete from automation_stop where agency_id = ${agencyId} and stopped_by = 'operator'`;
  if (resumed > 0) await tell(tx, agencyId, 'started', by);
  return resumed > 0;
}

async function tell(tx: Tx, agencyId: string, action: 'stopped' | 'started', by: ChangedBy): Promise<void> {
  const of = { agencyId: agencyId === ALL_AGENCIES ? ALL_IN_AUDIT : agencyId };
  await recordChange(tx, { of, object: 'automations', objectId: of.agencyId, action }, by);
}

/** Every process writes at its start what its configuration says; the last one counts for all. */
export async function writeAutomationSwitch(tx: Tx, isOn: boolean): Promise<void> {
  if (isOn) {
    await run(tx)`
      delete from automation_stop where agency_id = ${ALL_AGENCIES} and stopped_by = 'configuration'`;
  } else {
    await run(tx)`
      insert into automation_stop (agency_id, stopped_by, stopped_at)
      values (${ALL_AGENCIES}, 'configuration', ${tx.now}) on conflict do nothing`;
  }
}

const StoppedRow = z.object({ isStopped: z.boolean() });

/** Tells whether the automations of an agency are stopped, its own or all. */
export async function isStopped(queries: Pick<Queries, 'sql'>, agencyId: string): Promise<boolean> {
  const found = await one(queries, StoppedRow)`
    select exists (select 1 from automation_stop where agency_id in ('', ${agencyId})) as "isStopped"`;
  return found.isStopped;
}
