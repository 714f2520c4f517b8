import { z } from 'zod';
import { MessageContent } from '../../domain/sending/content.ts';
import type { Selected } from '../../domain/sending/content.ts';
import { choiceOf, optionsOf } from '../../domain/sending/interactive.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import type { Tx } from '../tx.ts';
import { row, run } from '../rows.ts';

/** A longer text is not taken for a choice. */
const MAX_REPLY_LENGTH = 64;
const ANSWERED_WITHIN = '24 hours';
/** The network's clock and ours may differ by this much. */
const CLOCK_SLACK = '5 seconds';
/** A message may wait this long between its acceptance, which dates it, and its sending. */
const MAX_QUEUE = '48 hours';

interface Inbound {
  conversationId: string;
  message: NetworkMessage;
  /** The message of ours that this message quotes. */
  replyTo: string | null;
  at: Date;
}

/** Finds the option that the message chooses, and keeps it with the message. */
export async function recordSelected(tx: Tx, id: string, inbound: Inbound): Promise<Selected | null> {
  const selected = await findSelected(tx, inbound);
  if (selected) {
    await run(tx)`update message set content = ${JSON.stringify({ selected })}::jsonb where id = ${id}`;
  }
  return selected;
}

/**
 * Finds the choice. A contact chooses by pressing a button or a row, or by naming an option of the numbered text that
 * stood for the buttons or the list.
 */
async function findSelected(tx: Tx, inbound: Inbound): Promise<Selected | null> {
  const { message, replyTo } = inbound;
  if (message.selected) return { ...message.selected, messageId: replyTo };
  if (message.kind !== 'text' || message.body.length > MAX_REPLY_LENGTH || message.body.trim() === '') return null;
  const asked = await findAsked(tx, inbound);
  const { buttons, list } = asked?.content ?? {};
  const interactive = buttons ?? list;
  const choice = interactive && choiceOf(optionsOf(interactive), message.body);
  return asked && choice ? { ...choice, messageId: asked.id } : null;
}

/** Content that differs from its schema offers no option: the message that may answer it must not be lost for it. */
const Asked = z.object({ id: z.string(), content: MessageContent.nullable().catch(null) });
type Asked = z.infer<typeof Asked>;

/**
 * Finds the numbered text that the message quotes, or else the last one, unless we have written another message since.
 */
async function findAsked(tx: Tx, { conversationId, replyTo, at }: Inbound): Promise<Asked | undefined> {
  if (replyTo !== null) {
    return row(tx, Asked)`
      select id, content from message
      where id = ${replyTo} and conversation_id = ${conversationId} and rendered_as = 'text'`;
  }
  return row(tx, Asked)`
    select m.id, m.content from (
      select id, content, conversation_id, sent_at from message
      where conversation_id = ${conversationId} and rendered_as = 'text'
        and sent_at between ${at}::timestamptz - ${ANSWERED_WITHIN}::interval
          and ${at}::timestamptz + ${CLOCK_SLACK}::interval
      order by sent_at desc limit 1
    ) m
    where not exists (
      select 1 from message later
      where later.conversation_id = m.conversation_id and later.direction = 'out' and later.id <> m.id
        and later.kind in ('text', 'buttons', 'list')
        and (was_sent(later.status) or later.status = 'uncertain')
        and later.occurred_at > m.sent_at - ${MAX_QUEUE}::interval
        and coalesce(later.sent_at, later.occurred_at) > m.sent_at
        and coalesce(later.sent_at, later.occurred_at) <= ${at})`;
}
