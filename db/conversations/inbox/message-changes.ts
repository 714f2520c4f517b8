import { z } from 'zod';
import { CONTACT } from '../../../domain/network/responder.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { Timestamp } from '../../engine/columns.ts';
import { rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';
import type { Message } from '../message.ts';

const Response = z.object({
  messageId: z.string(),
  kind: z.enum(['reaction', 'vote']),
  /** `domain/network/responder.ts`. */
  responder: z.string(),
  value: z.array(z.string()).nullable(),
  at: Timestamp,
  contactId: z.string().nullable(),
});
export type Response = z.output<typeof Response>;

const Shown = Response.extend({ inAll: z.coerce.number() });
type Shown = z.output<typeof Shown>;

const Tally = z.object({ messageId: z.string(), option: z.string(), votes: z.int() });

const Version = z.object({ messageId: z.string(), body: z.string(), at: Timestamp });
type Version = z.output<typeof Version>;

/** The later changes of a message. */
export interface MessageChanges {
  /** Reactions and votes that stand, the newest {@link MAX_RESPONSES} of each kind, the oldest of them first. */
  responses: readonly Response[];
  /** Counts the responses of each kind beyond the list. */
  more: Readonly<Record<Response['kind'], number>>;
  /** Votes by option. Null if the responses hold all votes. */
  tally: ReadonlyMap<string, number> | null;
  /** The versions of an edited message, the first one first. */
  versions: readonly Version[];
}

/** The newest versions of a message that are read; few messages have more than two. */
const MAX_VERSIONS = 50;

/** A group has up to 1,024 members, and a page 1,000 messages. */
const MAX_RESPONSES = 100;

/** Reads what became of messages since they were said; messages of which nothing did are left out. */
export async function readMessageChanges(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  messages: readonly Pick<Message, 'id' | 'editedAt' | 'respondedAt'>[],
): Promise<ReadonlyMap<string, MessageChanges>> {
  const scope = { agencyId, tenantId };
  const idsOf = (changed: (message: (typeof messages)[number]) => unknown): string[] =>
    messages.filter((message) => changed(message)).map(({ id }) => id);
  const responses = await readResponses(
    queries,
    scope,
    idsOf(({ respondedAt }) => respondedAt),
  );
  const versions = await readVersions(
    queries,
    scope,
    idsOf(({ editedAt }) => editedAt),
  );
  const talliesOf = await readTallies(queries, scope, responses);
  const changed = new Set([...responses, ...versions].map(({ messageId }) => messageId));
  const responsesOf = Map.groupBy(responses, ({ messageId }) => messageId);
  const versionsOf = Map.groupBy(versions, ({ messageId }) => messageId);
  return new Map(
    [...changed].map((id) => {
      const shown = responsesOf.get(id) ?? [];
      const more = { reaction: moreThan(shown, 'reaction'), vote: moreThan(shown, 'vote') };
      return [id, { responses: shown, more, tally: talliesOf.get(id) ?? null, versions: versionsOf.get(id) ?? [] }];
    }),
  );
}

function moreThan(responses: readonly Shown[], kind: Response['kind']): number {
  const ofKind = responses.filter((response) => response.kind === kind);
  return (ofKind[0]?.inAll ?? 0) - ofKind.length;
}

async function readResponses(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  ids: readonly string[],
): Promise<Shown[]> {
  if (ids.length === 0) return [];
  return rows(queries, Shown)`
    select m.id as "messageId", k.kind, r.responder, r.value, r.at, r.in_all as "inAll",
      case when r.responder = ${CONTACT} then m.contact_id else a.contact_id end as "contactId"
    from message m cross join (values ('reaction'), ('vote')) k(kind) cross join lateral (
      select n.responder, n.value, n.at, count(*) over () as in_all from message_response n
      where n.message_id = m.id and n.kind = k.kind and (n.value is null or cardinality(n.value) > 0)
      order by n.at desc, n.responder limit ${MAX_RESPONSES}) r
    left join contact_alias a on a.agency_id = m.agency_id and a.tenant_id = m.tenant_id and a.chat_id = r.responder
    where m.id = any(${ids}::text[]) and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
    order by r.at, r.responder`;
}

/** Counts the votes of polls of which not all votes are read. */
async function readTallies(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  responses: readonly Shown[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const long = responses.filter(({ kind, inAll }) => kind === 'vote' && inAll > MAX_RESPONSES);
  if (long.length === 0) return new Map();
  const ids = [...new Set(long.map(({ messageId }) => messageId))];
  const counted = await rows(queries, Tally)`
    select r.message_id as "messageId", o.option, count(distinct r.responder)::int as votes
    from message_response r join message m on m.id = r.message_id cross join unnest(r.value) as o(option)
    where r.message_id = any(${ids}::text[]) and r.kind = 'vote' and m.agency_id = ${agencyId}
      and m.tenant_id = ${tenantId}
    group by 1, 2`;
  return new Map(
    [...Map.groupBy(counted, ({ messageId }) => messageId)].map(([id, options]) => [
      id,
      new Map(options.map(({ option, votes }) => [option, votes])),
    ]),
  );
}

async function readVersions(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  ids: readonly string[],
): Promise<Version[]> {
  if (ids.length === 0) return [];
  return rows(queries, Version)`
    select v.message_id as "messageId", v.body,
      -- Edits are told in whole seconds, which begin before a message of the same second.
      case when v.edit_id = '' then v.at else greatest(v.at, m.occurred_at) end as at
    from message m cross join lateral (
      select * from message_version n where n.message_id = m.id
      order by n.edit_id = '' desc, n.at desc, n.told_at desc, n.edit_id desc limit ${MAX_VERSIONS}) v
    where m.id = any(${ids}::text[]) and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
    order by v.message_id, v.edit_id <> '', v.at, v.told_at, v.edit_id`;
}
