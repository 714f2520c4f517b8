import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import type { Queries } from '../engine/tx.ts';
import { rows } from '../engine/rows.ts';
import type { Message } from './message.ts';

const Quoted = z.object({ id: z.string(), quoted: z.string() });

/**
 * Finds the messages that these messages quote, by the id of the message that quotes. A quoted message that we do not
 * know is left out.
 */
export async function findQuoted(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  messages: readonly Pick<Message, 'id' | 'replyToNetworkId'>[],
): Promise<ReadonlyMap<string, string>> {
  const ids = messages.filter(({ replyToNetworkId }) => replyToNetworkId).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await rows(queries, Quoted)`
    select m.id, q.id as quoted from message m
    join message q on q.network_id = m.reply_to_network_id and q.session_id = m.session_id
      and q.conversation_id = m.conversation_id
    where m.id = any(${ids}::text[]) and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}`;
  return new Map(found.map(({ id, quoted }) => [id, quoted]));
}
