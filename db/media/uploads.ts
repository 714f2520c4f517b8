import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const UploadRow = z.object({
  id: z.string(),
  madeBy: z.string(),
  loginId: z.string().nullable(),
  mimeType: z.string(),
  sizeBytes: z.number(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type UploadRow = z.output<typeof UploadRow>;

interface Asked {
  /** A key or a console link, with its logins; null for the uploads of all makers. */
  maker: string | null;
}

/** Lists the uploads of a tenant that messages may name, the newest first. */
export async function listUploads(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  { maker, after, limit }: Asked & { after: { createdAt: Date; id: string } | null; limit: number },
): Promise<UploadRow[]> {
  return rows(queries, UploadRow)`
    select id, maker_credential(maker) as "madeBy", case when starts_with(maker, 'clg_') then maker end as "loginId",
      mime_type as "mimeType", size_bytes::float8 as "sizeBytes", created_at as "createdAt", held_until as "expiresAt"
    from file_hold
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and ended_at is null and held_until > ${queries.now}
      and maker is not null and (${maker}::text is null or maker_credential(maker) = ${maker})
      and maker_works(maker, ${queries.now})
      and (${after?.id ?? null}::text is null
        or (created_at, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by created_at desc, id desc limit ${limit}`;
}

const KeyRow = z.object({ key: z.string() });

/** Ends an upload before its time. False where the tenant, or this maker, has none that goes on. */
export async function endUpload(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { id, maker }: Asked & { id: string },
): Promise<boolean> {
  const ended = await row(tx, KeyRow)`
    update file_hold set ended_at = ${tx.now}
    where id = ${id} and agency_id = ${agencyId} and tenant_id = ${tenantId} and ended_at is null
      and maker is not null and (${maker}::text is null or maker_credential(maker) = ${maker})
    returning key`;
  if (ended === undefined) return false;
  // The file goes with the next clean-up, unless a message or another upload names it.
  await run(tx)`
    update media_key set held_until = least(held_until, clock_timestamp()), uploaded_until = null
    where key = ${ended.key} and deleting_until is null and not exists (select 1 from file_hold
      where agency_id = ${agencyId} and key = ${ended.key} and ended_at is null)`;
  return true;
}

const EndedRow = z.object({ isEnded: z.boolean() });

/** Tells whether an upload was ended before its time. An earlier release has written no row. */
export async function isEndedUpload(queries: Queries, id: string): Promise<boolean> {
  return (
    (
      await row(queries, EndedRow)`
    select ended_at is not null as "isEnded" from file_hold where id = ${id}`
    )?.isEnded ?? false
  );
}
