import { totalCpu } from '../cpu.ts';
import { statementsOf } from '../fleet/meter.ts';
import type { Statement, Usage } from '../fleet/meter.ts';
import type { Result, RowUsage } from '../result.ts';
import { columns } from '../result.ts';
import { round } from '../statistics.ts';
import type { Cell } from './measure.ts';

/** At rest a whole engine may send this many statements a second, however large it is. */
const MAX_STATEMENTS_AT_REST = 50;
/** A message may cost this much more or less with the most processes. */
const FLAT_WITHIN = 0.15;
const KB = 1_024;

const USED = [
  'statements',
  'of the API',
  'of workers',
  'commits',
  'WAL KB',
  'CPU ms',
  'of the API',
  'of workers',
  'of PostgreSQL',
  'of Temporal',
];

/** Makes two tables: what each size uses in a second at rest, with its memory; and what a message uses. */
export function cellTables(cells: readonly Cell[]): string {
  const size = ['processes', 'sessions', 'endpoints'];
  const sizeOf = ({ processes, sessions, endpoints }: Cell): string[] =>
    [`${processes} + ${processes}`, sessions, endpoints].map(String);
  const memory = ({ memoryMb: mb }: Cell): string[] =>
    [mb.engine, mb.postgres, mb.temporal].map((each) => `${round(each, 0)}`);
  const rest = cells.map((cell) => [...sizeOf(cell), ...cellsOf(cell.rest), ...memory(cell)]);
  const message = cells.map((cell) => [...sizeOf(cell), ...cellsOf(cell.message)]);
  return [
    'A second at rest:',
    columns([[...size, ...USED, 'MB: engine', 'PostgreSQL', 'Temporal'], ...rest]),
    '\nA message:',
    columns([[...size, ...USED], ...message]),
  ].join('\n');
}

function cellsOf(usage: Usage): string[] {
  const { statements, cpuMs, commits, walBytes } = usage;
  const counts = [statementsOf(usage), statements.api, statements.worker, commits, walBytes / KB];
  return [...counts, totalCpu(cpuMs), cpuMs.api, cpuMs.worker, cpuMs.postgres, cpuMs.temporal].map(
    (value) => `${round(value)}`,
  );
}

/** Lists the most frequent statements of a second at rest and under load, so that each can be traced to its code. */
export function statementLists({ processes, sessions, restStatements, loadStatements }: Cell): string {
  const size = `${processes} + ${processes} processes, ${sessions} sessions`;
  return [
    `At rest, ${size}:`,
    ...restStatements.map(lineOf),
    `With messages, ${size}:`,
    ...loadStatements.map(lineOf),
  ].join('\n');
}

function lineOf({ half, text, calls, buffers }: Statement): string {
  const counts = `${calls.toFixed(2).padStart(8)} /s  ${round(buffers, 0).toString().padStart(7)} buffers/s`;
  return `  ${counts}  ${half.padEnd(6)} ${text.slice(0, 110)}`;
}

export function resultsOf(cells: readonly Cell[]): Result[] {
  const rows = cells.flatMap((cell) => [restRow(cell), messageRow(cell)]);
  const most = Math.max(...cells.map(({ rest }) => statementsOf(rest)));
  const same = cells.filter(({ sessions }) => sessions === cells.at(-1)?.sessions);
  const [few, many] = [same[0], same.at(-1)];
  return [
    ...rows,
    {
      path: 'scale: statements at rest, the most of all sizes',
      measured: `${round(most)} /s`,
      baseline: '',
      ratio: null,
      aim: `≤ ${MAX_STATEMENTS_AT_REST} /s`,
      met: most <= MAX_STATEMENTS_AT_REST,
    },
    ...(few && many && few !== many ? [flatRow('statements', few, many), flatRow('CPU', few, many)] : []),
  ];
}

const nameOf = ({ processes, sessions, endpoints }: Cell): string =>
  `scale: ${processes} + ${processes} processes, ${sessions} sessions, ${endpoints} endpoints`;

function usageOf(each: string, usage: Usage): RowUsage {
  return { each, cpuMs: usage.cpuMs, statements: statementsOf(usage), commits: usage.commits };
}

function restRow(cell: Cell): Result {
  const { rest } = cell;
  const statements = statementsOf(rest);
  return {
    path: `${nameOf(cell)}: at rest`,
    measured: `${round(statements)} statements/s, ${round(rest.commits)} commits/s, ${round(rest.walBytes / KB)} KB of WAL/s, ${round(totalCpu(rest.cpuMs))} ms of CPU/s`,
    baseline: '',
    ratio: null,
    aim: `≤ ${MAX_STATEMENTS_AT_REST} statements/s`,
    met: statements <= MAX_STATEMENTS_AT_REST,
    usage: usageOf('second', rest),
  };
}

function messageRow(cell: Cell): Result {
  const { message, undelivered } = cell;
  const late = undelivered === 0 ? '' : `, ${undelivered} NOT delivered in time`;
  return {
    path: `${nameOf(cell)}: one message`,
    measured: `${round(statementsOf(message))} statements, ${round(message.commits)} commits, ${round(message.walBytes / KB)} KB of WAL, ${round(totalCpu(message.cpuMs))} ms of CPU${late}`,
    baseline: '',
    ratio: null,
    aim: 'published',
    met: undelivered === 0,
    usage: usageOf('message', message),
  };
}

function flatRow(what: 'statements' | 'CPU', few: Cell, many: Cell): Result {
  const of = ({ message }: Cell): number => (what === 'CPU' ? totalCpu(message.cpuMs) : statementsOf(message));
  const unit = what === 'CPU' ? 'ms of CPU' : 'statements';
  const ratio = of(many) / of(few);
  return {
    path: `scale: ${what} of one message, ${many.processes} + ${many.processes} against ${few.processes} + ${few.processes} processes`,
    measured: `${round(of(many))} ${unit}`,
    baseline: `${round(of(few))} ${unit}`,
    ratio,
    aim: `1 ± ${FLAT_WITHIN}`,
    met: Math.abs(ratio - 1) <= FLAT_WITHIN,
  };
}
