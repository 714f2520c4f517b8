import { z } from 'zod';

export const RouteFault = z.object({
  /** A segment of the path under /api, such as sendText or overview; `*` = every backend route. */
  route: z.string(),
  /**
   * Before the call is processed: `status500`, `plusOnly` (the 422 of a feature that this version is not sold with), `hang` (no answer ever), `drop` (connection destroyed), `slow` (waits
   * `delayMs`, then goes on). After it was processed: `status500After`, `hangAfter`, `dropAfter`.
   */
  kind: z.enum(['status500', 'status500After', 'plusOnly', 'hang', 'hangAfter', 'drop', 'dropAfter', 'slow']),
  count: z.number().int().min(1).default(1),
  delayMs: z.number().min(0).default(1000),
  /** Only calls of this session. */
  session: z.string().optional(),
  /** Only calls whose body names this chat. */
  chatId: z.string().optional(),
  /** The exception's message of a 500. */
  message: z.string().default('rate-overlimit'),
});
export type RouteFault = z.infer<typeof RouteFault>;

/** What the control API has armed against the next calls. */
export class RouteFaults {
  #armed: RouteFault[] = [];
  /** Every backend connection is destroyed as long as this holds. */
  refusing = false;

  arm(fault: RouteFault): void {
    this.#armed.push({ ...fault });
  }

  clear(): void {
    this.#armed = [];
    this.refusing = false;
  }

  /** The fault that hits this call, used up by it. */
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
