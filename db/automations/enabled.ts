import { z } from 'zod';
import { Trigger } from '../../domain/automations/trigger.ts';
import { rows } from '../rows.ts';
import type { Queries } from '../tx.ts';

const EnabledRow = z.object({ id: z.string(), tenantId: z.string(), trigger: Trigger });
/** An automation that is switched on, as far as it matters for which events start it. */
export type Enabled = z.output<typeof EnabledRow>;

interface Known {
  byTenant: ReadonlyMap<string, readonly Enabled[]>;
  readAtMs: number;
}

/** What a process does not hear of, such as a change by a process that could not notify, it learns within this time. */
const KNOWN_FOR_MS = 10_000;
const MAX_AGENCIES = 10_000;

/**
 * What a process knows of the automations that agencies have switched on, so that an event which starts none costs the
 * database nothing.
 */
export class EnabledAutomations {
  readonly #known = new Map<string, Known>();

  /**
   * Answers the automations of an agency that are switched on, by their tenants; at first and from time to time they
   * are read.
   */
  async of(queries: Queries, agencyId: string): Promise<ReadonlyMap<string, readonly Enabled[]>> {
    const known = this.#known.get(agencyId);
    if (known && performance.now() - known.readAtMs < KNOWN_FOR_MS) return known.byTenant;
    const automations = await rows(queries, EnabledRow)`
      select id, tenant_id as "tenantId", trigger from automation
      where agency_id = ${agencyId} and enabled order by created_at, id`;
    const byTenant = Map.groupBy(automations, ({ tenantId }) => tenantId);
    this.#known.delete(agencyId);
    this.#known.set(agencyId, { byTenant, readAtMs: performance.now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_AGENCIES && oldest !== undefined) this.#known.delete(oldest);
    return byTenant;
  }

  forget(agencyId: string): void {
    this.#known.delete(agencyId);
  }
}
