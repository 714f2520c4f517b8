import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { MAX_CANNED_ANSWERS } from '../../domain/tenants/canned-answer.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const CannedAnswerRow = z.object({ shortcut: z.string(), text: z.string(), updatedAt: Timestamp });
export type CannedAnswerRow = z.output<typeof CannedAnswerRow>;

/** Lists a tenant's canned answers in the order of their shortcuts. */
export async function listCannedAnswers(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  { after, limit }: { after: string | null; limit: number },
): Promise<CannedAnswerRow[]> {
  return rows(queries, CannedAnswerRow)`
    select shortcut, text, updated_at as "updatedAt" from canned_answer
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and shortcut > ${after ?? ''}
    order by shortcut limit ${limit}`;
}

const SetRow = CannedAnswerRow.extend({ isNew: z.boolean() });

/**
 * Sets the text of a shortcut. Null for a new one of a tenant that has enough. Requests at the same moment can exceed
 * the maximum by a few, which harms nobody.
 */
export async function setCannedAnswer(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { shortcut, text }: { shortcut: string; text: string },
): Promise<z.output<typeof SetRow> | null> {
  const set = await row(tx, SetRow)`
    insert into canned_answer as a (agency_id, tenant_id, shortcut, text, created_at, updated_at)
    select ${agencyId}, ${tenantId}, ${shortcut}, ${text}, ${tx.now}, ${tx.now}
    where exists (select 1 from canned_answer
        where agency_id = ${agencyId} and tenant_id = ${tenantId} and shortcut = ${shortcut})
      or (select count(*) from canned_answer
        where agency_id = ${agencyId} and tenant_id = ${tenantId}) < ${MAX_CANNED_ANSWERS}
    on conflict (agency_id, tenant_id, shortcut) do update set text = excluded.text, updated_at = excluded.updated_at
    returning a.shortcut, a.text, a.updated_at as "updatedAt", a.xmax = 0 as "isNew"`;
  return set ?? null;
}

/** Deletes a canned answer. False for one that does not exist. */
export async function deleteCannedAnswer(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  shortcut: string,
): Promise<boolean> {
  const count = await run(tx)`
    delete from canned_answer where agency_id = ${agencyId} and tenant_id = ${tenantId} and shortcut = ${shortcut}`;
  return count > 0;
}
