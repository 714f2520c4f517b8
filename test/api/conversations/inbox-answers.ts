import { z } from 'zod';
import type { Answer } from '../../support/client.ts';

export const Chats = z.object({
  chats: z.array(z.object({ conversationId: z.string(), unreadCount: z.int(), updatedAt: z.string() })),
  total: z.int(),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
export const Messages = z.object({
  messages: z.array(z.object({ messageId: z.string() })),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
  hasNewer: z.boolean(),
  newerCursor: z.string().nullable(),
});

/** The body of an answer that must be good. */
export function good(answer: Answer): Answer['body'] {
  if (answer.status !== 200) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Returns the parts of a refusal: its status, its code, and the pointers to the faults. */
export const problem = ({ status, body }: Answer) => ({
  status,
  code: body['code'],
  pointers: z
    .array(z.object({ pointer: z.string() }))
    .parse(body['errors'])
    .map(({ pointer }) => pointer),
});
