import { NotReached } from './errors.ts';
import { MessagesCalls } from './generated/messages/calls.ts';
import type { DeliveryStatus } from './generated/types.ts';
import type { CallOptions } from './options.ts';
import { pause } from './retry.ts';

/** The delivery levels, in this order. */
const LEVELS = ['sent', 'delivered', 'read', 'played'] as const;
export type MessageLevel = (typeof LEVELS)[number];

const ENDED: readonly DeliveryStatus['status'][] = ['failed', 'uncertain', 'cancelled'];
const FIRST_LOOK_MS = 200;
const MAX_LOOK_MS = 2_000;

/** Messages, and waiting for what becomes of one. */
export class MessagesAndWaiting extends MessagesCalls {
  /**
   * Waits until a message has come so far, or further. Throws NotReached when it has ended otherwise, or when `timeoutMs`
   * are over (60,000 when left out).
   */
  async waitFor(messageId: string, level: MessageLevel, options: CallOptions = {}): Promise<DeliveryStatus> {
    const { timeoutMs = 60_000, ...rest } = options;
    const until = performance.now() + timeoutMs;
    const enough: readonly DeliveryStatus['status'][] = LEVELS.slice(LEVELS.indexOf(level));
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 1.5, MAX_LOOK_MS)) {
      const delivery = await this.readStatus(messageId, {}, rest);
      if (enough.includes(delivery.status)) return delivery;
      const leftMs = until - performance.now();
      if (ENDED.includes(delivery.status) || leftMs <= 0) throw new NotReached(level, delivery);
      await pause(Math.min(lookMs, leftMs), rest.signal);
    }
  }
}
