import { z } from 'zod';
import { GENERIC_TYPES, repairedType } from '../../domain/sending/media.ts';
import { rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';

const Kept = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  mimeType: z.string(),
  fileName: z.string(),
});

/** A document that is stored as a mere archive although its name says more. */
export type MistypedFile = z.output<typeof Kept> & { repaired: string };

const PAGE = 500;

/**
 * Lists documents that were stored as archives, of all tenants, up to `limit`. `after` is the last id of the list
 * before.
 */
export async function findMistypedFiles(queries: Queries, limit: number, after = ''): Promise<MistypedFile[]> {
  const found: MistypedFile[] = [];
  let from = after;
  while (found.length < limit) {
    const page = await rows(queries, Kept)`
      select id, agency_id as "agencyId", tenant_id as "tenantId", media ->> 'mimeType' as "mimeType",
        media ->> 'fileName' as "fileName"
      from message
      where id > ${from} and kind = 'document' and media ->> 'mimeType' = any(${[...GENERIC_TYPES]}::text[])
        and media ->> 'fileName' like '%.%' and media -> 'stored' is not null
      order by id limit ${PAGE}`;
    for (const file of page) {
      const repaired = repairedType(file.mimeType, file.fileName);
      if (repaired !== null) found.push({ ...file, repaired });
    }
    from = page.at(-1)?.id ?? from;
    if (page.length < PAGE) break;
  }
  return found.slice(0, limit);
}

/** Gives the files the types that their names say; returns how many changed. Safe to repeat. */
export async function repairFileTypes(tx: Tx, files: readonly MistypedFile[]): Promise<number> {
  let changed = 0;
  for (const { id, agencyId, tenantId, mimeType, repaired } of files) {
    changed += await run(tx)`
      update message set media = media || jsonb_build_object('mimeType', ${repaired}::text)
      where id = ${id} and agency_id = ${agencyId} and tenant_id = ${tenantId} and media ->> 'mimeType' = ${mimeType}`;
  }
  return changed;
}
