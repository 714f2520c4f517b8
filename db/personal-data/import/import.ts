import { sql } from 'kysely';
import { z } from 'zod';
import { ImportRefused } from '../../../domain/personal-data/archive.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { holdBackDefaults } from '../../automations/agency-default.ts';
import { holdDefaults } from '../../automations/lock-defaults.ts';
import { Timestamp } from '../../engine/columns.ts';
import { one, row, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { ensureTenant } from '../../tenants/tenant.ts';

const TenantImport = z.object({
  chain: z.string(),
  position: z.float64(),
  counts: z.record(z.string(), z.int()),
  leftOut: z.record(z.string(), z.int()),
  files: z.int(),
  endedAt: Timestamp.nullable(),
});
/** The progress of an import. */
export type TenantImport = z.output<typeof TenantImport>;

const COLUMNS = sql`i.chain, i.position::float8 as position, i.counts, i.left_out as "leftOut", i.files,
  i.ended_at as "endedAt"`;

const Room = z.object({ isRegistered: z.boolean(), hasRows: z.boolean(), isKnown: z.boolean() });

/**
 * Begins an import, or goes on with that of the same file. Refuses an agency that is not registered, a tenant that has
 * anything, and a file whose sessions this engine has.
 */
export async function beginImport(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { chain, sessions }: { chain: string; sessions: readonly string[] },
): Promise<TenantImport> {
  const begun = await lockImport(tx, { agencyId, tenantId });
  if (begun?.chain === chain) return begun;
  if (begun) throw new ImportRefused('Another file was imported into the tenant before.');
  const room = await one(tx, Room)`
    select exists (select 1 from agency where id = ${agencyId}) as "isRegistered",
      exists (select 1 from session where agency_id = ${agencyId} and tenant_id = ${tenantId})
        or exists (select 1 from contact where agency_id = ${agencyId} and tenant_id = ${tenantId}) as "hasRows",
      exists (select 1 from unnest(${[...sessions]}::text[]) line join session s
        on s.id = line::jsonb->>'id' or s.name = line::jsonb->>'name') as "isKnown"`;
  if (!room.isRegistered) throw new ImportRefused(`There is no agency ${agencyId}: register its dashboard first.`);
  if (room.hasRows) throw new ImportRefused('The tenant has rows already: import into one that has none.');
  if (room.isKnown) {
    throw new ImportRefused('This engine has sessions of the file already: import it into another engine.');
  }
  if (!(await ensureTenant(tx, { agencyId, tenantId }))) {
    throw new ImportRefused('The agency has reached its limit of tenants.');
  }
  await holdDefaults(tx, agencyId);
  // The file's setting of an automation wins over the agency's default here.
  await run(tx)`
    delete from automation where agency_id = ${agencyId} and tenant_id = ${tenantId} and follows_agency`;
  await run(tx)`
    insert into tenant_import (agency_id, tenant_id, chain, created_at)
    values (${agencyId}, ${tenantId}, ${chain}, ${tx.now})`;
  const made = await lockImport(tx, { agencyId, tenantId });
  if (!made) throw new Error('The import that was just begun is not there.');
  return made;
}

export async function lockImport(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<TenantImport | null> {
  const found = await row(tx, TenantImport)`
    select ${COLUMNS} from tenant_import i where i.agency_id = ${agencyId} and i.tenant_id = ${tenantId} for update`;
  return found ?? null;
}

/** Records that the file is read in up to this place, in the transaction that has written what stands before it. */
export async function recordImport(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  progress: {
    known: TenantImport;
    position: number;
    what?: string;
    taken?: number;
    leftOut?: number;
    files?: number;
    isEnd?: boolean;
  },
): Promise<void> {
  const { known, position, what, taken = 0, leftOut = 0, files = 0, isEnd = false } = progress;
  const counts = what === undefined ? known.counts : { ...known.counts, [what]: (known.counts[what] ?? 0) + taken };
  const left =
    what === undefined || leftOut === 0
      ? known.leftOut
      : { ...known.leftOut, [what]: (known.leftOut[what] ?? 0) + leftOut };
  if (isEnd) await holdBackDefaults(tx, { agencyId, tenantId });
  await run(tx)`
    update tenant_import set position = ${position}, counts = ${JSON.stringify(counts)}::jsonb,
      left_out = ${JSON.stringify(left)}::jsonb, files = files + ${files},
      ended_at = case when ${isEnd}::boolean then ${tx.now} else ended_at end
    where agency_id = ${agencyId} and tenant_id = ${tenantId}`;
}
