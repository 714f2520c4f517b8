import { quietClient, shownClient } from '../shown-client.ts';
import { expect } from '../stage.ts';
import type { Connected } from '../stage.ts';
import { until } from '../until.ts';

const WANTED = { limit: 50, pages: 3 };
/** A simulated contact whom the account knew before it was connected. */
const OLD_FRIEND = 'Bruno Sample';

export async function readInbox(stage: Connected): Promise<void> {
  const { terminal, scopedKey: key } = stage;
  const quietly = quietClient(stage, { key });
  const older = await until('the older chats', async () => {
    const { chats } = await quietly.conversations.list(WANTED);
    return chats.find(({ name }) => name === OLD_FRIEND);
  });
  const { conversations } = shownClient(stage, { key });
  const listed = await conversations.list(WANTED);
  terminal.detail(`  ${listed.total} chats, among them ${listed.chats.map(({ name }) => name).join(', ')}`);

  await until('the messages of the older chat', async () => {
    const page = await quietly.conversations.listMessages(older.conversationId, { limit: 20 });
    return page.messages.length > 1;
  });
  const { messages } = await conversations.listMessages(older.conversationId, { limit: 20 });
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
