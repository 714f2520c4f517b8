import { z } from 'zod';
import { call } from '../../demo/call.ts';
import type { MessageStatus } from '../../../domain/sending/message.ts';
import type { Ground } from '../ground.ts';
import type { Accepted } from './ledger.ts';

const Passport = z.object({
  status: z.string(),
  history: z.array(z.object({ status: z.string(), reason: z.string().nullable() })),
});
export type Passport = z.infer<typeof Passport>;

const READERS = 8;
const UNDER_WAY: readonly MessageStatus[] = ['scheduled', 'queued', 'sending'];

export const isUnderWay = ({ status }: Passport): boolean => UNDER_WAY.some((each) => each === status);

/** Returns the engine's reason for a message's present status. */
export function reasonOf({ status, history }: Passport): string | null {
  return history.findLast((entry) => entry.status === status)?.reason ?? null;
}

/** Reads each message's passport, as a dashboard does. */
export async function readPassports(
  { machine }: Ground,
  messages: readonly Accepted[],
): Promise<Map<string, Passport>> {
  const waiting = [...messages];
  const read = new Map<string, Passport>();
  const reader = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { messageId, request } = next;
      const { key } = request.account;
      const { body } = await call(machine.url, 'GET', `/api/v1/inbox/messages/${messageId}/status`, { key });
      read.set(messageId, Passport.parse(body));
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return read;
}
