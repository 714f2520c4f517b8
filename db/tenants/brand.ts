import { createHash } from 'node:crypto';
import { z } from 'zod';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const BrandRow = z.object({ name: z.string(), colour: z.string().nullable(), logoDigest: z.string().nullable() });
export type Brand = z.output<typeof BrandRow>;

/** Finds the name, the colour and the logo of an agency; undefined where the agency is not registered. */
export async function findBrand(queries: Queries, agencyId: string): Promise<Brand | undefined> {
  return row(queries, BrandRow)`
    select a.dashboard_name as name, b.colour, b.logo_digest as "logoDigest"
    from agency a left join agency_brand b on b.agency_id = a.id where a.id = ${agencyId}`;
}

/** Changes the brand of an agency; undefined leaves a part as it is. */
export async function changeBrand(
  tx: Tx,
  agencyId: string,
  { colour, logo }: { colour: string | null | undefined; logo: Buffer | null | undefined },
): Promise<void> {
  await run(tx)`
    insert into agency_brand (agency_id, updated_at) values (${agencyId}, ${tx.now})
    on conflict (agency_id) do update set updated_at = excluded.updated_at`;
  if (colour !== undefined) {
    await run(tx)`update agency_brand set colour = ${colour} where agency_id = ${agencyId}`;
  }
  if (logo !== undefined) {
    const digest = logo === null ? null : createHash('sha256').update(logo).digest('hex');
    await run(tx)`update agency_brand set (logo, logo_digest) = (${logo}, ${digest}) where agency_id = ${agencyId}`;
  }
}

const LogoRow = z.object({ logo: z.instanceof(Buffer) });

/** Finds a logo by its digest, whichever agency has it: pages of people without a key show it. */
export async function findLogo(queries: Queries, digest: string): Promise<Buffer | undefined> {
  const found = await row(queries, LogoRow)`select logo from agency_brand where logo_digest = ${digest} limit 1`;
  return found?.logo;
}
