import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const SECRET_BYTES = 32;

const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const IdRow = z.object({ id: z.string() });

/** Makes the address of a tenant's workflow, or gives it a new secret. Only here the secret is known. */
export async function makeHook(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  automation: string,
): Promise<{ id: string; secret: string }> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const { id } = await one(tx, IdRow)`
    insert into flow_hook as h (id, agency_id, tenant_id, automation, digest, created_at)
    values (${newId('hok')}, ${agencyId}, ${tenantId}, ${automation}, ${digestOf(secret)}, ${tx.now})
    on conflict (agency_id, tenant_id, automation) do update set digest = excluded.digest
    returning h.id`;
  return { id, secret };
}

/** Deletes the address. False if there is no such address. */
export async function deleteHook(tx: Tx, { agencyId, tenantId }: TenantScope, automation: string): Promise<boolean> {
  const deleted = await run(tx)`
    delete from flow_hook where agency_id = ${agencyId} and tenant_id = ${tenantId} and automation = ${automation}`;
  return deleted > 0;
}

const HookRow = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  automation: z.string(),
  digest: z.instanceof(Buffer),
  automationId: z.string().nullable(),
  /** The automation is on, and its agency is not suspended. */
  isOn: z.boolean(),
});
export type FoundHook = Omit<z.output<typeof HookRow>, 'digest'>;

/** Finds what an address starts. Undefined for an unknown address and for a wrong secret alike. */
export async function findHook(queries: Queries, id: string, secret: string): Promise<FoundHook | undefined> {
  const found = await row(queries, HookRow)`
    select h.agency_id as "agencyId", h.tenant_id as "tenantId", h.automation, h.digest, a.id as "automationId",
      coalesce(a.enabled and not is_suspended(g.status), false) as "isOn"
    from flow_hook h join agency g on g.id = h.agency_id
    left join automation a on a.agency_id = h.agency_id and a.tenant_id = h.tenant_id
      and a.definition = h.automation
    where h.id = ${id}`;
  if (!found || !timingSafeEqual(found.digest, digestOf(secret))) return undefined;
  const { digest: _digest, ...hook } = found;
  return hook;
}

/** Finds the run that a key has begun. A repeated post starts no second one. */
export async function findHookRun(queries: Queries, automationId: string, key: string): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id from automation_execution
    where automation_id = ${automationId} and trigger_key = ${hookKey(key)}`;
  return found?.id ?? null;
}

/** The trigger's key of a run that a post with this key begins. */
export const hookKey = (key: string): string => `webhook/${key}`;
