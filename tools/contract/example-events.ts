import { ask } from './ask.ts';
import type { Asked } from './ask.ts';
import type { Difference } from './differences.ts';
import type { Examples } from './examples.ts';
import type { Envelope, HeardEvents } from './heard-events.ts';
import { shapeDifferences } from './shape.ts';

interface Expected {
  example: string;
  event: string;
  fits: (payload: Envelope['payload']) => boolean;
}

const PERSON = '15557654321@c.us';
const GROUP = '120363000000000000@g.us';

const bodyIs = (body: string, fromMe: boolean): Expected['fits'] => {
  return (payload) => payload['body'] === body && payload['fromMe'] === fromMe;
};
const statusIs = (status: string): Expected['fits'] => {
  return (payload) => payload['status'] === status;
};
const ackIs = (ack: number): Expected['fits'] => {
  return (payload) => payload['ack'] === ack;
};
const any = (): boolean => true;

const EXPECTED: readonly Expected[] = [
  { example: 'session.status STARTING', event: 'session.status', fits: statusIs('STARTING') },
  { example: 'session.status SCAN_QR_CODE', event: 'session.status', fits: statusIs('SCAN_QR_CODE') },
  { example: 'session.status STOPPED', event: 'session.status', fits: statusIs('STOPPED') },
  { example: 'session.status FAILED', event: 'session.status', fits: statusIs('FAILED') },
  { example: 'session.status WORKING', event: 'session.status', fits: statusIs('WORKING') },
  { example: 'message.any lid with remoteJidAlt', event: 'message.any', fits: bodyIs('hello from hidden', false) },
  { example: 'message.any lid', event: 'message.any', fits: bodyIs('hello from nobody', false) },
  { example: 'message.any group', event: 'message.any', fits: bodyIs('group hello', false) },
  { example: 'message.any imageMessage', event: 'message.any', fits: bodyIs('look', false) },
  { example: 'message.any own phone', event: 'message.any', fits: bodyIs('I will take this one', true) },
  { example: 'message.any own api extendedTextMessage', event: 'message.any', fits: bodyIs('hello', true) },
  { example: 'message.edited', event: 'message.edited', fits: any },
  { example: 'message.reaction', event: 'message.reaction', fits: any },
  { example: 'message.revoked', event: 'message.revoked', fits: any },
  { example: 'message.ack SERVER', event: 'message.ack', fits: ackIs(1) },
  { example: 'message.ack DEVICE', event: 'message.ack', fits: ackIs(2) },
  { example: 'message.ack READ', event: 'message.ack', fits: ackIs(3) },
  { example: 'message.ack ERROR', event: 'message.ack', fits: ackIs(-1) },
  { example: 'message.ack.group', event: 'message.ack.group', fits: any },
  { example: 'presence.update', event: 'presence.update', fits: any },
  { example: 'label.upsert', event: 'label.upsert', fits: any },
  { example: 'label.chat.added', event: 'label.chat.added', fits: ({ labelId }) => labelId === '7' },
  { example: 'label.chat.deleted', event: 'label.chat.deleted', fits: ({ labelId }) => labelId === '7' },
];

/** Runs the account's events, in this order. */
export async function makeEvents(asked: Asked, session: string): Promise<void> {
  const control = (deed: string, body: object) => ask(asked, 'POST', `/sandbox/sessions/${session}/${deed}`, { body });
  await control('inbound', { from: PERSON, text: 'Hi, how much is it?', id: '3AFIRST', pushName: 'Alice' });
  await control('inbound', { from: '15559990000', lid: '123456789012345', text: 'hello from hidden', pushName: 'Bob' });
  await control('inbound', { from: '555000555000555@lid', text: 'hello from nobody', pushName: 'Nobody' });
  const member = { from: '15559990000', lid: '123456789012345', chatId: GROUP, pushName: 'Bob' };
  await control('inbound', { ...member, text: 'group hello', replyTo: '3AFIRST' });
  await control('inbound', { from: PERSON, text: 'look', media: { mimetype: 'image/png' }, pushName: 'Alice' });
  await control('phone', { to: PERSON, text: 'I will take this one' });
  const text = { session, chatId: PERSON, text: 'hello', id: '3EB0DIRECT' };
  await ask(asked, 'POST', '/api/sendText', { body: text });
  const toGroup = { session, chatId: GROUP, text: 'to all', id: '3EB0GROUP' };
  await ask(asked, 'POST', '/api/sendText', { body: toGroup });
  await control('ack', { id: '3EB0GROUP', ack: 3, reader: PERSON });
  await control('typing', { from: PERSON });
  await control('edit', { id: '3AFIRST', text: 'Hi, how much are they?' });
  await control('reaction', { from: PERSON, id: '3EB0DIRECT', text: '👍' });
  await control('ack', { id: '3EB0DIRECT', ack: -1 });
  await control('revoke', { id: '3AFIRST' });
  for (const name of ['Four', 'Five', 'Six', 'VIP']) {
    await ask(asked, 'POST', `/api/${session}/labels`, { body: { name, color: 4 } });
  }
  for (const labels of [[{ id: '7' }], []]) {
    await ask(asked, 'PUT', `/api/${session}/labels/chats/${PERSON}`, { body: { labels } });
  }
}

/** Each event that is expected with how it differs from its example; null where it was not heard. */
export async function compareEvents(heard: HeardEvents, examples: Examples): Promise<[string, Difference[] | null][]> {
  const compared: [string, Difference[] | null][] = [];
  for (const { example, event, fits } of EXPECTED) {
    const told = await heard.until(event, fits);
    const differences = told && shapeDifferences(examples.payloads.get(example), told.envelope.payload, event);
    compared.push([example, differences ?? null]);
  }
  const first = await heard.until('message.any', bodyIs('Hi, how much is it?', false));
  compared.push(['envelope', first ? shapeDifferences(examples.envelope, first.envelope, 'envelope') : null]);
  const headers = first && Object.keys(examples.webhookHeaders).filter((name) => first.headers[name] === undefined);
  compared.push(['webhook headers', headers?.map((name) => `webhook: the header ${name} is missing`) ?? null]);
  return compared;
}

/** Which forms of events are looked for. */
export const EVENTS_PLAYED: ReadonlySet<string> = new Set(EXPECTED.map(({ example }) => example));
