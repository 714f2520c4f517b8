import { parseArgs } from 'node:util';
import { FAULTS } from './faults.ts';
import type { Fault } from './faults.ts';

export interface Options {
  seed: number;
  /** How often each fault strikes. */
  rounds: number;
  /** All faults back to back and one settlement at the end, instead of one after each. */
  short: boolean;
  faults: readonly Fault[];
}

export const USAGE = `npm run faults -- [--seed N] [--rounds N] [--short] [--only name,name]

  --seed    decides when faults strike and whom is written to; printed, so that a run can be repeated. Default: random.
  --rounds  how often each fault strikes. Default 1.
  --short   all faults back to back and one settlement at the end: for CI.
  --only    some of: ${FAULTS.map(({ name }) => name).join(', ')}.`;

/** Null when the person only asks for help. */
export function readOptions(words: string[]): Options | null {
  const { values } = parseArgs({
    args: words,
    options: {
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
      rounds: { type: 'string', default: '1' },
      short: { type: 'boolean', default: false },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const wanted = values.only?.split(',');
  const faults = FAULTS.filter(({ name }) => wanted?.includes(name) ?? true);
  const unknown = wanted?.filter((name) => !FAULTS.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no fault named ${unknown.join(', ')}.\n\n${USAGE}`);
  return {
    seed: number(values.seed, '--seed'),
    rounds: number(values.rounds, '--rounds'),
    short: values.short,
    faults,
  };
}

function number(text: string, flag: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} must be a whole number.`);
  return Number(text);
}
