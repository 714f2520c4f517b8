import { z } from 'zod';
import { MessageContent } from '../../domain/sending/content.ts';
import type { Selected } from '../../domain/sending/content.ts';
import { choiceOf, optionsOf } from '../../domain/sending/interactive.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import type { Tx } from '../engine/tx.ts';
import { run } from '../engine/rows.ts';

/** A longer text is not taken for a choice. */
const MAX_REPLY_LENGTH = 64;

/** Content that differs from its schema offers no option: the message that may answer it must not be lost for it. */
export const Asked = z.object({
  id: z.string(),
  /** A native message shows no numbers, so a number chooses none of its options. */
  content: MessageContent.extend({ isNative: z.literal(true).optional() })
    .nullable()
    .catch(null),
});

interface Inbound {
  message: NetworkMessage;
  /** The message of ours that this message quotes. */
  replyTo: string | null;
  /** The numbered text of ours that this message may answer. */
  asked: z.infer<typeof Asked> | null;
}

/** True for a message that may name an option of a message of ours (`asked_by` in `inbound.sql`). */
export function mayChoose({ selected, kind, body }: NetworkMessage): boolean {
  return !selected && kind === 'text' && body.length <= MAX_REPLY_LENGTH && body.trim() !== '';
}

/** Finds the option that the message chooses, and keeps it with the message. */
export async function recordSelected(tx: Tx, id: string, inbound: Inbound): Promise<Selected | null> {
  const selected = findSelected(inbound);
  if (selected) {
    await run(
      tx,
    )`update message set content = coalesce(content, '{}') || ${JSON.stringify({ selected })}::jsonb where id = ${id}`;
  }
  return selected;
}

/**
 * Finds the choice. A contact chooses by pressing a button or a row, or by naming an option of the numbered text that
 * stood for the buttons or the list. The exact words of a native button count as pressing it, too.
 */
function findSelected({ message, replyTo, asked }: Inbound): Selected | null {
  if (message.selected) return { ...message.selected, messageId: replyTo };
  const { buttons, list, isNative = false } = asked?.content ?? {};
  const interactive = buttons ?? list;
  const choice = interactive && choiceOf(optionsOf(interactive), message.body, { byNumber: !isNative });
  return asked && choice ? { ...choice, messageId: asked.id } : null;
}
