import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { SecretBox } from '../engine/secret-box.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** An agency has at most this many secrets for its workflows. */
export const MAX_FLOW_SECRETS = 100;

/** A sealed value opens only in the row of its agency and name. */
const contextOf = (agencyId: string, name: string): string => `flow-secret/${agencyId}/${name}`;

const SecretRow = z.object({ name: z.string(), host: z.string(), updatedAt: Timestamp });
export type FlowSecretRow = z.output<typeof SecretRow>;

/** Lists the names of an agency's secrets. Nothing returns a value. */
export async function listFlowSecrets(queries: Queries, agencyId: string): Promise<FlowSecretRow[]> {
  return rows(queries, SecretRow)`
    select name, host, updated_at as "updatedAt" from flow_secret where agency_id = ${agencyId} order by name`;
}

const SetRow = SecretRow.extend({ isNew: z.boolean() });

/** Sets a secret. Null for a new one of an agency that has enough. */
export async function setFlowSecret(
  tx: Tx,
  agencyId: string,
  { name, host, value }: { name: string; host: string; value: string },
): Promise<z.output<typeof SetRow> | null> {
  const set = await row(tx, SetRow)`
    insert into flow_secret as s (agency_id, name, host, sealed, updated_at)
    select ${agencyId}, ${name}, ${host}, ${tx.secrets.seal(value, contextOf(agencyId, name))}, ${tx.now}
    where exists (select 1 from flow_secret where agency_id = ${agencyId} and name = ${name})
      or (select count(*) from flow_secret where agency_id = ${agencyId}) < ${MAX_FLOW_SECRETS}
    on conflict (agency_id, name) do update set host = excluded.host, sealed = excluded.sealed,
      updated_at = excluded.updated_at
    returning s.name, s.host, s.updated_at as "updatedAt", s.xmax = 0 as "isNew"`;
  return set ?? null;
}

/** Deletes a secret. False for one that does not exist. */
export async function deleteFlowSecret(tx: Tx, agencyId: string, name: string): Promise<boolean> {
  return (await run(tx)`delete from flow_secret where agency_id = ${agencyId} and name = ${name}`) > 0;
}

const SealedRow = z.object({ agencyId: z.string(), name: z.string(), host: z.string(), sealed: z.instanceof(Buffer) });

/** Opens a secret for a host. Null if the agency has no such secret for it, or the engine's key does not open it. */
export async function openFlowSecret(
  queries: Pick<Queries, 'sql'>,
  secrets: SecretBox,
  { agencyId, name, host }: { agencyId: string; name: string; host: string },
): Promise<string | null> {
  const found = await row(queries, SealedRow)`
    select agency_id as "agencyId", name, host, sealed from flow_secret
    where agency_id = ${agencyId} and name = ${name} and host = ${host}`;
  if (!found) return null;
  try {
    return secrets.open(found.sealed, contextOf(agencyId, name));
  } catch {
    return null;
  }
}

/** Seals all secrets with the current encryption key. Secrets that no key opens stay; their count is returned. */
export async function resealFlowSecrets(tx: Tx): Promise<number> {
  const all = await rows(tx, SealedRow)`
    select agency_id as "agencyId", name, host, sealed from flow_secret order by agency_id, name for no key update`;
  let unreadable = 0;
  for (const { agencyId, name, sealed } of all) {
    try {
      const again = tx.secrets.sealAgain(sealed, contextOf(agencyId, name));
      if (again === null) continue;
      await run(tx)`update flow_secret set sealed = ${again} where agency_id = ${agencyId} and name = ${name}`;
    } catch {
      unreadable += 1;
    }
  }
  return unreadable;
}
