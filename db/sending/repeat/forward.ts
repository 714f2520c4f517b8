import { z } from 'zod';
import { NetworkMedia } from '../../../domain/network/network-event.ts';
import { MessageKind } from '../../../domain/sending/message-kind.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Part } from '../../../domain/sending/parts.ts';
import type { Queries } from '../../engine/tx.ts';
import { row } from '../../engine/rows.ts';

const Forwardable = z.object({
  messageId: z.string(),
  sessionId: z.string(),
  networkId: z.string(),
  fromMe: z.boolean(),
  chatId: z.string(),
  participant: z.string().nullable(),
  kind: MessageKind,
  body: z.string(),
  media: NetworkMedia.nullable(),
  isRevoked: z.boolean(),
});
type Forwardable = z.infer<typeof Forwardable>;

/** Finds a message that the network has, as the network names it; undefined for one that was not sent. */
export async function findForwardable(
  queries: Queries,
  scope: Scope,
  messageId: string,
): Promise<Forwardable | undefined> {
  return row(queries, Forwardable)`
    select m.id as "messageId", m.session_id as "sessionId",
      coalesce(m.network_id, m.matching_network_id) as "networkId", m.direction = 'out' as "fromMe",
      c.chat_id as "chatId", m.participant, m.kind, m.body, m.media, m.revoked_at is not null as "isRevoked"
    from message m join conversation c on c.id = m.conversation_id
    where m.id = message_of(${messageId}) and m.agency_id = ${scope.agencyId} and m.tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or m.session_id = ${scope.sessionId})
      and coalesce(m.network_id, m.matching_network_id) is not null`;
}

/** Makes the message that repeats it, which shows the same words and the same file. */
export function forwardOf({ body, media, ...of }: Forwardable): Part & { media?: NetworkMedia } {
  const { messageId, networkId, fromMe, chatId, participant, kind } = of;
  const forward = { messageId, networkId, fromMe, chatId, participant, kind };
  return { kind: 'forward', body, content: { forward }, ...(media ? { media } : {}) };
}
