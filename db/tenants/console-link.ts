import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ConsolePage } from '../../domain/console/pages.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import { newId } from '../engine/new-id.ts';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const TICKET_BYTES = 32;

/** The target of a link; the operator's own reaches everything. */
interface LinkPlace {
  agencyId: string;
  tenantId: string;
  sessionId: string | null;
  endpointId: string | null;
}

export interface NewConsoleLink {
  place: LinkPlace | null;
  name: string;
  readOnly: boolean;
  /** All that its holder may do, which its maker may, too; the operator's own may do everything. */
  scopes: readonly KeyScope[] | null;
  pages: readonly ConsolePage[] | null;
  embedIn: readonly string[];
  /** The key that makes it, or the master key itself. The link ends with it. */
  by: { keyId: string } | { masterKey: string };
  /** The login in which it is made, with which it ends, too. */
  loginId?: string;
  /** The length of the login that a link opens. */
  loginSeconds: number;
  expiresAt: Date;
}

/** Makes a link. Its ticket is returned once: the database has only a keyed digest. */
export async function makeConsoleLink(tx: Tx, link: NewConsoleLink): Promise<{ id: string; ticket: string }> {
  const id = newId('clk');
  const ticket = `${id}.${randomBytes(TICKET_BYTES).toString('base64url')}`;
  const { place, by } = link;
  await run(tx)`
    insert into console_link (id, ticket, name, agency_id, tenant_id, session_id, endpoint_id, read_only, scopes,
      pages, embed_in, key_id, master, login_id, login_seconds, created_at, expires_at)
    values (${id}, ${tx.secrets.digest(ticket)}, ${link.name}, ${place?.agencyId ?? null}, ${place?.tenantId ?? null},
      ${place?.sessionId ?? null}, ${place?.endpointId ?? null}, ${link.readOnly}, ${link.scopes}::text[],
      ${link.pages}::text[], ${link.embedIn}::text[], ${'keyId' in by ? by.keyId : null},
      ${'masterKey' in by ? tx.secrets.digest(by.masterKey) : null}, ${link.loginId ?? null},
      ${link.loginSeconds}, ${tx.now}, ${link.expiresAt})`;
  return { id, ticket };
}

const UsedRow = z.object({ id: z.string(), loginSeconds: z.int(), isEmbedded: z.boolean() });

/** Uses the ticket, once. Undefined where it is none, was used, has expired or was revoked, or its key has ended. */
export async function useTicket(
  tx: Tx,
  ticket: string,
  masterKey: string | undefined,
): Promise<z.output<typeof UsedRow> | undefined> {
  const [id = ''] = ticket.split('.');
  return row(tx, UsedRow)`
    update console_link l set used_at = ${tx.now}
    where l.id = ${id} and l.ticket = any(${tx.secrets.digests(ticket)}::bytea[]) and l.used_at is null
      and l.expires_at > ${tx.now} and link_works(l.id, ${tx.now}, ${masterDigests(tx, masterKey)}::bytea[])
      and not exists (select 1 from agency a where a.id = l.agency_id and is_suspended(a.status))
    returning l.id, l.login_seconds as "loginSeconds", l.embed_in <> '{}' as "isEmbedded"`;
}

/** The digests that the master key may have been written with; none where the engine has none. */
export function masterDigests({ secrets }: Pick<Queries, 'secrets'>, masterKey: string | undefined): Buffer[] {
  return masterKey === undefined ? [] : secrets.digests(masterKey);
}

const IdRow = z.object({ id: z.string() });
const EmbedRow = z.object({ embedIn: z.array(z.string()) });

/** Tells whether any link that works may be embedded by pages of this origin. */
export async function isEmbedder(queries: Queries, origin: string): Promise<boolean> {
  const found = await row(queries, IdRow)`
    select l.id from console_link l
    where l.embed_in <> '{}' and l.embed_in @> array[${origin}]::text[]
      and l.expires_at + make_interval(secs => l.login_seconds) > ${queries.now}
      and link_works(l.id, ${queries.now}, null) limit 1`;
  return found !== undefined;
}

/** The origins whose pages may frame the console for this link; none where it does not work any more. */
export async function findEmbedders(queries: Queries, id: string): Promise<readonly string[]> {
  const found = await row(queries, EmbedRow)`
    select l.embed_in as "embedIn" from console_link l
    where l.id = ${id} and link_works(l.id, ${queries.now}, null)
      and l.expires_at + make_interval(secs => l.login_seconds) > ${queries.now}`;
  return found?.embedIn ?? [];
}
