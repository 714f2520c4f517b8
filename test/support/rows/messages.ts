import { addRows, findRow } from './statements.ts';
import type { Held, NewRow } from './statements.ts';
import { databaseNow } from './values.ts';

type Told = { id: string } & Partial<NewRow<'message'>>;

/** Adds that many messages of a conversation, made from 1: texts that its contact wrote now, but for what each says. */
export async function addMessages(
  held: Held,
  conversationId: string,
  count: number,
  make: (n: number) => Told,
): Promise<void> {
  const columns = ['agencyId', 'tenantId', 'sessionId', 'contactId'] as const;
  const of = await findRow(held, 'conversation', { id: conversationId }, columns);
  const received = { direction: 'in', origin: 'network', kind: 'text', occurredAt: databaseNow, status: 'received' };
  await addRows(held, 'message', count, (n) => ({ ...of, conversationId, ...received, ...make(n) }));
}

export async function addMessage(held: Held, conversationId: string, message: Told): Promise<void> {
  await addMessages(held, conversationId, 1, () => message);
}
