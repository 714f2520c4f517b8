import type { DeliveryStatus } from '../../../packages/typescript/src/index.ts';
import { quietClient, shownClient } from '../shown-client.ts';
import { expectSame } from '../stage.ts';
import type { Connected } from '../stage.ts';
import { until } from '../until.ts';

/** A message that was sent, with the statuses that it went through. */
export interface Followed {
  messageId: string;
  statuses: string[];
}

const ORDINARY_PERSON = '+1 555 010 0077';
const WAY = ['queued', 'sending', 'sent', 'delivered', 'read'];
/** The network may report a message as read without or before the report that it was delivered. */
const SHORT_WAY = WAY.filter((status) => status !== 'delivered');
/** The sandbox's magic number whose connection drops after the message was sent. */
const DROPS_CONNECTION = '+1 555 010 0005';

export async function followMessage(stage: Connected): Promise<Followed> {
  const messageId = await send(stage, ORDINARY_PERSON, 'Hello, your order is ready. Shall we deliver it today?');
  const { history } = await untilRead(stage, messageId);
  const statuses = history.map(({ status }) => status);
  expectSame(statuses, statuses.includes('delivered') ? WAY : SHORT_WAY, 'The way of the message');
  return { messageId, statuses };
}

export async function sendThroughDrop(stage: Connected): Promise<void> {
  const text = `Is this line still good? (${stage.agencyId})`;
  const messageId = await send(stage, DROPS_CONNECTION, text);
  const { attempts } = await untilRead(stage, messageId);
  const calls = (await stage.sandbox.sends(stage.session)).filter(({ body }) => body === text);
  stage.terminal.detail(`  the backend was called ${calls.length} time(s) with that text; attempts: ${attempts}`);
  expectSame(
    calls.map(({ reachedNetwork }) => reachedNetwork),
    [true],
    'What the network has of the message',
  );
}

async function send(stage: Connected, to: string, text: string): Promise<string> {
  const { messages } = shownClient(stage, { key: stage.scopedKey });
  let answered: object = {};
  const { messageId } = await messages.send(
    { to, text },
    { onAnswer: ({ status, headers }) => (answered = { status, location: headers.get('location') }) },
  );
  expectSame(answered, { status: 202, location: statusPath(messageId) }, 'The status and Location of the answer');
  return messageId;
}

async function untilRead(stage: Connected, messageId: string): Promise<DeliveryStatus> {
  const { messages } = quietClient(stage, { key: stage.scopedKey });
  const delivery = await until('the message to be read', async () => {
    const now = await messages.readStatus(messageId);
    return now.status === 'read' && now;
  });
  const way = delivery.history.map(({ status, reason }) => (reason === null ? status : `${status} (${reason})`));
  stage.terminal.detail(`→ GET ${statusPath(messageId)}`);
  stage.terminal.detail(`← 200 ${way.join(' → ')}`);
  return delivery;
}

function statusPath(messageId: string): string {
  return `/api/v1/inbox/messages/${messageId}/status`;
}
