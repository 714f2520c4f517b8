import { z } from 'zod';
import { Trigger } from '../../domain/automations/trigger.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/** Another release may have written a trigger that this one does not know. */
const EnabledRow = z.object({ id: z.string(), tenantId: z.string(), trigger: z.unknown() });

/** An automation that is switched on, as far as it matters for which events start it. */
export interface Enabled {
  id: string;
  tenantId: string;
  trigger: Trigger;
}

interface Known {
  automations: readonly Enabled[];
  readAtMs: number;
}

/** A process misses a change if its author could not notify; it then learns the change within this time. */
const KNOWN_FOR_MS = 10_000;
/** More tenants than a process hears of within that time. */
const MAX_TENANTS = 20_000;

/**
 * Caches the automations that tenants have enabled, so that an event which starts none needs no query. A tenant of a
 * large agency costs as much as a tenant of a small one.
 */
export class EnabledAutomations {
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #onError: (error: unknown) => void;
  #tenants = 0;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /**
   * Answers the automations that are switched on, by tenant; a tenant without any is left out. At first and from time
   * to time they are read, all that are missing in one statement.
   */
  async of(
    queries: Queries,
    agencyId: string,
    tenantIds: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, readonly Enabled[]>> {
    const now = performance.now();
    const missing = [...tenantIds].filter((tenantId) => {
      const known = this.#known.get(agencyId)?.get(tenantId);
      return known === undefined || now - known.readAtMs >= KNOWN_FOR_MS;
    });
    if (missing.length > 0) this.#learn(agencyId, missing, await this.#read(queries, agencyId, missing));
    const ofAgency = this.#known.get(agencyId);
    return new Map(
      [...tenantIds].flatMap((tenantId) => {
        const automations = ofAgency?.get(tenantId)?.automations ?? [];
        return automations.length > 0 ? [[tenantId, automations] as const] : [];
      }),
    );
  }

  forget(agencyId: string): void {
    this.#tenants -= this.#known.get(agencyId)?.size ?? 0;
    this.#known.delete(agencyId);
  }

  #learn(agencyId: string, tenantIds: readonly string[], automations: readonly Enabled[]): void {
    // Forgetting all costs one read for each tenant that is heard of again.
    if (this.#tenants + tenantIds.length > MAX_TENANTS) {
      this.#known.clear();
      this.#tenants = 0;
    }
    const byTenant = Map.groupBy(automations, ({ tenantId }) => tenantId);
    const ofAgency = this.#known.get(agencyId) ?? new Map<string, Known>();
    this.#known.set(agencyId, ofAgency);
    this.#tenants -= ofAgency.size;
    const readAtMs = performance.now();
    for (const tenantId of tenantIds) ofAgency.set(tenantId, { automations: byTenant.get(tenantId) ?? [], readAtMs });
    this.#tenants += ofAgency.size;
  }

  /** An automation whose trigger cannot be read is left out, because otherwise its tenant would receive no message. */
  async #read(queries: Queries, agencyId: string, tenantIds: readonly string[]): Promise<Enabled[]> {
    const found = await rows(queries, EnabledRow)`
      select id, tenant_id as "tenantId", trigger from automation
      where agency_id = ${agencyId} and tenant_id = any(${[...tenantIds]}::text[]) and enabled
      order by created_at, id`;
    return found.flatMap(({ id, tenantId, trigger: written }) => {
      const trigger = Trigger.safeParse(written);
      if (trigger.success) return [{ id, tenantId, trigger: trigger.data }];
      this.#onError(new Error(UNREADABLE(id), { cause: trigger.error }));
      return [];
    });
  }
}

const UNREADABLE = (id: string): string =>
  `No event starts automation ${id}, because this release cannot read its trigger. Set the automation again.`;
