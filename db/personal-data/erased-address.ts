import { z } from 'zod';
import { otherAddresses } from '../../domain/network/phone-forms.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { pepperDigester, pepperForNew, pepperOf } from './erased-pepper.ts';

/** The text of which the previous releases made the digest of an address, with the encryption key. */
function formerTextOf({ agencyId, tenantId }: TenantScope, chatId: string): string {
  return JSON.stringify(['erased', agencyId, tenantId, chatId]);
}

/** The text of which the digest is made: the pepper is the tenant's, who may have another id on another engine. */
const textOf = (chatId: string): string => JSON.stringify(['erased', chatId]);

/** The digests, in hex, under which addresses of a tenant's erased persons would be known. */
export type ErasedDigester = (scope: TenantScope, chatIds: readonly string[]) => string[];

/** Prepares the digests of addresses of these tenants. */
export async function erasedDigester(queries: Queries | Tx, scopes: readonly TenantScope[]): Promise<ErasedDigester> {
  const peppers = await pepperOf(queries, scopes);
  const digestWith = pepperDigester();
  return (scope, chatIds) => {
    const { own, former } = peppers(scope) ?? { own: [], former: [] };
    // The network may show the person later under another spelling of the number.
    const digests = [...chatIds, ...otherAddresses(chatIds)].flatMap((chatId) => [
      ...own.map((pepper) => digestWith(pepper, textOf(chatId))),
      ...former.map((pepper) => digestWith(pepper, formerTextOf(scope, chatId))),
      ...queries.secrets.digests(formerTextOf(scope, chatId)),
    ]);
    return [...new Set(digests.map((digest) => digest.toString('hex')))];
  };
}

/** Remembers until when the addresses are an erased person's. */
export async function rememberErased(
  tx: Tx,
  { agencyId, tenantId, chatIds }: TenantScope & { chatIds: readonly string[] },
  erasedAt: Date,
): Promise<void> {
  const scope = { agencyId, tenantId };
  const pepper = await pepperForNew(tx, scope);
  if (pepper === undefined) throw new Error('The tenant has no pepper for the addresses that are to be remembered.');
  const digestWith = pepperDigester();
  const digests = chatIds.map((chatId) => digestWith(pepper, textOf(chatId)).toString('hex'));
  await run(tx)`
    insert into erased_address (digest, agency_id, tenant_id, erased_at)
    select decode(d, 'hex'), ${agencyId}, ${tenantId}, ${erasedAt} from unnest(${digests}::text[]) d order by d
    on conflict (agency_id, tenant_id, digest) do update set erased_at = excluded.erased_at`;
}

const Known = z.object({ digest: z.string(), erasedAtMs: z.number() });

interface Dated {
  chatIds: readonly string[];
  /** When it happened, as the network says. */
  at: Date;
}

/**
 * Leaves out what is about a person who was erased after it happened: late news of the network, and its history. The
 * network tells whole seconds, so what is of the second of the erasure counts as later.
 */
export async function withoutErased<T>(
  queries: Queries,
  scope: TenantScope,
  given: readonly T[],
  datedOf: (each: T) => Dated,
): Promise<T[]> {
  const digestsOf = await erasedDigester(queries, [scope]);
  const dated = given.map((each) => {
    const { chatIds, at } = datedOf(each);
    return { each, at, digests: digestsOf(scope, chatIds) };
  });
  const all = [...new Set(dated.flatMap(({ digests }) => digests))];
  if (all.length === 0) return [...given];
  const known = await rows(queries, Known)`
    select encode(digest, 'hex') as digest, (extract(epoch from erased_at) * 1000)::float8 as "erasedAtMs"
    from erased_address
    where digest in (select decode(d, 'hex') from unnest(${all}::text[]) d)
      and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}`;
  if (known.length === 0) return [...given];
  const erased = new Map(known.map(({ digest, erasedAtMs }) => [digest, erasedAtMs]));
  const isErased = ({ at, digests }: { at: Date; digests: string[] }): boolean =>
    digests.some((digest) => endOfSecond(at) <= (erased.get(digest) ?? -Infinity));
  return dated.filter((each) => !isErased(each)).map(({ each }) => each);
}

const Address = z.object({ chatId: z.string() });

/** Leaves out people who were erased and have not written since: an account still lists them in its address book. */
export async function withoutErasedPeople<T>(
  queries: Queries,
  scope: TenantScope,
  given: readonly T[],
  chatIdsOf: (each: T) => readonly string[],
): Promise<T[]> {
  const there = new Set(
    await withoutErased(queries, scope, given, (each) => ({ chatIds: chatIdsOf(each), at: new Date(0) })),
  );
  if (there.size === given.length) return [...given];
  const erased = given.filter((each) => !there.has(each)).flatMap(chatIdsOf);
  const again = await rows(queries, Address)`
    select chat_id as "chatId" from contact_alias
    where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and chat_id = any(${erased}::text[])`;
  const known = new Set(again.map(({ chatId }) => chatId));
  return given.filter((each) => there.has(each) || chatIdsOf(each).some((chatId) => known.has(chatId)));
}

function endOfSecond(at: Date): number {
  return Math.floor(at.getTime() / 1_000) * 1_000 + 999;
}
