import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { rows } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { withoutDeleted } from '../deleted.ts';

const Time = z.string().transform((text) => new Date(text));
/** The fields of a message's line that the check of deletions needs. */
const Line = z.object({
  session_id: z.string(),
  conversation_id: z.string(),
  participant: z.string().nullish(),
  occurred_at: Time,
  sent_at: Time.nullish(),
  scheduled_at: Time.nullish(),
});

const Chat = z.object({ id: z.string(), chatId: z.string(), addresses: z.array(z.string()) });

/**
 * Leaves out messages that were deleted: an import is one more writer of messages. The file may hold what the retention
 * would have deleted, or did delete after the export.
 */
export async function withoutDeletedLines(tx: Tx, scope: TenantScope, lines: readonly string[]): Promise<string[]> {
  const given = lines.map((line) => ({ line, of: Line.parse(JSON.parse(line)) }));
  const chats = await rows(tx, Chat)`
    select c.id, c.chat_id as "chatId", array(select a.chat_id from contact_alias a
      where a.contact_id = c.contact_id and a.agency_id = c.agency_id and a.tenant_id = c.tenant_id) as addresses
    from conversation c
    where c.id = any(${[...new Set(given.map(({ of }) => of.conversation_id))]}::text[])
      and c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId}`;
  const chatOf = new Map(chats.map((chat) => [chat.id, chat]));
  const kept = new Set<string>();
  for (const [id, ofSession] of Map.groupBy(given, ({ of }) => of.session_id)) {
    const left = await withoutDeleted(tx, { ...scope, id }, ofSession, {
      source: 'repair',
      checkedOf: ({ of }) => ({ chatIds: personOf(of, chatOf.get(of.conversation_id)), at: latestOf(of) }),
    });
    for (const { line } of left) kept.add(line);
  }
  return lines.filter((line) => kept.has(line));
}

/** The addresses of the person whom a message is with; in a group, that of its author. */
function personOf({ participant }: z.output<typeof Line>, chat: z.output<typeof Chat> | undefined): string[] {
  if (chat === undefined) return [];
  if (chatKind(chat.chatId) === 'group') return participant ? [participant] : [];
  return [...new Set([chat.chatId, ...chat.addresses])];
}

/** Our own messages are as old as their sending, as the retention counts. */
function latestOf({ occurred_at: occurred, sent_at: sent, scheduled_at: due }: z.output<typeof Line>): Date {
  return new Date(Math.max(...[occurred, sent, due].map((at) => at?.getTime() ?? 0)));
}
