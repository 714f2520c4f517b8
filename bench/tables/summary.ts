import { KINDS } from '../kinds.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { markdown } from './markdown.ts';

/**
 * The lines of the short table: the beginning of the measured row's name, and of the row that counts the same work's
 * CPU time.
 */
const LINES: readonly { name: string; path: string; cost?: string }[] = [
  { name: 'Accept a send, new recipient', path: 'accept, throughput', cost: 'cost of 1,000: a send that is accepted' },
  { name: 'Accept a send, known recipient', path: 'accept, known recipients' },
  { name: 'Accept, p99', path: 'accept, p99' },
  { name: 'Whole lifecycles', path: 'whole lifecycles', cost: 'cost of 1,000: a message' },
  { name: 'Whole lifecycles, bulk', path: 'the same, bulk', cost: 'cost of 1,000: the same, bulk' },
  { name: 'Backend events received, one process', path: 'backend events received by HTTP' },
  { name: 'Backend events applied, one session', path: 'backend event applied' },
  {
    name: 'Backend events applied, many sessions',
    path: 'backend events applied',
    cost: 'cost of 1,000: an inbound message',
  },
  { name: 'Replies of the agent', path: 'agent: 500 conversations', cost: 'cost of 1,000: a turn of the agent' },
  { name: 'Deliveries to one endpoint', path: 'deliveries to one endpoint' },
  { name: 'Deliveries to 100 endpoints', path: 'deliveries to 100 endpoints' },
  { name: 'Deliveries to 1,000 endpoints', path: 'deliveries to 1000 endpoints' },
  { name: 'Commit to arrival, 50 events/s', path: 'commit to arrival, 50 events/s' },
  {
    name: 'Commit to arrival, 200 events/s',
    path: 'commit to arrival, 200 events/s',
    cost: 'CPU of 1,000 events accepted and delivered',
  },
  { name: 'Commit to arrival, 1,000 events/s', path: 'commit to arrival, 1000 events/s' },
  { name: '1,000 endpoints, an event a second each', path: 'commit to arrival, 1000 endpoints' },
  { name: "One session's single-event transactions", path: "one session's transactions" },
  { name: 'Killed worker, restart to first delivery', path: 'killed worker' },
  { name: 'Memory at rest, one process', path: 'memory of the one-process engine' },
  { name: 'Memory of everything at 200 events/s', path: 'memory of npm start' },
  { name: 'Statements at rest, any size', path: 'scale: statements at rest' },
  { name: 'Statements of a message, 8 + 8 against 1 + 1', path: 'scale: statements of one message' },
  { name: 'CPU of a message, 8 + 8 against 1 + 1', path: 'scale: CPU of one message' },
];

/** Makes the table that a person reads in a minute; what was not measured says so. */
export function summaryTable(results: readonly Result[]): string {
  const find = (path: string | undefined): Result | undefined =>
    path === undefined ? undefined : results.find((result) => result.path.startsWith(path));
  const rows = LINES.map(({ name, path, cost }) => {
    const result = find(path);
    const cpuMs = find(cost)?.cpuMs;
    const costs = KINDS.map((kind) => (cpuMs ? `${round(cpuMs[kind], 1)}` : ''));
    if (!result) return [name, 'not measured', '', '', '', ...costs];
    const met = result.aim === 'published' ? '' : result.met ? ', met' : ', short';
    const ratio = result.ratio === null ? '' : result.ratio.toFixed(2);
    // The details in brackets are in the long tables.
    return [name, result.measured.replace(/ \(.*$/, ''), result.baseline, ratio, `${result.aim}${met}`, ...costs];
  });
  return markdown([['Path', 'Measured', 'Limit', 'Ratio', 'Aim', 'API', 'Worker', 'PostgreSQL', 'Temporal'], ...rows]);
}
