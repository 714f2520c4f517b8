import type { Database } from '../../db/engine/database.ts';
import type { WrittenOutcomes } from '../../db/webhooks/shards/outcomes.ts';
import { tellEndpointWorkflow } from '../../db/webhooks/endpoint-workflow.ts';
import { noteEndpoint } from '../../db/webhooks/notices.ts';

/** Some endpoints begin and cease to fail all the time, so such a change alone is told no more often than this. */
const TELL_EVERY_MS = 10_000;

/**
 * Tells an endpoint's owner and its execution that the endpoint's state has changed, or that it began or ceased to
 * fail.
 */
export class EndpointNews {
  readonly #database: Pick<Database, 'transaction'>;
  readonly #endpointId: string;
  #isUntold = false;
  #toldAtMs = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Pick<Database, 'transaction'>, endpointId: string) {
    this.#database = database;
    this.#endpointId = endpointId;
  }

  /** Tells a change at once, or with the next one, or when it is time again. */
  async hear(news: WrittenOutcomes['noted'][number]['news']): Promise<void> {
    if (news !== null) this.#isUntold = true;
    if (!this.#isUntold) return;
    const waitMs = news === 'state' ? 0 : this.#toldAtMs + TELL_EVERY_MS - performance.now();
    if (waitMs <= 0) await this.tell();
    else this.#timer ??= setTimeout(() => void this.tell(), waitMs).unref();
  }

  /** Tells the change that was not told yet. */
  async tell(): Promise<void> {
    if (!this.#isUntold) return;
    this.#isUntold = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#toldAtMs = performance.now();
    await this.#database
      .transaction(async (tx) => {
        await noteEndpoint(tx, this.#endpointId);
        await tellEndpointWorkflow(tx, this.#endpointId);
      })
      // The reconcile tells later what could not be told here.
      .catch(() => undefined);
  }
}
