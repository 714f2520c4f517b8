import { z } from 'zod';
import { Engine } from '../../../packages/typescript/src/index.ts';
import { aKeyOf, anAgency } from '../agency.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';

const LOOPS = 16;
/** Many short ones, because what else the machine does changes from second to second. */
const ROUNDS = 9;
const AIM = 0.9;
/** The recipients who are known already, so that a later round writes no more rows than the first. */
const KNOWN = 50;
const Sent = z.object({ messageId: z.string() });

/** One request, and the reading of its answer. */
type Ask = (index: number) => Promise<unknown>;

interface Given {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

interface Read {
  perSecond: number;
  cpuUs: number;
}

/**
 * Measures what the client costs whoever uses it: the same sends and reads by it and by a bare `fetch` with a key and JSON,
 * which take turns on one API. The session is not connected, so sends become rows and nothing is started.
 */
export async function client(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const api = await machine.startEngine('api');
  try {
    const session = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    const key = await aKeyOf(api.url, session);
    const engine = new Engine({ url: api.url, key });
    const bare = async (path: string, init: Given = {}): Promise<unknown> => {
      const headers = { ...init.headers, 'x-api-key': key };
      const response = await fetch(api.url + path, { ...init, headers });
      if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
      return response.json();
    };
    const { messageId } = Sent.parse(await bare('/api/v1/messages/send', initOf(0)));
    const status = `/api/v1/inbox/messages/${messageId}/status`;
    const sends = await compare(seconds, {
      own: (index) => engine.messages.send(bodyOf(index)),
      bare: (index) => bare('/api/v1/messages/send', initOf(index)),
    });
    const reads = await compare(seconds, {
      own: () => engine.messages.readStatus(messageId),
      bare: () => bare(status),
    });
    return [row('sends', sends), row('reads of a status', reads)];
  } finally {
    await api.stop();
  }
}

const bodyOf = (index: number) => ({ to: `+1555${2_001_000 + (index % KNOWN)}`, text: `message ${index}` });

/** The same as the client sends: an own key for each send. */
function initOf(index: number): Given {
  const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
  return { method: 'POST', headers, body: JSON.stringify(bodyOf(index)) };
}

interface Compared {
  own: Read;
  bare: Read;
  ratio: number;
}

async function compare(seconds: number, ways: { own: Ask; bare: Ask }): Promise<Compared> {
  for (const ask of Object.values(ways)) await loops(ask, 1);
  const roundSeconds = seconds / 3;
  const own: Read[] = [];
  const bare: Read[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    bare.push(await loops(ways.bare, roundSeconds));
    own.push(await loops(ways.own, roundSeconds));
  }
  // Compare within each round: its two ways had the same neighbours.
  const ratios = own.map(({ perSecond }, index) => perSecond / (bare[index]?.perSecond ?? 0));
  return { own: middle(own), bare: middle(bare), ratio: median(ratios) };
}

async function loops(ask: Ask, seconds: number): Promise<Read> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let count = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() < until) await ask(count++);
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: count / ((performance.now() - startedAt) / 1_000), cpuUs: (user + system) / count };
}

function middle(reads: readonly Read[]): Read {
  return {
    perSecond: median(reads.map(({ perSecond }) => perSecond)),
    cpuUs: median(reads.map(({ cpuUs }) => cpuUs)),
  };
}

function row(what: string, { own, bare, ratio }: Compared): Result {
  const shown = ({ perSecond, cpuUs }: Read): string => `${round(perSecond, 0)} /s, ${round(cpuUs, 0)} µs of CPU each`;
  return {
    path: `client, ${what} (${LOOPS} at a time)`,
    measured: shown(own),
    baseline: `bare fetch ${shown(bare)}`,
    ratio,
    aim: `≥ ${AIM}`,
    met: ratio >= AIM,
  };
}
