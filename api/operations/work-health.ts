import type { Database } from '../../db/database.ts';
import { readEngineWork } from '../../db/operations/engine-status.ts';
import { delaysOf } from '../../domain/operations/delays.ts';
import type { Delay } from '../../domain/operations/delays.ts';
import type { EngineWork } from '../../domain/operations/engine-work.ts';
import type { HealthCheck } from '../wire/health.ts';

/** Load balancers, scrapes and consoles ask several times in this time, and one answer does for all of them. */
const KEPT_AT_LEAST_MS = 5_000;
/** A large backlog takes long to count, so that counting it must not add to what causes it. */
const KEPT_TIMES_AS_LONG = 20;
/** An older answer would hide from a person what began meanwhile. */
const KEPT_AT_MOST_MS = 30_000;

interface Kept {
  work: Promise<EngineWork>;
  /** Infinite while it is being read. */
  untilMs: number;
}

const keptWork = new WeakMap<Database, Kept>();

/**
 * Reads how the work of all tenants stands. All readers of a process share one read: it is kept for five seconds, or
 * for twenty times as long as it took, up to half a minute.
 */
export function readWork(database: Database): Promise<EngineWork> {
  const known = keptWork.get(database);
  if (known && known.untilMs > performance.now()) return known.work;
  const startedAtMs = performance.now();
  const kept: Kept = { work: database.read((queries) => readEngineWork(queries)), untilMs: Infinity };
  keptWork.set(database, kept);
  kept.work.then(
    () => {
      const endedAtMs = performance.now();
      const costsMs = (endedAtMs - startedAtMs) * KEPT_TIMES_AS_LONG;
      kept.untilMs = endedAtMs + Math.min(Math.max(KEPT_AT_LEAST_MS, costsMs), KEPT_AT_MOST_MS);
    },
    () => keptWork.delete(database),
  );
  return kept.work;
}

/**
 * Says whether the engine keeps up. It is never required, because a process that is taken out of service would leave
 * the others with even more to do.
 */
export function workCheck(database: Database): HealthCheck {
  return {
    name: 'work',
    required: false,
    async check() {
      const work = await readWork(database);
      const delays = delaysOf(work);
      const { untriedMessages, owed, owedToPeople, promises, unappliedEvents, untriedDeliveries } = work;
      return {
        reason: delays.length === 0 ? null : `work is late: ${delays.map(words).join(', ')}`,
        details: { untriedMessages, owed, owedToPeople, promises, unappliedEvents, untriedDeliveries },
        delays,
      };
    },
  };
}

const NAMES: Readonly<Record<Delay['work'], string>> = {
  messages: 'messages that nobody tried',
  answers: 'answers of the agent',
  promises: 'promises to Temporal',
  events_in: 'events of backends',
  events_out: 'events to dashboards',
};

const words = ({ work, seconds }: Delay): string => `${NAMES[work]} (oldest ${Math.round(seconds)} s)`;
