import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { aKeyOf, anAgency } from '../agency.ts';
import { cpuMs } from '../cpu.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';

const MEBIBYTE = 1_048_576;
const TIMES = 20;
const MAX_CPU_MS = 50;
const MAX_DELAY_MS = 50;
const LOOK_EVERY_MS = 5;
/** The counter of CPU time has steps of ten milliseconds, so an idle time of this length is taken off. */
const IDLE_MS = 2_000;

/** As many unknown names as the shape of a body allows, in each row of a list that the schema looks into. */
function namesInRows(): string {
  const names = Array.from({ length: 18 }, (_, n) => `"${'tittle'.repeat(7)}${n}":0`).join(',');
  const rows = Array.from({ length: 50 }, () => `{${names}}`).join(',');
  const sections = Array.from({ length: 20 }, () => `{"rows":[${rows}]}`).join(',');
  return `{"to":"15550170001","message":{"title":"x","button":"x","sections":[${sections}]}}`;
}

const filled = (unit: string, [before, after]: [string, string]): string =>
  before + unit.repeat(Math.floor((MEBIBYTE - before.length - after.length - 64) / unit.length)) + after;

/** Bodies of a mebibyte, or nearly, that no route takes. The last one is the worst that comes to a schema. */
const SHAPES: Record<string, string> = {
  'names, all of them unknown': `{${Array.from({ length: 60_000 }, (_, n) => `"tekst${n}":0`).join(',')}}`,
  'items of a list': `{"attachments":[${Array.from({ length: 300_000 }, () => '{}').join(',')}]}`,
  'a single word': filled('x', ['{"to":"', '"}']),
  'an unknown name': filled('x', ['{"', '":0}']),
  levels: `{"to":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'many small objects': `{"to":[${Array.from({ length: 40_000 }, (_, n) => `{"a":${n},"b":[]}`).join(',')}]}`,
  'broken JSON': filled('"a",', ['{"to":[', '}']),
  'names in each row of a list': namesInRows(),
};

/** Measures what a refused request of a mebibyte costs the API, and how long it holds up a look at `/livez`. */
export async function refusal(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const api = await machine.startEngine('api');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const session = await anAgency(api.url, { dashboardUrl: 'http://127.0.0.1:9/', working: false });
    const key = await aKeyOf(api.url, session);
    const refuse = async (body: string): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      const path = body.includes('"sections"') ? '/api/v1/sendList' : '/api/v1/messages/send';
      const answer = await fetch(api.url + path, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (answer.ok || answer.status >= 500) throw new Error(`A body to refuse was answered ${answer.status}.`);
    };
    const results: Result[] = [];
    const alone = await delaysDuring(agent, api.url, () => pause(IDLE_MS));
    for (const [shape, body] of Object.entries(SHAPES)) {
      for (let n = 0; n < 3; n += 1) await refuse(body);
      const idle = await cpuDuring(api.pid, () => pause(IDLE_MS));
      const startedAt = performance.now();
      const used = await cpuDuring(api.pid, async () => {
        for (let n = 0; n < TIMES; n += 1) await refuse(body);
      });
      const perOne = (used - (idle * (performance.now() - startedAt)) / IDLE_MS) / TIMES;
      // The slowest look of each refusal, of which the median says what the refusal does and not its neighbours.
      const slowest: number[] = [];
      for (let n = 0; n < TIMES; n += 1) {
        slowest.push(Math.max(...(await delaysDuring(agent, api.url, () => refuse(body)))));
      }
      const worst = percentile(slowest, 0.5) - percentile(alone, 0.5);
      results.push({
        path: `a refusal of 1 MiB: ${shape}`,
        measured: `${round(perOne)} ms of CPU; the slowest /livez beside it waits ${round(worst)} ms more (median of ${TIMES})`,
        baseline: `/livez alone p50 ${round(percentile(alone, 0.5))} ms, at most ${round(Math.max(...alone))} ms`,
        ratio: null,
        aim: `≤ ${MAX_CPU_MS} ms of CPU, ≤ ${MAX_DELAY_MS} ms more`,
        met: perOne <= MAX_CPU_MS && worst <= MAX_DELAY_MS,
      });
    }
    return results;
  } finally {
    agent.destroy();
    await api.stop();
  }
}

async function cpuDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pid);
  await work();
  return cpuMs(pid) - before;
}

/** Asks `/livez` over and over until the work is done; returns how many milliseconds each answer took. */
async function delaysDuring(agent: Agent, url: string, work: () => Promise<unknown>): Promise<number[]> {
  const delays: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await alive(agent, url);
      delays.push(performance.now() - askedAt);
      await pause(LOOK_EVERY_MS);
    }
  })();
  await work();
  isOver = true;
  await asking;
  return delays;
}

function alive(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${url}/livez`, { agent }, (response) => {
      response.resume().once('end', resolve);
    })
      .once('error', reject)
      .end();
  });
}
