import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { ask } from './ask.ts';
import type { Asked } from './ask.ts';
import type { Facts } from './probes.ts';

const LOOK_EVERY_MS = 10;
/** A busy machine only makes it slower: what never comes is waited for in vain. */
const LOOK_TIMES = 4_500;

const Chats = z.array(z.object({ id: z.string() }));
const Messages = z.array(z.object({ id: z.string(), fromMe: z.boolean() }));
const Status = z.object({ status: z.string() });

/** A linked session with its older history, and one that waits for its phone. */
export async function setScene(asked: Asked): Promise<Facts> {
  const session = 'contract';
  const unlinked = 'unlinked';
  const config = { noweb: { markOnline: true, store: { enabled: true, fullSync: false } } };
  await ask(asked, 'POST', '/api/sessions', { body: { name: session, config } });
  await ask(asked, 'POST', '/api/sessions', { body: { name: unlinked } });
  for (const name of [session, unlinked]) await untilStatus(asked, name, 'SCAN_QR_CODE');
  await ask(asked, 'POST', `/sandbox/sessions/${session}/scan`);
  await untilStatus(asked, session, 'WORKING');
  await ask(asked, 'POST', `/sandbox/sessions/${session}/inbound`, {
    body: { from: '15550100300', text: 'A picture', media: { mimetype: 'image/png' } },
  });
  const chats = Chats.parse((await ask(asked, 'GET', `/api/${session}/chats`)).body).map(({ id }) => id);
  const groupId = first(chats.filter((id) => id.endsWith('@g.us')));
  const labelled = await ask(asked, 'GET', `/api/${session}/labels/1/chats`);
  const chatId = first(Chats.parse(labelled.body).map(({ id }) => id));
  const messages = Messages.parse((await ask(asked, 'GET', `/api/${session}/chats/${chatId}/messages`)).body);
  const full = first(messages.filter(({ fromMe }) => fromMe).map(({ id }) => id));
  return { session, unlinked, chatId, messageId: full.split('_')[2] ?? '', groupId, spare: 'spare' };
}

export async function untilStatus(asked: Asked, session: string, status: string): Promise<void> {
  for (let look = 0; look < LOOK_TIMES; look += 1) {
    const { body } = await ask(asked, 'GET', `/api/sessions/${session}`);
    if (Status.parse(body).status === status) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`The sandbox's session ${session} did not become ${status}.`);
}

function first(values: readonly string[]): string {
  const [value] = values;
  if (value === undefined) throw new Error("The sandbox's older history lacks something that a probe asks about.");
  return value;
}
