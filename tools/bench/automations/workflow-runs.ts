import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { Client } from 'pg';
import { z } from 'zod';
import { totalCpu } from '../cpu.ts';
import { KINDS } from '../kinds.ts';
import type { CpuMs } from '../kinds.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { ask, aTalkingAgency, begin, createWorkflow, openClient, UNBOUNDED, until } from './scene.ts';

/** A person has a conversation at the end of its run, so that each run needs one of its own. */
const RUNS = 50;
const ROUNDS = 4;
const WARM_UP = 25;
const PEOPLE = 2 * (WARM_UP + ROUNDS * RUNS);
const IN_CODE = 'sort-enquiry';
const LABEL = 'Bench';
const AT_LEAST = 0.8;
const AT_MOST_CPU = 1.25;
const STEPS = 5;

interface Reading {
  perSecond: number;
  cpu: CpuMs;
}

/**
 * Measures runs of five steps, in turn those of a stored workflow and those of an automation in code that does the same:
 * a text, a label, a question to another system, a text with its answer, and a person who takes over.
 */
export async function workflowRuns(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const database = await openClient(machine);
  const shop = await startShop();
  const engine = await machine.startEngine('all', UNBOUNDED);
  try {
    const { session, conversations } = await aTalkingAgency(engine.url, database, { people: PEOPLE });
    await makeLabel(machine, session.name);
    const stored = await enableStored(engine.url, shop.url);
    await enableInCode(engine.url, shop.url);
    const readingOf = async (automation: string, count = RUNS): Promise<Reading> => {
      const some = conversations.splice(0, count);
      const [startedAt, before] = [performance.now(), machine.cpuMs()];
      await Promise.all(some.map((conversationId) => begin(engine.url, { automation, conversationId })));
      await until(async () => ((await countOf(database, RUNNING)) === 0 ? true : null));
      const seconds = (performance.now() - startedAt) / 1_000;
      await requireDone(database, automation);
      // Their messages are part of what they cost.
      await until(async () => ((await countOf(database, UNSENT)) === 0 ? true : null));
      const after = machine.cpuMs();
      const cpu = Object.fromEntries(KINDS.map((kind) => [kind, (after[kind] - before[kind]) / count]));
      return { perSecond: count / seconds, cpu };
    };
    for (const automation of [IN_CODE, stored]) await readingOf(automation, WARM_UP);
    const [inCode, ofStored]: [Reading[], Reading[]] = [[], []];
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      inCode.push(await readingOf(IN_CODE));
      ofStored.push(await readingOf(stored));
    }
    return rowsOf(ofStored, inCode);
  } finally {
    await engine.stop();
    await database.end();
    shop.server.closeAllConnections();
    shop.server.close();
  }
}

function rowsOf(stored: readonly Reading[], inCode: readonly Reading[]): Result[] {
  const speed = (of: readonly Reading[]): number => median(of.map(({ perSecond }) => perSecond));
  const cpu = (of: readonly Reading[]): number => median(of.map((one) => totalCpu(one.cpu)));
  const [speedRatio, cpuRatio] = [speed(stored) / speed(inCode), cpu(stored) / cpu(inCode)];
  const meanOf = (kind: (typeof KINDS)[number]): number =>
    stored.reduce((sum, one) => sum + (one.cpu[kind] ?? 0), 0) / stored.length;
  const usage = { each: 'run', cpuMs: Object.fromEntries(KINDS.map((kind) => [kind, meanOf(kind)])) };
  return [
    {
      path: `runs of a stored workflow of ${STEPS} steps`,
      measured: `${round(speed(stored))} runs/s (${readings(stored)})`,
      baseline: `the same automation in code: ${round(speed(inCode))} runs/s (${readings(inCode)})`,
      ratio: speedRatio,
      aim: `≥ ${AT_LEAST}`,
      met: speedRatio >= AT_LEAST,
      usage,
    },
    {
      path: `CPU of a run of a stored workflow of ${STEPS} steps, with its messages`,
      measured: `${round(cpu(stored))} ms`,
      baseline: `the same automation in code: ${round(cpu(inCode))} ms`,
      ratio: cpuRatio,
      aim: `≤ ${AT_MOST_CPU}`,
      met: cpuRatio <= AT_MOST_CPU,
      usage,
    },
  ];
}

const readings = (of: readonly Reading[]): string => of.map(({ perSecond }) => round(perSecond)).join(', ');

/** A shop that knows each enquiry: it gives it a number and wants a person. */
async function startShop(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"needsPerson":true,"number":17}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/enquiries` };
}

async function makeLabel({ sandboxUrl, sandboxHeaders }: Machine, session: string): Promise<void> {
  const body = JSON.stringify({ name: LABEL });
  const made = await fetch(`${sandboxUrl}/api/${session}/labels`, { method: 'POST', headers: sandboxHeaders, body });
  if (!made.ok) throw new Error(`The sandbox answered ${made.status} to a new label.`);
}

const Endpoint = z.object({ id: z.string() });

async function enableInCode(url: string, shopUrl: string): Promise<void> {
  // No event of this bench goes to the endpoint.
  const hook = { url: shopUrl, events: ['session.quota'] };
  const { id: endpoint } = Endpoint.parse(await ask(url, 'POST', '/api/v1/webhooks/endpoints', hook));
  await ask(url, 'PUT', `/api/v1/automations/${IN_CODE}`, { enabled: true, params: { label: LABEL, endpoint } });
}

async function enableStored(url: string, shopUrl: string): Promise<string> {
  const automation = await createWorkflow(url, [
    { received: { call: 'send', with: { text: 'Thank you, ${ contact.name }. We look into it.' } } },
    { label: { call: 'label', with: { name: LABEL } } },
    { taken: { call: 'http', with: { method: 'post', endpoint: shopUrl, body: { about: 'enquiry' } } } },
    {
      numbered: {
        if: '${ input.number != null }',
        call: 'send',
        with: { text: 'Your enquiry has the number ${ input.number }.' },
      },
    },
    { person: { call: 'assignHuman', with: {} } },
  ]);
  await ask(url, 'PUT', `/api/v1/automations/${automation}`, { enabled: true });
  return automation;
}

const RUNNING = `automation_execution where status = 'running'`;
const UNSENT = `message where direction = 'out' and status in ('queued', 'sending')`;

async function countOf(database: Client, from: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*)::int as n from ${from}`);
  return rows[0]?.n ?? 0;
}

/** A run that failed early would be fast. */
async function requireDone(database: Client, automation: string): Promise<void> {
  const { rows } = await database.query<{ status: string; reason: string | null; steps: number }>(
    `select e.status, e.reason, (select count(*)::int from automation_step s where s.execution_id = e.id) as steps
    from automation_execution e where e.definition = $1`,
    [automation],
  );
  const odd = rows.find(({ status, steps }) => status !== 'completed' || steps !== STEPS);
  if (odd)
    throw new Error(`A run of ${automation} is ${odd.status}, ${odd.reason ?? 'for no reason'}, ${odd.steps} steps.`);
}
