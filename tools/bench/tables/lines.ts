import type { RowUsage } from '../result.ts';
import type { PublishedRow } from './published.ts';

/** A line of the short table. */
export interface Line {
  name: string;
  /** The beginning of the measured row's name. */
  path: string;
  /** The beginning of the row that counts the same work's cost, for readings whose own row does not count it. */
  cost?: string;
}

export const LINES = [
  { name: 'Accept a send, new recipient', path: 'accept, throughput', cost: 'cost of 1,000: a send that is accepted' },
  { name: 'Accept a send, known recipient', path: 'accept, known recipients' },
  { name: 'Accept, p99', path: 'accept, p99' },
  { name: 'Accept a send, 20 a second', path: 'accept, 20 /s' },
  { name: 'Whole lifecycles', path: 'whole lifecycles', cost: 'cost of 1,000: a message' },
  { name: 'Whole lifecycles, bulk', path: 'the same, bulk', cost: 'cost of 1,000: the same, bulk' },
  { name: 'Whole lifecycles, 20 a second', path: 'at 20 /s: a message' },
  { name: 'Backend events received, one process', path: 'backend events received by HTTP' },
  { name: 'Backend events applied, one session', path: 'backend event applied' },
  {
    name: 'Backend events applied, many sessions',
    path: 'backend events applied',
    cost: 'cost of 1,000: an inbound message',
  },
  { name: 'Inbound events applied, 20 a second', path: 'at 20 /s: an inbound message' },
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
  { name: 'Passthrough, against the backend itself', path: 'passthrough, beside the same requests straight' },
  { name: 'Passthrough, against http-proxy-3', path: 'passthrough, beside http-proxy-3 in front' },
  { name: "One session's single-event transactions", path: "one session's transactions" },
  { name: 'Killed worker, restart to first delivery', path: 'killed worker' },
  { name: 'Memory at rest, one process', path: 'memory of the one-process engine' },
  { name: 'Memory of everything at 200 events/s', path: 'memory of npm start' },
  { name: 'Statements at rest, any size', path: 'scale: statements at rest' },
  { name: 'Statements of a message, 8 + 8 against 1 + 1', path: 'scale: statements of one message' },
  { name: 'CPU of a message, 8 + 8 against 1 + 1', path: 'scale: CPU of one message' },
] as const satisfies readonly Line[];

export type LineName = (typeof LINES)[number]['name'];

export function rowOf(rows: readonly PublishedRow[], beginning: string | undefined): PublishedRow | undefined {
  return beginning === undefined ? undefined : rows.find(({ path }) => path.startsWith(beginning));
}

/** Returns the cost of a line's unit, if any row counts it with API and worker apart. */
export function costOf(rows: readonly PublishedRow[], { path, cost }: Line): RowUsage | undefined {
  return [rowOf(rows, path), rowOf(rows, cost)]
    .map((row) => row?.usage)
    .find((usage) => usage !== undefined && usage.each !== 'path' && usage.cpuMs.engine === undefined);
}

/** The same for a line that is given by its name. */
export function costOfLine(rows: readonly PublishedRow[], name: LineName): RowUsage | undefined {
  const line = LINES.find((each) => each.name === name);
  return line && costOf(rows, line);
}
