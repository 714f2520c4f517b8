import { z } from 'zod';
import type { Random } from '../random.ts';

export const WebhookFault = z.object({
  /** `silent` keeps a session's events back until it is restarted, as one does that says WORKING and is dead. */
  webhook: z.enum(['duplicate', 'reorder', 'lose', 'silent']),
  /** The number of events that the fault hits; without it the fault lasts until `DELETE /sandbox/faults`. */
  count: z.number().int().min(1).optional(),
  /** The share of events that the fault hits, by the seeded generator. */
  probability: z.number().min(0).max(1).default(1),
  /** With `reorder` each event waits up to this long. */
  delayMs: z.number().min(0).default(500),
  /** Limits the fault to these events; without it the fault hits all events. */
  events: z.array(z.string()).optional(),
  session: z.string().optional(),
});
export type WebhookFault = z.infer<typeof WebhookFault>;

interface Armed {
  fault: WebhookFault;
  /** Infinity for a fault that lasts until it is ended. */
  left: number;
}

/** Duplicates, reorders and loses webhooks, in the same way for the same seed and the same order of events. */
export class WebhookFaults {
  #armed: Armed[] = [];
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  /** The faults that strike still, with the events that each has left. */
  get armed(): readonly Armed[] {
    return this.#armed.filter(({ left }) => left > 0);
  }

  arm(fault: WebhookFault): void {
    this.#armed.push({ fault, left: fault.count ?? Infinity });
  }

  clear(): void {
    this.#armed = [];
  }

  disarm(fault: WebhookFault): void {
    this.#armed = this.#armed.filter((armed) => armed.fault !== fault);
  }

  endSilence(session: string): void {
    this.#armed = this.#armed.filter(
      ({ fault }) => fault.webhook !== 'silent' || (fault.session ?? session) !== session,
    );
  }

  /** Returns the fault of that kind that hits this event, if any, and counts it as used once. */
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
