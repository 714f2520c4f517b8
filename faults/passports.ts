import { z } from 'zod';
import type { MessageStatus } from '../domain/message.ts';
import type { Ground } from './ground.ts';
import type { Accepted } from './ledger.ts';

const Passport = z.object({
  status: z.string(),
  history: z.array(z.object({ status: z.string(), reason: z.string().nullable() })),
});
export type Passport = z.infer<typeof Passport>;

const READERS = 8;
const UNDER_WAY: readonly MessageStatus[] = ['scheduled', 'queued', 'sending'];

export const isUnderWay = ({ status }: Passport): boolean => UNDER_WAY.some((each) => each === status);

/** Reads what the engine says of the messages. */
export async function readPassports(ground: Ground, messages: readonly Accepted[]): Promise<Map<string, Passport>> {
  const waiting = [...messages];
  const read = new Map<string, Passport>();
  const reader = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      read.set(next.messageId, Passport.parse(await ground.passport(next.messageId)));
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  return read;
}
