import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { anAgency, sendTo } from '../agency.ts';
import { BareWorkflows } from '../bare-workflows.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, percentile, round } from '../statistics.ts';

const SENDS = 40;
/** The pause after which a send's acks, their events and their signals are over and the engine is idle again. */
const SETTLED_MS = 600;
const Accepted = z.object({ messageId: z.string() });
const Record = z.object({ sends: z.array(z.object({ at: z.union([z.number(), z.string()]), body: z.string() })) });

/** Measures from the request's first byte to the backend's receipt, one send at a time on an idle engine. */
export async function idleLatency(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const floors = await BareWorkflows.start(machine.temporalAddress);
  try {
    const all = await machine.startEngine('all');
    await anAgency(all.url, { dashboardUrl: 'http://127.0.0.1:9/', working: true });
    const oneProcess = await sendAndMeasure(machine, all.url, 'one');
    const eager = await floors.startToLocalActivity(SENDS, true);
    await all.stop();

    const worker = await machine.startEngine('worker');
    const api = await machine.startEngine('api');
    const split = await sendAndMeasure(machine, api.url, 'split');
    const floor = await floors.startToLocalActivity(SENDS, false);
    await api.stop();
    await worker.stop();
    return [
      line('request to backend, idle, one process', oneProcess, 'eager workflow + local activity', eager, 2),
      line('request to backend, idle, api and worker apart', split, 'non-eager workflow + local activity', floor, null),
    ];
  } finally {
    await floors.stop();
  }
}

async function sendAndMeasure(machine: Machine, url: string, word: string): Promise<number[]> {
  const startedAt = new Map<string, number>();
  for (let index = 0; index < SENDS; index += 1) {
    const post = sendTo(index);
    const text = `${word} ${index}`;
    const body = JSON.stringify({ ...z.record(z.string(), z.unknown()).parse(JSON.parse(post.body)), text });
    startedAt.set(text, performance.timeOrigin + performance.now());
    const answer = await fetch(url + post.path, { method: 'POST', headers: post.headers, body });
    Accepted.parse(await answer.json());
    await pause(SETTLED_MS);
  }
  await pause(1_000);
  const { sends } = Record.parse(await machine.sandbox('GET', '/record'));
  return sends.flatMap(({ at, body }) => {
    const started = startedAt.get(body);
    return started === undefined ? [] : [new Date(at).getTime() - started];
  });
}

function line(path: string, samples: number[], name: string, floor: number[], atMost: number | null): Result {
  const ratio = median(samples) / median(floor);
  return {
    path,
    measured: `p50 ${round(median(samples))} ms, p99 ${round(percentile(samples, 0.99))} ms (${samples.length})`,
    baseline: `${name} p50 ${round(median(floor))} ms, p99 ${round(percentile(floor, 0.99))} ms`,
    ratio,
    aim: atMost === null ? 'published' : `≤ ${atMost}`,
    met: atMost === null || ratio <= atMost,
  };
}
