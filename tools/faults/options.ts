import { parseArgs } from 'node:util';
import { FAULTS, shortForm } from './faults.ts';
import type { Fault } from './scene.ts';

/** Named like a fault; the property tests need no engine. */
const PROPERTIES = 'properties';

export interface Options {
  seed: number;
  /** The number of times that each fault strikes. */
  rounds: number;
  /** True for the short form: a selection of the faults, with shorter outages. */
  short: boolean;
  faults: readonly Fault[];
  /** True when the property tests run first, with all their seeds. */
  properties: boolean;
}

export const USAGE = `npm run faults -- [--seed N] [--rounds N] [--short] [--only name,name]

  --seed    decides when faults strike and whom is written to; printed, so that a run can be repeated. Default: random.
  --rounds  how often each fault strikes. Default 1.
  --short   a selection of them by the seed, and shorter outages: for CI.
  --only    some of: properties, ${FAULTS.map(({ name }) => name).join(', ')}.`;

/** Reads the options; null when the user only asks for help. */
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
  const seed = number(values.seed, '--seed');
  const wanted = values.only?.split(',');
  const unknown = wanted?.filter((name) => name !== PROPERTIES && !FAULTS.some((fault) => fault.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no fault named ${unknown.join(', ')}.\n\n${USAGE}`);
  const selected = values.short ? shortForm(seed) : FAULTS;
  const faults = wanted ? FAULTS.filter(({ name }) => wanted.includes(name)) : selected;
  return {
    seed,
    rounds: number(values.rounds, '--rounds'),
    short: values.short,
    faults,
    properties: wanted?.includes(PROPERTIES) ?? !values.short,
  };
}

function number(text: string, flag: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${flag} must be a whole number.`);
  return Number(text);
}
