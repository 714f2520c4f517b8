import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/engine/database.ts';
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

/** A health check fails after two seconds, and a read that is slow does not mean that work is late. */
const WAITS_MS = 1_000;
/** From this age on an answer says nothing about the present, so all wait for the new one. */
const STANDS_IN_MS = 120_000;

interface Kept {
  work: EngineWork;
  readAtMs: number;
  untilMs: number;
}

interface Reads {
  /** The last answer. */
  kept?: Kept;
  /** The read that is under way. */
  reading: Promise<EngineWork> | null;
}

const readsOf = new WeakMap<Database, Reads>();

/**
 * Reads how the work of all tenants stands. All readers of a process share one read: it is kept for five seconds, or
 * for twenty times as long as it took, up to half a minute. While the next read takes long, the last answer stands in.
 */
export async function readWork(database: Database): Promise<EngineWork> {
  const reads = readsOf.get(database) ?? { reading: null };
  readsOf.set(database, reads);
  const { kept } = reads;
  const nowMs = performance.now();
  if (kept && kept.untilMs > nowMs) return kept.work;
  reads.reading ??= readAnew(database, reads);
  if (!kept || kept.readAtMs + STANDS_IN_MS < nowMs) return reads.reading;
  return Promise.race([reads.reading, pause(WAITS_MS, kept.work, { ref: false })]);
}

async function readAnew(database: Database, reads: Reads): Promise<EngineWork> {
  const startedAtMs = performance.now();
  try {
    const work = await database.read((queries) => readEngineWork(queries));
    const readAtMs = performance.now();
    const costsMs = (readAtMs - startedAtMs) * KEPT_TIMES_AS_LONG;
    const keptForMs = Math.min(Math.max(KEPT_AT_LEAST_MS, costsMs), KEPT_AT_MOST_MS);
    reads.kept = { work, readAtMs, untilMs: readAtMs + keptForMs };
    return work;
  } finally {
    reads.reading = null;
  }
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
