import type { MessageStatus } from './message.ts';

/** States in which the send is over, whatever acks may still add. */
const ENDED: ReadonlySet<MessageStatus> = new Set([
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
  'uncertain',
  'cancelled',
]);

/** True once nothing more will be done to send the message; its successor may go. */
export function hasEnded(status: MessageStatus): boolean {
  return ENDED.has(status);
}

/** How long a send may sit in the queue before it is worthless, in milliseconds. */
export const EXPIRES_AFTER_MS = { default: 24 * 60 * 60_000, ai: 15 * 60_000 } as const;

/** The call to the backend must begin within this time of the claim, else the claim is given up. */
export const CLAIM_VALID_MS = 2_000;

/** How long a local activity waits for the backend before the process keeps the call and the workflow goes on. */
export const CALL_WAIT_MS = 4_000;

/** How long a delivered ack is watched after `sent`; later acks are rows only. */
export const ACK_WATCH_MS = 120_000;

/** What a chat read must wait for before "not there" is believed (design 6.1.7), in milliseconds. */
export interface SettleDelays {
  afterErrorAnswerMs: number;
  afterBrokenConnectionMs: number;
}
