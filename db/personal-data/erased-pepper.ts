import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { SecretBox } from '../engine/secret-box.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/**
 * The peppers of a tenant's erased addresses. `own` is the tenant's: the first makes new digests, and an import may add
 * others. `former` made the digests of releases without a pepper for each tenant.
 */
const Peppers = z.object({ own: z.array(z.string()).min(1), former: z.array(z.string()) });
export type Peppers = z.output<typeof Peppers>;

const SealedRow = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  sealed: z.instanceof(Buffer),
  hasDigests: z.boolean(),
});
const HasRow = z.object({ hasDigests: z.boolean(), unreadable: z.instanceof(Buffer).nullable() });

const BYTES = 32;
/** The peppers of a tenant stay as they are, but for an import, which other processes learn of within this time. */
const KNOWN_FOR_MS = 60_000;

interface Known {
  peppers: Peppers;
  until: number;
}
/** The opened peppers of each engine's tenants, because every message asks for them. */
const opened = new WeakMap<SecretBox, Map<string, Known>>();

const nameOf = ({ agencyId, tenantId }: TenantScope): string => `erased:${agencyId}/${tenantId}`;

/**
 * Peppers that open transactions have written. Only these transactions may use them, because their commits may fail.
 */
const written = new WeakMap<Queries, Set<string>>();

function noteWritten(tx: Tx, scope: TenantScope): void {
  written.set(tx, (written.get(tx) ?? new Set<string>()).add(nameOf(scope)));
}

/**
 * Reads the peppers of tenants. In a transaction a tenant that has none gets them: as nobody makes digests without
 * them, they may be remembered from then on. Made by the erasure alone, they would be asked for with each message.
 */
export async function pepperOf(
  queries: Queries | Tx,
  scopes: readonly TenantScope[],
): Promise<(scope: TenantScope) => Peppers | null> {
  const known = opened.get(queries.secrets) ?? new Map<string, Known>();
  opened.set(queries.secrets, known);
  const asked = new Map(scopes.map((scope) => [nameOf(scope), scope]));
  const now = performance.now();
  const unknown = [...asked].filter(([name]) => (known.get(name)?.until ?? 0) <= now).map(([, scope]) => scope);
  const found = unknown.length === 0 ? new Map<string, Peppers>() : await readPeppers(queries, unknown);
  for (const [name, peppers] of found)
    if (written.get(queries)?.has(name) !== true) known.set(name, { peppers, until: now + KNOWN_FOR_MS });
  for (const scope of unknown.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    if (found.has(nameOf(scope)) || !('emit' in queries)) continue;
    found.set(nameOf(scope), await makePeppers(queries, scope));
  }
  return (scope) => found.get(nameOf(scope)) ?? known.get(nameOf(scope))?.peppers ?? null;
}

/**
 * The pepper for new digests, as the table has it: what the process remembers may have been replaced since. From here
 * to the commit nobody replaces it.
 */
export async function pepperForNew(tx: Tx, scope: TenantScope): Promise<string | undefined> {
  const { agencyId, tenantId } = scope;
  await run(tx)`
    select 1 from erased_pepper where agency_id = ${agencyId} and tenant_id = ${tenantId} for update`;
  const peppers = (await readPeppers(tx, [scope])).get(nameOf(scope)) ?? (await makePeppers(tx, scope));
  return peppers.own[0];
}

/**
 * Leaves out peppers that no key opens where nobody was erased: nothing was made with them. With erased addresses
 * nobody knows whom they name, so what would bring these people back waits for the key.
 */
async function readPeppers(queries: Queries, scopes: readonly TenantScope[]): Promise<Map<string, Peppers>> {
  const sealed = await rows(queries, SealedRow)`
    select p.agency_id as "agencyId", p.tenant_id as "tenantId", p.sealed, exists (select from erased_address e
      where e.agency_id = p.agency_id and e.tenant_id = p.tenant_id) as "hasDigests"
    from jsonb_to_recordset(${JSON.stringify(scopes)}::jsonb) as g("agencyId" text, "tenantId" text)
    join erased_pepper p on p.agency_id = g."agencyId" and p.tenant_id = g."tenantId"`;
  const read = new Map<string, Peppers>();
  for (const each of sealed) {
    const peppers = openPeppers(queries.secrets, each);
    if (peppers !== null) read.set(nameOf(each), peppers);
    else if (each.hasDigests) throw unreadable(each);
  }
  return read;
}

function openPeppers(secrets: SecretBox, { sealed, ...scope }: z.output<typeof SealedRow>): Peppers | null {
  try {
    return Peppers.parse(JSON.parse(secrets.open(sealed, nameOf(scope))));
  } catch {
    return null;
  }
}

/** Lists the tenants that have erased somebody and whose events wait, because no key opens their peppers. */
export async function listUnreadablePeppers(queries: Pick<Queries, 'sql'>, secrets: SecretBox): Promise<string[]> {
  const sealed = await rows(queries, SealedRow)`
    select p.agency_id as "agencyId", p.tenant_id as "tenantId", p.sealed, true as "hasDigests" from erased_pepper p
    where exists (select from erased_address e where e.agency_id = p.agency_id and e.tenant_id = p.tenant_id)
    order by 1, 2`;
  return sealed
    .filter((each) => openPeppers(secrets, each) === null)
    .map(({ agencyId, tenantId }) => `${agencyId}/${tenantId}`);
}

const unreadable = ({ agencyId, tenantId }: TenantScope): Error =>
  new Error(
    `The record of erased addresses of ${agencyId}/${tenantId} cannot be opened: put the former ` +
      'ENGINE_ENCRYPTION_KEY back and rotate it (docs/operate/encryption-key.md).',
  );

/**
 * Makes peppers for a tenant that has none, or none that a key opens and no digests. Another transaction may make them
 * at the same time: those that are committed first hold.
 */
async function makePeppers(tx: Tx, scope: TenantScope): Promise<Peppers> {
  const { agencyId, tenantId } = scope;
  // An erasure holds this lock, too, so that the digests that it makes are seen below.
  await run(tx)`
    select 1 from erased_pepper where agency_id = ${agencyId} and tenant_id = ${tenantId} for update`;
  const there = (await readPeppers(tx, [scope])).get(nameOf(scope));
  if (there !== undefined) return there;
  const has = await row(tx, HasRow)`
    select exists (
      select from erased_address where agency_id = ${agencyId} and tenant_id = ${tenantId}) as "hasDigests",
      (select sealed from erased_pepper
        where agency_id = ${agencyId} and tenant_id = ${tenantId}) as unreadable`;
  const former = has?.hasDigests === true ? tx.secrets.peppers() : [];
  const made: Peppers = { own: [randomBytes(BYTES).toString('hex')], former };
  const isOurs = await run(tx)`
    insert into erased_pepper as p (agency_id, tenant_id, sealed)
    values (${agencyId}, ${tenantId}, ${seal(tx.secrets, scope, made)})
    on conflict (agency_id, tenant_id) do update set sealed = excluded.sealed
    where p.sealed = ${has?.unreadable ?? null}::bytea`;
  if (isOurs === 0) return (await readPeppers(tx, [scope])).get(nameOf(scope)) ?? made;
  noteWritten(tx, scope);
  return made;
}

const seal = (secrets: SecretBox, scope: TenantScope, peppers: Peppers): Buffer =>
  secrets.seal(JSON.stringify(peppers), nameOf(scope));

/**
 * Prepares digests with peppers. Each pepper becomes a key object once, because a buffer would be looked at anew for
 * each digest, which costs more than the digest.
 */
export function pepperDigester(): (pepper: string, text: string) => Buffer {
  const keys = new Map<string, KeyObject>();
  return (pepper, text) => {
    const key = keys.get(pepper) ?? createSecretKey(pepper, 'hex');
    keys.set(pepper, key);
    return createHmac('sha256', key).update(text).digest();
  };
}

/** The peppers that an export takes along with its digests; those that were made of encryption keys stay here. */
export async function exportedPeppers(queries: Queries, scope: TenantScope): Promise<readonly string[]> {
  const peppers = (await pepperOf(queries, [scope]))(scope);
  return peppers?.own ?? [];
}

/** Takes over the peppers of another engine, from which the tenant comes with its digests. */
export async function takePeppers(tx: Tx, scope: TenantScope, given: readonly string[]): Promise<void> {
  const { agencyId, tenantId } = scope;
  const known = (await pepperOf(tx, [scope]))(scope);
  const own = [...new Set([...(known?.own ?? []), ...given])];
  const sealed = seal(tx.secrets, scope, { own, former: known?.former ?? [] });
  await run(tx)`
    update erased_pepper set sealed = ${sealed} where agency_id = ${agencyId} and tenant_id = ${tenantId}`;
  opened.get(tx.secrets)?.delete(nameOf(scope));
  noteWritten(tx, scope);
}

const Batch = z.object({ agencyId: z.string(), tenantId: z.string(), sealed: z.instanceof(Buffer).nullable() });

/**
 * Seals the peppers of the next tenants with the current encryption key. Tenants with digests of the previous release
 * get peppers now, while both keys are there that may have made them. Returns the last tenant; null behind the last.
 */
export async function resealPeppers(
  tx: Tx,
  after: TenantScope | null,
  limit: number,
): Promise<{ last: TenantScope | null; unreadable: number }> {
  const { agencyId = '', tenantId = '' } = after ?? {};
  const found = await rows(tx, Batch)`
    select g.agency_id as "agencyId", g.tenant_id as "tenantId", p.sealed
    from (select agency_id, tenant_id from erased_pepper union select agency_id, tenant_id from erased_address) g
    left join erased_pepper p on p.agency_id = g.agency_id and p.tenant_id = g.tenant_id
    where (g.agency_id, g.tenant_id) > (${agencyId}, ${tenantId}) order by 1, 2 limit ${limit}`;
  let unreadable = 0;
  for (const { sealed, ...scope } of found) {
    if (sealed === null) {
      await makePeppers(tx, scope);
      continue;
    }
    try {
      const again = tx.secrets.sealAgain(sealed, nameOf(scope));
      if (again === null) continue;
      await run(tx)`
        update erased_pepper set sealed = ${again}
        where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and sealed = ${sealed}`;
    } catch {
      unreadable += 1;
    }
  }
  const last = found.at(-1);
  return { last: found.length < limit || !last ? null : last, unreadable };
}
