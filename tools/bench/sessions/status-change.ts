import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { anAgency } from '../agency.ts';
import { describeAges } from '../arrivals.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { percentile } from '../statistics.ts';

const CHANGES = 60;
/** The engine is idle again after this long: the session's supervisor has looked at the change before. */
const SETTLED_MS = 1_500;
const ARRIVES_WITHIN_MS = 10_000;
const MAX_P95_MS = 300;
const AGENCY = 'status-change';

const Body = z.object({ event: z.string(), payload: z.looseObject({ status: z.string().optional() }) });

/** Measures from a session's change at the backend to its event at a dashboard that asks for it, on an idle engine. */
export async function statusChange(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const dashboard = await aDashboard();
  const engine = await machine.startEngine('all');
  try {
    const session = await anAgency(engine.url, { agencyId: AGENCY, dashboardUrl: dashboard.url, working: true });
    await askForStatuses(engine.url, dashboard.url);
    await pause(SETTLED_MS);
    const ages: number[] = [];
    for (let change = 0; change < CHANGES; change += 1) {
      const status = change % 2 === 0 ? 'STARTING' : 'WORKING';
      const arrival = dashboard.next(status);
      const changedAt = performance.now();
      await machine.sandbox('POST', `/sessions/${session.name}/status`, { status });
      ages.push((await arrival) - changedAt);
      await pause(SETTLED_MS);
    }
    const p95 = percentile(ages, 0.95);
    return [
      {
        path: 'status change at the backend to its event at the dashboard, idle',
        measured: describeAges(ages),
        baseline: '',
        ratio: null,
        aim: `p95 ≤ ${MAX_P95_MS} ms`,
        met: p95 <= MAX_P95_MS,
      },
    ];
  } finally {
    await engine.stop();
    await dashboard.stop();
  }
}

async function askForStatuses(url: string, endpoint: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/webhooks/endpoints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': MASTER_KEY },
    body: JSON.stringify({ agencyId: AGENCY, url: endpoint, events: ['session.status'] }),
  });
  if (!answer.ok) throw new Error(`The endpoint was answered ${answer.status}.`);
}

/** A dashboard that tells when it gets the event of a status. */
async function aDashboard() {
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    const arrivedAt = performance.now();
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { event, payload } = Body.parse(JSON.parse(text));
      if (event === 'session.status') waiting.get(payload.status ?? '')?.(arrivedAt);
      response.end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/events`,
    next(status: string): Promise<number> {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const timer = setTimeout(() => reject(new Error(`No event told of ${status}.`)), ARRIVES_WITHIN_MS);
      waiting.set(status, (at) => {
        clearTimeout(timer);
        waiting.delete(status);
        resolve(at);
      });
      return promise;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
