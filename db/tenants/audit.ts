import type { TenantScope } from '../../domain/scope.ts';
import type { AuditAction, AuditObject } from '../../domain/tenants/audit.ts';
import { run } from '../rows.ts';
import type { Tx } from '../tx.ts';

/** Who changes something, as far as the request tells. */
export interface ChangedBy {
  /** `master` and `psk` are the operator's secrets. */
  keyId: string;
  /** The name that the person gives. */
  actor?: string | undefined;
  reason?: string | undefined;
}

export interface Change {
  of: { agencyId: string; tenantId?: TenantScope['tenantId'] | null };
  object: AuditObject;
  objectId: string;
  action: AuditAction;
  /** Names of fields and plain settings of the change; never a text, a name or a secret. */
  detail?: object;
}

/** Records a change of which no history of its own tells, in the transaction that makes it. */
export async function recordChange(
  tx: Tx,
  { of, object, objectId, action, detail }: Change,
  by: ChangedBy,
): Promise<void> {
  await run(tx)`
    insert into audit_entry (at, agency_id, tenant_id, object, object_id, action, actor, key_id, reason, detail)
    values (${tx.now}, ${of.agencyId}, ${of.tenantId ?? null}, ${object}, ${objectId}, ${action}, ${by.actor ?? null},
      ${by.keyId}, ${by.reason ?? null}, ${detail === undefined ? null : JSON.stringify(detail)}::jsonb)`;
}
