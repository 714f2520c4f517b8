import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import type { Erasure } from './erasure.ts';

/**
 * Takes back what the tenant has exported, also an export that goes on, because the person may be in it. Its parts that
 * hold rows are deleted from the store with the person's files.
 */
export async function eraseExports(tx: Tx, erasure: Erasure): Promise<void> {
  const { agencyId, tenantId } = erasure;
  await run(tx)`
    with taken as (
      update tenant_export set gone_reason = 'erased', cursor = null, ended_at = coalesce(ended_at, ${tx.now})
      where agency_id = ${agencyId} and tenant_id = ${tenantId} and gone_reason is null returning id
    )
    insert into erased_file (id, agency_id, erasure_id, key, erased_at)
    select p.export_id || '/' || p.number, ${agencyId}, ${erasure.id}, p.key, ${tx.now}
    from taken t join tenant_export_part p on p.export_id = t.id where p.name like 'rows/%'
    on conflict (id) do nothing`;
}
