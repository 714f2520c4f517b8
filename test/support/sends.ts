import { z } from 'zod';
import { call } from './client.ts';
import type { Agency } from './client.ts';
import type { TestEngine } from './engine.ts';
import { eventually } from './eventually.ts';

const Accepted = z.object({ messageId: z.string(), conversationId: z.string(), contactId: z.string().nullable() });
export type Accepted = z.infer<typeof Accepted>;

/** Sends a text with the scoped key and insists on 202. */
export async function send(engine: TestEngine, agency: Agency, to: string, text: string): Promise<Accepted> {
  const answer = await call(engine, 'POST', '/api/v1/messages/send', { key: agency.scopedKey, body: { to, text } });
  if (answer.status !== 202) throw new Error(`The send was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return Accepted.parse(answer.body);
}

const Passport = z.object({
  status: z.string(),
  ack: z.number().nullable(),
  attempts: z.number(),
  error: z.object({ code: z.string(), message: z.string().nullable() }).optional(),
  history: z.array(z.object({ status: z.string(), at: z.string(), reason: z.string().nullable() })),
  workflowId: z.string().nullable(),
  timestamps: z.record(z.string(), z.string().nullable()),
});
export type Passport = z.infer<typeof Passport>;

export async function passportOf(engine: TestEngine, agency: Agency, messageId: string): Promise<Passport> {
  const answer = await call(engine, 'GET', `/api/v1/inbox/messages/${messageId}/status`, { key: agency.scopedKey });
  return Passport.parse(answer.body);
}

/** The acks of the network may come so fast that nobody sees the states before the last. */
const LEVELS = ['sent', 'delivered', 'read', 'played'];

function hasReached(status: string, wanted: string): boolean {
  return status === wanted || (LEVELS.includes(wanted) && LEVELS.indexOf(status) > LEVELS.indexOf(wanted));
}

/** Waits until the message has one of the states, or has passed one of the network's, and returns its passport. */
export async function untilStatus(
  engine: TestEngine,
  agency: Agency,
  messageId: string,
  ...statuses: string[]
): Promise<Passport> {
  let last = '';
  try {
    return await eventually(async () => {
      const passport = await passportOf(engine, agency, messageId);
      last = JSON.stringify(passport.history.map(({ status, reason }) => [status, reason]));
      return statuses.some((wanted) => hasReached(passport.status, wanted)) ? passport : undefined;
    });
  } catch {
    throw new Error(`Waited in vain for ${messageId} to be ${statuses.join(' or ')}; its history is ${last}.`);
  }
}

export const statusesOf = (passport: Passport): string[] => passport.history.map(({ status }) => status);
