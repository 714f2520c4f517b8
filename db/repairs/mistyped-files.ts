import { z } from 'zod';
import { GENERIC_TYPES, repairedType } from '../../domain/sending/media.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { MAX_NAMED } from './repair.ts';
import type { Repair } from './repair.ts';

const Kept = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  mimeType: z.string(),
  fileName: z.string(),
});
type MistypedFile = z.output<typeof Kept> & { repaired: string };

const PAGE = 500;

/** Goes along the documents page by page, because only the engine's own table knows which names say more. */
async function* filesOfOtherType(queries: Queries): AsyncGenerator<MistypedFile> {
  let page: z.output<typeof Kept>[];
  let after = '';
  do {
    page = await rows(queries, Kept)`
      select id, agency_id as "agencyId", tenant_id as "tenantId", media ->> 'mimeType' as "mimeType",
        media ->> 'fileName' as "fileName"
      from message
      where id > ${after} and kind = 'document' and media ->> 'mimeType' = any(${[...GENERIC_TYPES]}::text[])
        and media ->> 'fileName' like '%.%' and media -> 'stored' is not null
      order by id limit ${PAGE}`;
    for (const file of page) {
      const repaired = repairedType(file.mimeType, file.fileName);
      if (repaired !== null) yield { ...file, repaired };
    }
    after = page.at(-1)?.id ?? after;
  } while (page.length === PAGE);
}

/** Office files were stored as the archives that they are packed in, so that receivers could not open them. */
export const mistypedFiles: Repair = {
  name: 'mistyped-files',
  title: 'documents whose stored type says less than their name',
  async find(queries) {
    const first: string[] = [];
    let count = 0;
    for await (const { id, mimeType, repaired } of filesOfOtherType(queries)) {
      count += 1;
      if (first.length < MAX_NAMED) first.push(`${id} ${mimeType} → ${repaired}`);
    }
    return { count, first };
  },
  async mend(tx) {
    for await (const { id, agencyId, tenantId, mimeType, repaired } of filesOfOtherType(tx)) {
      await run(tx)`
        update message set media = media || jsonb_build_object('mimeType', ${repaired}::text)
        where id = ${id} and agency_id = ${agencyId} and tenant_id = ${tenantId}
          and media ->> 'mimeType' = ${mimeType}`;
    }
  },
};
