import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { killChildren } from './child.ts';
import { startMachine } from './machine.ts';
import type { Machine } from './machine.ts';
import { manyDefinitions, manyWorkflows } from './automations/definitions.ts';
import { automationNeighbour } from './automations/neighbour.ts';
import { automationStart } from './automations/start.ts';
import { validation } from './automations/validation.ts';
import { automationsWaiting } from './automations/waiting.ts';
import { workflowRuns } from './automations/workflow-runs.ts';
import { consolePages } from './console/console.ts';
import { client } from './client/client.ts';
import { accept } from './paths/accept.ts';
import { agent } from './paths/agent.ts';
import { contacts } from './people/contacts.ts';
import { deletions } from './people/deletions.ts';
import { merges } from './people/merges.ts';
import { inbox } from './inbox/inbox.ts';
import { cost } from './paths/cost.ts';
import { databaseCost } from './paths/database-cost.ts';
import { events } from './paths/events.ts';
import { flood } from './paths/flood.ts';
import { syncImport } from './history/sync-import.ts';
import { syncSends } from './history/sync-sends.ts';
import { idleLatency } from './paths/idle-latency.ts';
import { ingestMany } from './paths/ingest-many.ts';
import { inboundMedia } from './media/inbound-media.ts';
import { ingest } from './paths/ingest.ts';
import { keyCheck } from './paths/key-check.ts';
import { lifecycle } from './paths/lifecycle.ts';
import { memoryBusy } from './paths/memory-busy.ts';
import { memory } from './paths/memory.ts';
import { passthrough } from './paths/passthrough.ts';
import { passthroughUpload } from './paths/passthrough-upload.ts';
import { refusal } from './paths/refusal.ts';
import { rowSecurity } from './row-security/row-security.ts';
import { squeezed, squeezedMore } from './paths/squeeze.ts';
import { statements } from './paths/statements.ts';
import { idleSessions } from './sessions/idle-sessions.ts';
import { statusChange } from './sessions/status-change.ts';
import { takeoverKills } from './paths/takeover-kills.ts';
import { takeover, takeoverSchedules } from './paths/takeover.ts';
import { buffersBesideBacklog, webhookBuffers } from './paths/webhooks-buffers.ts';
import { webhookClaim } from './paths/webhooks-claim.ts';
import { deadEndpoint } from './paths/webhooks-dead.ts';
import { manyEndpoints, webhookLatency } from './paths/webhooks-latency.ts';
import { oneSession } from './paths/webhooks-one-session.ts';
import { workerRestart } from './paths/webhooks-restart.ts';
import { webhooks } from './paths/webhooks.ts';
import { KINDS } from './kinds.ts';
import { table, usageText } from './result.ts';
import type { Read, Result, RowUsage } from './result.ts';
import { scale } from './scale/scale.ts';
import { stream } from './stream/stream.ts';
import type { Sizes } from './sizes.ts';
import { VICTIMS } from './victims/victims.ts';

const PATHS: Record<string, (machine: Machine, seconds: number, sizes: Sizes) => Promise<Result[]>> = {
  accept,
  latency: idleLatency,
  ingest,
  'ingest-many': ingestMany,
  'inbound-media': inboundMedia,
  events,
  lifecycle,
  'database-cost': databaseCost,
  statements,
  'status-change': statusChange,
  'idle-sessions': idleSessions,
  passthrough,
  'key-check': keyCheck,
  refusal,
  'row-security': rowSecurity,
  client,
  'passthrough-upload': passthroughUpload,
  flood,
  squeeze: squeezed,
  'squeeze-more': squeezedMore,
  memory,
  'memory-busy': memoryBusy,
  cost,
  contacts,
  deletions,
  merges,
  inbox,
  'sync-import': syncImport,
  'sync-sends': syncSends,
  webhooks,
  'webhooks-latency': webhookLatency,
  'webhooks-dead': deadEndpoint,
  'webhooks-many': manyEndpoints,
  'webhooks-claim': webhookClaim,
  'webhooks-buffers': webhookBuffers,
  'webhooks-backlog': buffersBesideBacklog,
  'webhooks-one-session': oneSession,
  'webhooks-restart': workerRestart,
  takeover,
  'takeover-schedules': takeoverSchedules,
  'takeover-kills': takeoverKills,
  agent,
  'automation-start': automationStart,
  'automations-waiting': automationsWaiting,
  'automation-neighbour': automationNeighbour,
  'many-definitions': manyDefinitions,
  'many-workflows': manyWorkflows,
  'workflow-runs': workflowRuns,
  validation,
  stream,
  console: consolePages,
  scale,
  ...VICTIMS,
};

/** These take long, and run only if they are named. */
const ON_DEMAND: ReadonlySet<string> = new Set(['squeeze-more']);

/** An example of the call: `npm run bench -- --only accept,ingest --seconds 5 --json bench.json` */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    json: { type: 'string', default: 'bench-results.json' },
    // Measures on a busy machine, too, and marks every row of the table.
    anyway: { type: 'boolean', default: false },
    // The sizes of the path "scale".
    processes: { type: 'string', default: '1,4,8' },
    sessions: { type: 'string', default: '1000,10000' },
    endpoints: { type: 'string', default: '1000' },
    supervised: { type: 'string', default: '20' },
  },
});
const numbers = (list: string): number[] => list.split(',').map(Number);
const sizes: Sizes = {
  processes: numbers(values.processes),
  sessions: numbers(values.sessions),
  endpoints: Number(values.endpoints),
  supervised: Number(values.supervised),
};

/** The word "victims" stands for all of them. */
const always = Object.keys(PATHS).filter((name) => !ON_DEMAND.has(name));
const chosen = (values.only?.split(',') ?? always).flatMap((name) =>
  name === 'victims' ? Object.keys(VICTIMS) : name,
);
const unknown = chosen.find((name) => !PATHS[name]);
if (unknown !== undefined)
  throw new Error(`There is no path "${unknown}": choose of ${Object.keys(PATHS).join(', ')}.`);
const machine = await startMachine(process.env, { anyway: values.anyway });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // PostgreSQL and Temporal would stay: Ctrl-C does not reach them.
    killChildren();
    void machine.stop().finally(() => process.exit(130));
  });
}
const facts = {
  at: new Date().toISOString(),
  node: process.version,
  cpus: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
};
const commit = commitOf();
const results: Read[] = [];
try {
  for (const name of chosen) {
    results.push(...(await measured(name)));
    // Written after each path, so that a run that is ended has left what it measured.
    writeFileSync(values.json, `${JSON.stringify({ ...facts, results }, null, 2)}\n`);
  }
} finally {
  await machine.stop();
}
console.log(`\n${table(results)}\n\nWritten to ${values.json}.`);

/** A path that fails is a row of its own, because the paths after it are worth measuring all the same. */
async function measured(name: string): Promise<Read[]> {
  const at = new Date().toISOString();
  let load = loadavg()[0] ?? 0;
  let rows: Result[] = [];
  const [cpuBefore, statementsBefore] = [machine.cpuMs(), await machine.statements()];
  try {
    load = await machine.quiet();
    console.log(`… ${name}, load ${load.toFixed(2)}`);
    rows = (await PATHS[name]?.(machine, Number(values.seconds), sizes)) ?? [];
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
    const said = error instanceof Error ? error.message : String(error);
    rows = [{ path: name, measured: `FAILED: ${said}`, baseline: '', ratio: null, aim: '', met: false }];
  }
  const cpuAfter = machine.cpuMs();
  const usage: RowUsage = {
    each: 'path',
    cpuMs: Object.fromEntries(KINDS.map((kind) => [kind, cpuAfter[kind] - cpuBefore[kind]])),
    statements: (await machine.statements()) - statementsBefore,
  };
  console.log(`  ${usageText(usage)}`);
  return rows.map(({ load: own, ...row }) => ({
    usage,
    ...row,
    reading: { at, commit, load: own ?? load, anyway: values.anyway },
  }));
}

/** The commit that is measured, marked if the tree differs from it; null without git. */
function commitOf(): string | null {
  const git = (...words: string[]): string => execFileSync('git', words, { encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '-uno') === '' ? '' : ' and changes');
  } catch {
    return null;
  }
}
