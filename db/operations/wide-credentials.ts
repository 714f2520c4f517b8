import { z } from 'zod';
import { KEY_KINDS, KEY_SCOPES, scopesOf } from '../../domain/tenants/api-key.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/** Credentials that are compared with their makers, the newest first. */
const MAX_COMPARED = 10_000;
const MAX_NAMED = 20;

const Held = z.object({ kind: z.enum(KEY_KINDS), scopes: z.array(z.enum(KEY_SCOPES)) });
const CredentialRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  makerId: z.string(),
  hasMaker: z.boolean(),
  /** Null for a link of an earlier release. */
  held: Held.nullable(),
  maker: Held.nullable(),
});

/** A key or a console link that holds more than its maker, which the rules of an earlier release allowed. */
export interface WideCredential {
  id: string;
  agencyId: string;
  makerId: string;
  /** `ended`: the maker no longer works. `scopes`: the maker lacks a scope that it has. */
  why: 'ended' | 'scopes';
}

/**
 * Lists keys that hold more than their makers, and links that earlier releases made without the scopes of their makers.
 * The audit knows the makers of keys that an earlier release made. Such keys go on until somebody ends them.
 */
export async function listWideCredentials(queries: Pick<Queries, 'sql'>): Promise<WideCredential[]> {
  const found = await rows(queries, CredentialRow)`
    select c.*, m.id is not null and key_works(m.id, now()) as "hasMaker",
      case when m.id is not null then jsonb_build_object('kind', m.kind, 'scopes', m.scopes) end as maker
    from (
      select k.id, k.agency_id as "agencyId", coalesce(k.made_by, a.key_id) as "makerId", k.created_at,
        jsonb_build_object('kind', k.kind, 'scopes', k.scopes) as held
      from api_key k
      left join lateral (select e.key_id from audit_entry e where e.agency_id = k.agency_id and e.at = k.created_at
        and e.object = 'key' and e.object_id = k.id and e.action = 'created' limit 1) a on k.made_by is null
      where key_works(k.id, now()) and coalesce(k.made_by, a.key_id) not in ('master', 'psk')
      union all
      select l.id, l.agency_id, l.key_id, l.created_at, null
      from console_link l
      where l.scopes is null and l.key_id is not null and l.revoked_at is null
        and l.expires_at + l.login_seconds * interval '1 second' > now()
    ) c left join api_key m on m.id = c."makerId"
    order by c.created_at desc limit ${MAX_COMPARED}`;
  return found
    .flatMap(({ id, agencyId, makerId, hasMaker, held, maker }): WideCredential[] => {
      if (!hasMaker || maker === null) return [{ id, agencyId, makerId, why: 'ended' }];
      const [mine, theirs] = [held && scopesOf(held.kind, held.scopes), scopesOf(maker.kind, maker.scopes)];
      const isWide = (mine ?? KEY_SCOPES).some((scope) => !theirs.includes(scope));
      return isWide ? [{ id, agencyId, makerId, why: 'scopes' }] : [];
    })
    .slice(0, MAX_NAMED);
}
