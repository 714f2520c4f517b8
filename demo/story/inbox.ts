import { z } from 'zod';
import { expect, quietly, shown } from '../stage.ts';
import type { Connected } from '../stage.ts';
import { until } from '../until.ts';

const Chats = z.object({
  chats: z.array(z.object({ name: z.string(), conversationId: z.string(), unreadCount: z.number() })),
  total: z.number(),
  hasMore: z.boolean(),
});
const Messages = z.object({
  messages: z.array(z.object({ body: z.string(), fromMe: z.boolean(), timestamp: z.number(), origin: z.string() })),
  hasMore: z.boolean(),
});

const LIST = '/api/v1/inbox/chats?limit=50&pages=3';
/** A simulated contact whom the account knew before it was connected. */
const OLD_FRIEND = 'Bruno Sample';

export async function readInbox(stage: Connected): Promise<void> {
  const { terminal } = stage;
  const older = await until('the older chats', async () => {
    const { chats } = Chats.parse(await quietly(stage, LIST));
    return chats.find(({ name }) => name === OLD_FRIEND);
  });
  const listed = Chats.parse((await shown(stage, 200, 'GET', LIST, { key: stage.scopedKey })).body);
  terminal.detail(`  ${listed.total} chats, among them ${listed.chats.map(({ name }) => name).join(', ')}`);

  const path = `/api/v1/inbox/conversations/${older.conversationId}/messages?limit=20`;
  const { messages } = Messages.parse((await shown(stage, 200, 'GET', path, { key: stage.scopedKey })).body);
  for (const { fromMe, body } of messages.slice(0, 3)) terminal.detail(`  ${fromMe ? 'us' : OLD_FRIEND}: ${body}`);
  expect(messages.length > 1, 'The older chat must have messages.');
  const times = messages.map(({ timestamp }) => timestamp);
  expect(
    times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0)),
    'Newest must come first.',
  );
  expect(
    messages.every(({ origin }) => origin === 'history'),
    'They must be marked as history.',
  );
}
