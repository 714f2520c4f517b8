import { disorderIn, holesIn } from '../sequence.ts';
import { expectSame } from '../stage.ts';
import type { Connected } from '../stage.ts';
import { until } from '../until.ts';
import type { Event } from '../webhook-receiver.ts';
import type { Followed } from './sending.ts';

const WRITER = '15550100078';

export async function hearAcks({ receiver, terminal }: Connected, { messageId, statuses }: Followed): Promise<void> {
  const acks = await until('the ack that says that it was read', () => {
    const told = receiver.events('message.ack').filter(({ payload }) => payload['messageId'] === messageId);
    return told.at(-1)?.payload['status'] === 'read' && told;
  });
  for (const { payload, metadata } of acks) {
    terminal.detail(`↓ #${metadata.sequence} message.ack ${JSON.stringify(payload)}`);
  }
  const told = acks.map(({ payload }) => payload['status']);
  expectSame(told, statuses.slice(statuses.indexOf('sent')), 'The told statuses');
  expectSame(receiver.distrusted, [], 'Events with a wrong signature');
  terminal.detail('  each with webhook-signature (Standard Webhooks) and X-Engine-Signature-256, both verified');
}

export async function hearInbound({ receiver, sandbox, session, terminal }: Connected): Promise<void> {
  const text = 'Hi! Do you deliver on Sundays?';
  terminal.detail(`  (sandbox: ${WRITER} writes "${text}")`);
  await sandbox.personWrites(session, WRITER, text);
  const event = await until('the message event', () => findMessage(receiver.events('message'), text));
  terminal.detail(`↓ #${event.metadata.sequence} message ${JSON.stringify(event.payload)}`);
  const { body, from, fromKind } = event.payload;
  expectSame({ body, from, fromKind }, { body: text, from: WRITER, fromKind: 'phone' }, 'The message told');
}

export async function checkEveryEvent({ receiver, terminal, agencyId }: Connected): Promise<void> {
  await until('the holes in the sequence to close', () => holesIn(receiver.events()).length === 0);
  const events = receiver.events();
  expectSame(disorderIn(events), [], 'Events out of order in their conversation');
  expectSame(receiver.distrusted, [], 'Events with a wrong signature');
  const strangers = events.filter(({ metadata }) => metadata.agencyId !== agencyId);
  expectSame(strangers, [], "Other agencies' events");
  const repeated = receiver.deliveries.length - events.length;
  const numbers = events.map(({ metadata }) => metadata.sequence);
  const range = `#${Math.min(...numbers)} to #${Math.max(...numbers)}`;
  terminal.detail(`  ${events.length} events, ${range}; ${repeated} came more than once`);
}

export function findMessage(events: readonly Event[], text: string): Event | undefined {
  return events.find(({ payload }) => payload['body'] === text);
}
