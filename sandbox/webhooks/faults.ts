import { z } from 'zod';
import type { Random } from '../random.ts';

export const WebhookFault = z.object({
  webhook: z.enum(['duplicate', 'reorder', 'lose']),
  /** How many events it hits; absent = until DELETE /sandbox/faults. */
  count: z.number().int().min(1).optional(),
  /** The share of events it hits, by the seeded generator. */
  probability: z.number().min(0).max(1).default(1),
  /** `reorder`: each event waits up to this long. */
  delayMs: z.number().min(0).default(500),
  /** Only these events; absent = all. */
  events: z.array(z.string()).optional(),
  session: z.string().optional(),
});
export type WebhookFault = z.infer<typeof WebhookFault>;

interface Armed {
  fault: WebhookFault;
  left: number;
}

/** Disorder on the way out, the same for the same seed and the same order of events. */
export class WebhookFaults {
  #armed: Armed[] = [];
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  arm(fault: WebhookFault): void {
    this.#armed.push({ fault, left: fault.count ?? Infinity });
  }

  clear(): void {
    this.#armed = [];
  }

  /** Is this event hit by a fault of that kind? Uses one up if so. */
  hit(kind: WebhookFault['webhook'], event: string, session: string): WebhookFault | undefined {
    const found = this.#armed.find(
      ({ fault, left }) =>
        left > 0 &&
        fault.webhook === kind &&
        (fault.events?.includes(event) ?? true) &&
        (fault.session ?? session) === session &&
        this.random() < fault.probability,
    );
    if (!found) return undefined;
    found.left -= 1;
    return found.fault;
  }
}
