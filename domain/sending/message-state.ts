import type { MessageStatus } from './message.ts';

const SENT: ReadonlySet<MessageStatus> = new Set(['sent', 'delivered', 'read', 'played']);
/** States in which the send is over, whatever acks may still add. */
const ENDED: ReadonlySet<MessageStatus> = new Set([...SENT, 'failed', 'uncertain', 'cancelled']);

/** True once nothing more will be done to send the message; its successor may go. */
export function hasEnded(status: MessageStatus): boolean {
  return ENDED.has(status);
}

/** True once the network has it. */
export function wasSent(status: MessageStatus): boolean {
  return SENT.has(status);
}

/** A send that has sat in the queue for longer is worthless; in milliseconds. */
export const EXPIRES_AFTER_MS = { default: 24 * 60 * 60_000, ai: 15 * 60_000 } as const;

/** How far ahead a send may be scheduled, in milliseconds. */
export const SCHEDULE_WITHIN_MS = 366 * 24 * 60 * 60_000;

/** The call to the backend must begin within this time of the claim, else the claim is given up. */
export const CLAIM_VALID_MS = 2_000;

/** How long a local activity waits for the backend before the process keeps the call and the workflow goes on. */
export const CALL_WAIT_MS = 4_000;

/** How long a delivered ack is watched after `sent`; later acks are rows only. */
export const ACK_WATCH_MS = 120_000;

/** How long a message of unknown outcome is open for what the network or an operator may still say of it. */
export const UNCERTAIN_OPEN_MS = 72 * 60 * 60_000;

/** Why nobody has heard the answer to a call: it decides how long the backend may still be at it. */
export const LOST_CAUSES = ['error_answer', 'broken_connection', 'timeout'] as const;
export type LostCause = (typeof LOST_CAUSES)[number];

/** How long a chat read must wait before its "not there" is believed: until then the backend may still be sending. */
export interface SettleDelays {
  afterErrorAnswerMs: number;
  afterBrokenConnectionMs: number;
  /** The backend may be at a file this long after its claim, whoever has stopped waiting for it. */
  longestFileCallMs: number;
}

/** The longest that a call to the backend may take: one with a file, in all the ways that are tried. */
export const MAX_CALL_MS = 180_000;
