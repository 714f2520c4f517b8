import { z } from 'zod';
import type { MessageSide } from '../../../db/conversations/inbox/message-pages.ts';
import { cursorOf } from '../../wire/page.ts';

/** The end or the beginning of a page of messages. */
export interface MessageCursor {
  conversationId: string;
  direction: MessageSide['direction'];
  at: string;
  id: string;
  /** Counts the newer messages that the reader has requested so far: the history must reach that deep. */
  depth: number;
}

const DIRECTIONS = { o: 'older', n: 'newer' } as const;

export const MessageCursor = cursorOf<MessageCursor>({
  read(text) {
    const form = /^messages ([on]) (\d{1,16}) (\d{1,9}) (\S{1,128}) (\S{1,128})$/;
    const [, way = '', at = '', depth = '', id = '', conversationId = ''] = form.exec(text) ?? [];
    if (way !== 'o' && way !== 'n') return undefined;
    return { conversationId, direction: DIRECTIONS[way], at, id, depth: Number(depth) };
  },
  write: ({ conversationId, direction, at, id, depth }) =>
    `messages ${direction === 'older' ? 'o' : 'n'} ${at} ${depth} ${id} ${conversationId}`,
});

/** A message by its id, or a moment. */
export const MessageMark = z
  .string()
  .min(1)
  .max(128)
  .transform((text, context) => {
    if (text.startsWith('msg_')) return { messageId: text };
    const moment = z.iso.datetime({ offset: true }).safeParse(text);
    if (moment.success) return { at: String(new Date(moment.data).getTime() * 1_000) };
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'is neither a messageId nor an ISO 8601 time with its offset',
    });
    return z.NEVER;
  });
export type MessageMark = z.output<typeof MessageMark>;
