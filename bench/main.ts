import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { startMachine } from './machine.ts';
import type { Machine } from './machine.ts';
import { accept } from './paths/accept.ts';
import { agent } from './paths/agent.ts';
import { databaseCost } from './paths/database-cost.ts';
import { events } from './paths/events.ts';
import { flood } from './paths/flood.ts';
import { idleLatency } from './paths/idle-latency.ts';
import { ingest } from './paths/ingest.ts';
import { lifecycle } from './paths/lifecycle.ts';
import { memory } from './paths/memory.ts';
import { statements } from './paths/statements.ts';
import { takeoverKills } from './paths/takeover-kills.ts';
import { takeover, takeoverSchedules } from './paths/takeover.ts';
import { webhookClaim } from './paths/webhooks-claim.ts';
import { deadEndpoint } from './paths/webhooks-dead.ts';
import { manyEndpoints, webhookLatency } from './paths/webhooks-latency.ts';
import { webhooks } from './paths/webhooks.ts';
import { table } from './result.ts';
import type { Result } from './result.ts';

const PATHS: Record<string, (machine: Machine, seconds: number) => Promise<Result[]>> = {
  accept,
  latency: idleLatency,
  ingest,
  events,
  lifecycle,
  'database-cost': databaseCost,
  statements,
  flood,
  memory,
  webhooks,
  'webhooks-latency': webhookLatency,
  'webhooks-dead': deadEndpoint,
  'webhooks-many': manyEndpoints,
  'webhooks-claim': webhookClaim,
  takeover,
  'takeover-schedules': takeoverSchedules,
  'takeover-kills': takeoverKills,
  agent,
};

/** An example of the call: `npm run bench -- --only accept,ingest --seconds 5 --json bench.json` */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    json: { type: 'string', default: 'bench-results.json' },
  },
});

const chosen = values.only?.split(',') ?? Object.keys(PATHS);
const machine = await startMachine(process.env);
const results: Result[] = [];
try {
  for (const name of chosen) {
    const path = PATHS[name];
    if (!path) throw new Error(`There is no path "${name}": choose of ${Object.keys(PATHS).join(', ')}.`);
    console.log(`… ${name}`);
    results.push(...(await path(machine, Number(values.seconds))));
  }
} finally {
  await machine.stop();
}
const facts = {
  at: new Date().toISOString(),
  node: process.version,
  cpus: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
};
writeFileSync(values.json, `${JSON.stringify({ ...facts, results }, null, 2)}\n`);
console.log(`\n${table(results)}\n\nWritten to ${values.json}.`);
