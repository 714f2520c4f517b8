import { z } from 'zod';

export const RouteFault = z.object({
  /** A segment of the path under /api, such as sendText or overview; `*` = every backend route. */
  route: z.string(),
  /**
   * These faults strike before the call is processed: `status500`, `plusOnly` (the 422 of a feature that only the paid
   * edition has), `hang` (never answers), `drop` (destroys the connection), `slow` (waits `delayMs`, then goes on), `hold` (waits until
   * the fault is ended, then goes on). These strike after it: `status500After`, `hangAfter`, `dropAfter`.
   */
  kind: z.enum(['status500', 'status500After', 'plusOnly', 'hang', 'hangAfter', 'drop', 'dropAfter', 'slow', 'hold']),
  count: z.number().int().min(1).default(1),
  delayMs: z.number().min(0).default(1000),
  /** Limits the fault to calls of this session. */
  session: z.string().optional(),
  /** Limits the fault to calls whose body names this chat. */
  chatId: z.string().optional(),
  /** The exception's message of a 500. */
  message: z.string().default('rate-overlimit'),
});
export type RouteFault = z.infer<typeof RouteFault>;

/** The faults that the control API has armed against the next calls. */
export class RouteFaults {
  #armed: RouteFault[] = [];
  /** The faults that hold calls now, each with what lets its calls go on. */
  readonly #holding = new Map<RouteFault, PromiseWithResolvers<void>>();
  /** While this is true, every connection to the backend is destroyed. */
  refusing = false;

  /** The faults that strike still, with the calls that each has left. */
  get armed(): readonly RouteFault[] {
    return this.#armed.filter((fault) => fault.count > 0 || this.#holding.has(fault));
  }

  /** Returns the armed one, whose count goes down. */
  arm(fault: RouteFault): RouteFault {
    const armed = { ...fault };
    this.#armed.push(armed);
    return armed;
  }

  clear(): void {
    for (const fault of this.#armed) this.disarm(fault);
    this.refusing = false;
  }

  disarm(fault: RouteFault): void {
    this.#armed = this.#armed.filter((armed) => armed !== fault);
    this.#holding.get(fault)?.resolve();
    this.#holding.delete(fault);
  }

  /** Resolves when the fault is ended. */
  async ended(fault: RouteFault): Promise<void> {
    const held = this.#holding.get(fault) ?? Promise.withResolvers<void>();
    this.#holding.set(fault, held);
    await held.promise;
  }

  /** Returns the fault that hits this call and counts it as used once. */
  take(path: string, { session, chatId }: { session: string | undefined; chatId: unknown }): RouteFault | undefined {
    const segments = path.split('/');
    const found = this.#armed.find(
      (fault) =>
        fault.count > 0 &&
        (fault.route === '*' || segments.includes(fault.route)) &&
        (fault.session ?? session) === session &&
        (fault.chatId ?? chatId) === chatId,
    );
    if (found) found.count -= 1;
    return found;
  }
}
