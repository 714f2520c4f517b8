import { z } from 'zod';
import { expect, expectSame, quietly, shown } from '../stage.ts';
import type { Connected } from '../stage.ts';
import { until } from '../until.ts';

const Accepted = z.object({ messageId: z.string(), conversationId: z.string() });

/** A message that was sent, with the statuses that it went through. */
export interface Followed {
  messageId: string;
  statuses: string[];
}

const Passport = z.object({
  status: z.string(),
  attempts: z.number(),
  history: z.array(z.object({ status: z.string(), reason: z.string().nullable() })),
});

const ORDINARY_PERSON = '+1 555 010 0077';
const WAY = ['queued', 'sending', 'sent', 'delivered', 'read'];
/** The network may report a message as read without or before the report that it was delivered. */
const SHORT_WAY = WAY.filter((status) => status !== 'delivered');
/** The sandbox's magic number whose connection drops after the message was sent. */
const DROPS_CONNECTION = '+1 555 010 0005';

export async function followMessage(stage: Connected): Promise<Followed> {
  const text = 'Hello, your order is ready. Shall we deliver it today?';
  const { messageId } = await send(stage, ORDINARY_PERSON, text);
  const { statuses } = await untilRead(stage, messageId);
  expectSame(statuses, statuses.includes('delivered') ? WAY : SHORT_WAY, 'The way of the message');
  return { messageId, statuses };
}

export async function sendThroughDrop(stage: Connected): Promise<void> {
  const text = `Is this line still good? (${stage.agencyId})`;
  const { messageId } = await send(stage, DROPS_CONNECTION, text);
  const { attempts } = await untilRead(stage, messageId);
  const calls = (await stage.sandbox.sends(stage.session)).filter(({ body }) => body === text);
  stage.terminal.detail(`  the backend was called ${calls.length} time(s) with that text; attempts: ${attempts}`);
  expectSame(
    calls.map(({ reachedNetwork }) => reachedNetwork),
    [true],
    'What the network has of the message',
  );
}

async function send(stage: Connected, to: string, text: string): Promise<z.infer<typeof Accepted>> {
  const body = { to, text };
  const answer = await shown(stage, 202, 'POST', '/api/v1/messages/send', { key: stage.scopedKey, body });
  const accepted = Accepted.parse(answer.body);
  const location = answer.headers.get('location');
  expect(location === statusPath(accepted.messageId), `Location must name the status, and is ${location}.`);
  return accepted;
}

async function untilRead(stage: Connected, messageId: string): Promise<{ statuses: string[]; attempts: number }> {
  const { history, attempts } = await until('the message to be read', async () => {
    const passport = Passport.parse(await quietly(stage, statusPath(messageId)));
    return passport.status === 'read' && passport;
  });
  const way = history.map(({ status, reason }) => (reason === null ? status : `${status} (${reason})`));
  stage.terminal.detail(`→ GET ${statusPath(messageId)}`);
  stage.terminal.detail(`← 200 ${way.join(' → ')}`);
  return { statuses: history.map(({ status }) => status), attempts };
}

function statusPath(messageId: string): string {
  return `/api/v1/inbox/messages/${messageId}/status`;
}
