import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { cpuMs } from '../cpu.ts';
import { memoryMb } from '../fleet/memory-use.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';
import { agencyOf, layAgencies, openDatabase } from '../webhook-ground.ts';
import { writeEvents } from '../write-events.ts';
import { Readers } from './readers.ts';
import type { Arrivals } from './readers.ts';

const AGENCIES = 5;
const STREAMS = 1_000;
const EVENTS_PER_SECOND = 200;
const MAX_P95_MS = 100;
const MAX_KB_EACH = 60;
/** Streams that open and close first, so that the process's own memory does not count to the measured streams. */
const WARM_STREAMS = 100;
const WARM_S = 2;
/** A new writer hears within so many seconds that somebody waits for its events; until then they are found by looks. */
const HEARD_WITHIN_S = 11;
const REST_S = 5;
const PATIENCE_MS = 30_000;

/** Measures streams that all show everything of their agency, so that each event goes to a fifth of them. */
export async function stream(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const { databaseUrl } = machine;
  const engine = await machine.startEngine('api');
  const database = await openDatabase(databaseUrl, 2);
  let readers: Readers | undefined;
  try {
    const tenants = await layAgencies(database, AGENCIES);
    const load = { databaseUrl, streams: [{ tenants, transactionsPerSecond: EVENTS_PER_SECOND, eventsEach: 1 }] };
    const urls = Array.from({ length: STREAMS }, (_, number) => {
      const agencyId = agencyOf(tenants[number % AGENCIES] ?? 0);
      return `${engine.url}/api/v1/events/stream?agencyId=${agencyId}`;
    });
    const open = (some: string[]) => Readers.open({ urls: some, headers: { 'x-api-key': MASTER_KEY } });
    const warm = await open(urls.slice(0, WARM_STREAMS));
    await writeEvents({ ...load, seconds: WARM_S, firstIndex: 0 });
    await warm.close();
    await pause(1_000);

    const before = memoryMb(engine.pid);
    readers = await open(urls);
    const rest = await used(machine, engine.pid, () => pause(REST_S * 1_000));
    const kbEach = ((memoryMb(engine.pid) - before) * 1_024) / STREAMS;
    const firstIndex = 1_000_000;
    const busy = await used(machine, engine.pid, () =>
      writeEvents({ ...load, seconds: HEARD_WITHIN_S + seconds, firstIndex }),
    );
    const { written } = busy.value;
    const arrivals = await settled(readers, written.length);
    const measured = written.filter(({ index }) => index >= firstIndex + HEARD_WITHIN_S * EVENTS_PER_SECOND);
    const ages = agesOf(arrivals, await idsOf(databaseUrl, firstIndex), measured);
    const kbBusy = ((memoryMb(engine.pid) - before) * 1_024) / STREAMS;

    const p95 = percentile(ages, 0.95);
    const name = `${STREAMS.toLocaleString('en')} streams`;
    return [
      {
        path: `stream: commit to reader, ${name}, ${EVENTS_PER_SECOND} events/s`,
        measured: `p50 ${round(median(ages))} ms, p95 ${round(p95)} ms, p99 ${round(percentile(ages, 0.99))} ms (${ages.length})`,
        baseline: '',
        ratio: null,
        aim: `p95 ≤ ${MAX_P95_MS} ms`,
        met: p95 <= MAX_P95_MS,
      },
      {
        path: `stream: memory of each of ${name}`,
        measured: `${round(kbEach)} KB at rest, ${round(kbBusy)} KB after ${EVENTS_PER_SECOND} events/s`,
        baseline: '',
        ratio: null,
        aim: `≤ ${MAX_KB_EACH} KB`,
        met: kbEach <= MAX_KB_EACH && kbBusy <= MAX_KB_EACH,
      },
      {
        path: `stream: CPU of ${name}`,
        measured: `${shown(busy)} at ${EVENTS_PER_SECOND} events/s, ${shown(rest)} at rest`,
        baseline: '',
        ratio: null,
        aim: 'published',
        met: true,
      },
    ];
  } finally {
    await readers?.close();
    await database.close();
    await engine.stop();
  }
}

interface Used<T> {
  value: T;
  /** For one second of one core, in percent. */
  api: number;
  postgres: number;
}

async function used<T>(machine: Machine, pid: number, work: () => Promise<T>): Promise<Used<T>> {
  const [api, postgres, at] = [cpuMs(pid), machine.cpuMs().postgres, performance.now()];
  const value = await work();
  const elapsed = performance.now() - at;
  return {
    value,
    api: ((cpuMs(pid) - api) / elapsed) * 100,
    postgres: ((machine.cpuMs().postgres - postgres) / elapsed) * 100,
  };
}

const shown = ({ api, postgres }: Used<unknown>): string =>
  `${round(api, 0)} % of a core, PostgreSQL ${round(postgres, 0)} %`;

/** Returns what the readers were sent, once they have had so many events, each by all streams of its agency. */
async function settled(readers: Readers, events: number): Promise<Arrivals> {
  const wanted = events * (STREAMS / AGENCIES);
  const all: Arrivals = new Map();
  const until = performance.now() + PATIENCE_MS;
  let count = 0;
  while (count < wanted) {
    if (performance.now() > until) throw new Error(`Only ${count} of ${wanted} frames have come.`);
    await pause(100);
    for (const [id, times] of await readers.take()) {
      all.set(id, [...(all.get(id) ?? []), ...times]);
      count += times.length;
    }
  }
  if (count > wanted) throw new Error(`${count} frames have come, and ${wanted} were told.`);
  return all;
}

/** By the ids of events, their numbers in the bench: a stream has no bodies. */
async function idsOf(databaseUrl: string, firstIndex: number): Promise<Map<string, number>> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; index: number }>(`
    select id, substr(body::json->'payload'->>'messageId', 11)::int as index from event
    where substr(body::json->'payload'->>'messageId', 11)::int >= ${firstIndex}`);
  await client.end();
  return new Map(rows.map(({ id, index }) => [id, index]));
}

function agesOf(
  arrivals: Arrivals,
  ids: ReadonlyMap<string, number>,
  written: readonly { index: number; committedAt: number }[],
): number[] {
  const committed = new Map(written.map(({ index, committedAt }) => [index, committedAt]));
  return [...arrivals].flatMap(([id, times]) => {
    const at = committed.get(ids.get(id) ?? -1);
    return at === undefined ? [] : times.map((time) => time - at);
  });
}
