import { z } from 'zod';
import { CONTACT } from '../../../domain/network/responder.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { Timestamp } from '../../columns.ts';
import { rows } from '../../rows.ts';
import type { Queries } from '../../tx.ts';
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

const Version = z.object({ messageId: z.string(), body: z.string(), at: Timestamp });
type Version = z.output<typeof Version>;

/** What became of a message after it was said. */
export interface MessageChanges {
  /** Reactions and votes, those that were taken away among them. */
  responses: readonly Response[];
  /** What an edited message has said so far, the first version first. */
  versions: readonly Version[];
}

/** The newest versions of a message that are read; few messages have more than two. */
const MAX_VERSIONS = 50;

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
  const changed = new Set([...responses, ...versions].map(({ messageId }) => messageId));
  const responsesOf = Map.groupBy(responses, ({ messageId }) => messageId);
  const versionsOf = Map.groupBy(versions, ({ messageId }) => messageId);
  return new Map(
    [...changed].map((id) => [id, { responses: responsesOf.get(id) ?? [], versions: versionsOf.get(id) ?? [] }]),
  );
}

async function readResponses(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  ids: readonly string[],
): Promise<Response[]> {
  if (ids.length === 0) return [];
  return rows(queries, Response)`
    select r.message_id as "messageId", r.kind, r.responder, r.value, r.at,
      case when r.responder = ${CONTACT} then m.contact_id else a.contact_id end as "contactId"
    from message_response r join message m on m.id = r.message_id
    left join contact_alias a on a.agency_id = m.agency_id and a.tenant_id = m.tenant_id and a.chat_id = r.responder
    where r.message_id = any(${ids}::text[]) and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
    order by r.at, r.responder`;
}

async function readVersions(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  ids: readonly string[],
): Promise<Version[]> {
  if (ids.length === 0) return [];
  return rows(queries, Version)`
    select v.message_id as "messageId", v.body, v.at
    from message m cross join lateral (
      select * from message_version n where n.message_id = m.id
      order by n.edit_id = '' desc, n.at desc, n.told_at desc, n.edit_id desc limit ${MAX_VERSIONS}) v
    where m.id = any(${ids}::text[]) and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
    order by v.message_id, v.edit_id <> '', v.at, v.told_at, v.edit_id`;
}
