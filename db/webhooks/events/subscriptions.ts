import { z } from 'zod';
import { ENDPOINT_STATUSES, ORDERINGS } from '../../../domain/webhooks/endpoint.ts';
import { one } from '../../engine/rows.ts';
import type { NewEvent, Queries } from '../../engine/tx.ts';
import { shardOf } from '../shards/shard-of.ts';

const Subscriber = z.object({
  id: z.string(),
  url: z.string(),
  status: z.enum(ENDPOINT_STATUSES),
  tenantIds: z.array(z.string()).nullable(),
  sessionId: z.string().nullable(),
  events: z.array(z.string()),
  ordering: z.enum(ORDERINGS),
});
/** An endpoint, as far as it matters for which events it gets. */
export interface Subscriber extends z.output<typeof Subscriber> {
  shard: number;
}

/** The fields that decide which endpoints receive an event. */
type Asked = 'event' | 'tenantId' | 'sessionId';

const SubscribersRow = z.object({ version: z.string(), subscribers: z.array(Subscriber) });

/** The endpoints of an agency at one version. */
export class Subscribers {
  readonly version: string;
  readonly all: readonly Subscriber[];
  /** By tenant, session and type, so that one tenant's event costs nothing for the endpoints of the others. */
  readonly #wanting = new Map<string, readonly Subscriber[][]>();
  /** The sessions that have endpoints of their own. */
  readonly #chosen: ReadonlySet<string>;

  constructor(version: string, all: readonly Subscriber[]) {
    this.version = version;
    this.all = all;
    this.#chosen = new Set(all.flatMap(({ sessionId }) => sessionId ?? []));
  }

  /**
   * The endpoints that get the event, grouped by their URLs. In a group only one gets it: an active one, and of several
   * the oldest, unless older deliveries of the lane wait at another one.
   */
  wanting(event: Pick<NewEvent, Asked | 'trialOf' | 'notTo'>): readonly (readonly Subscriber[])[] {
    const { trialOf, notTo, sessionId } = event;
    if (trialOf !== undefined) return byUrl(this.all.filter(({ id }) => id === trialOf));
    // Sessions that have no endpoint of their own are as one, so that what is known stays small.
    const chosen = sessionId !== null && this.#chosen.has(sessionId) ? sessionId : '';
    const key = `${event.event} ${event.tenantId ?? ''} ${chosen}`;
    let wanting = this.#wanting.get(key);
    if (!wanting) {
      wanting = byUrl(this.all.filter((each) => wants(each, event)));
      this.#wanting.set(key, wanting);
    }
    if (notTo === undefined) return wanting;
    return wanting.map((group) => group.filter(({ id }) => id !== notTo)).filter(({ length }) => length > 0);
  }
}

function wants(by: Subscriber, { event, tenantId, sessionId }: Pick<NewEvent, Asked>): boolean {
  if (!by.events.includes(event) || (by.sessionId !== null && by.sessionId !== sessionId)) return false;
  return by.tenantIds === null || (tenantId !== null && by.tenantIds.includes(tenantId));
}

/**
 * Groups endpoints by their URLs, the active ones of each group first. A session's endpoints are separate: the holder
 * of its key must not take over the deliveries of the agency's endpoint with the same URL.
 */
function byUrl(found: readonly Subscriber[]): Subscriber[][] {
  const groups = [...Map.groupBy(found, ({ url, sessionId }) => `${sessionId ?? ''} ${url}`).values()];
  return groups.map((group) => group.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active')));
}

const MAX_SUBSCRIBERS = 50_000;

/** Caches the endpoints of agencies. Each write asks the database whether the cache is still valid. */
export class Subscriptions {
  readonly #known = new Map<string, Subscribers>();
  #count = 0;

  of(agencyId: string): Subscribers | undefined {
    return this.#known.get(agencyId);
  }

  /** Reads the endpoints of the agency, the oldest first. */
  async read(queries: Queries, agencyId: string): Promise<Subscribers> {
    const { version, subscribers } = await one(queries, SubscribersRow)`
      select coalesce((select version from endpoint_version where agency_id = ${agencyId}), 0)::text as version,
        coalesce((select jsonb_agg(jsonb_build_object('id', e.id, 'url', e.url, 'status', e.status,
            'tenantIds', e.tenant_ids, 'sessionId', e.session_id, 'events', e.events, 'ordering', e.ordering)
            order by e.created_at, e.id)
          from endpoint e where e.agency_id = ${agencyId} and e.deleted_at is null), '[]') as subscribers`;
    const all = subscribers.map((each) => ({ ...each, shard: shardOf(each.id) }));
    const known = new Subscribers(version, all);
    this.forget(agencyId);
    this.#known.set(agencyId, known);
    this.#count += all.length;
    for (const [oldest] of this.#known) {
      if (this.#count <= MAX_SUBSCRIBERS || oldest === agencyId) break;
      this.forget(oldest);
    }
    return known;
  }

  forget(agencyId: string): void {
    this.#count -= this.#known.get(agencyId)?.all.length ?? 0;
    this.#known.delete(agencyId);
  }
}
