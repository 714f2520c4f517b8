import { KINDS } from '../kinds.ts';
import type { Kind } from '../kinds.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { markdown } from './markdown.ts';

const MESSAGES_A_DAY = 10_000_000;
const SECONDS_A_DAY = 86_400;
/** The busiest hour has this many times the messages of the mean hour. */
const PEAK = 3;
/** Processors are used up to this share, so that the queues before them stay short. */
const USED = 0.6;
/** The machines, in cores, of which it is said what they carry. */
const SIZES = [2, 4, 8];

/** How the messages of a day are divided, each with the beginning of the row that counts its cost. */
const MIX: readonly { name: string; share: number; cost: string }[] = [
  { name: 'received', share: 0.5, cost: 'cost of 1,000: an inbound message' },
  { name: 'sent singly', share: 0.3, cost: 'cost of 1,000: a message' },
  { name: 'sent in bulk', share: 0.2, cost: 'cost of 1,000: the same, bulk' },
];

/** Works out how many processors ten million messages a day take, in the busiest hour, and what a machine carries. */
export function scalingTable(results: readonly Result[]): string {
  const meanPerSecond = MESSAGES_A_DAY / SECONDS_A_DAY;
  const sum: Record<Kind, number> = { api: 0, worker: 0, postgres: 0, temporal: 0 };
  const rows = MIX.map(({ name, share, cost }) => {
    const cpuMs = results.find(({ path }) => path.startsWith(cost))?.cpuMs;
    const peakPerSecond = meanPerSecond * PEAK * share;
    const cores = KINDS.map((kind) => {
      const count = (peakPerSecond * (cpuMs?.[kind] ?? NaN)) / 1_000 / USED;
      sum[kind] += count;
      return count;
    });
    const costs = KINDS.map((kind) => (cpuMs ? `${round(cpuMs[kind])}` : 'not measured'));
    return [name, `${share * 100} %`, `${round(peakPerSecond)} /s`, ...costs, ...cores.map(inCores)];
  });
  const table = markdown([
    [
      'Messages',
      'Share',
      'At the peak',
      ...KINDS.map((kind) => `${kind}: ms each`),
      ...KINDS.map((kind) => `${kind}: cores`),
    ],
    ...rows,
    ['all', '100 %', `${round(meanPerSecond * PEAK)} /s`, '', '', '', '', ...KINDS.map((kind) => inCores(sum[kind]))],
  ]);
  return `${table}\n\n${sizing(KINDS.reduce((all, kind) => all + sum[kind], 0))}`;
}

/** The other way round: how much so many cores carry, with everything on them. */
function sizing(coresOfAll: number): string {
  const carried = SIZES.map((cores) => `**${cores} cores ${inMillions((MESSAGES_A_DAY / coresOfAll) * cores)}**`);
  return `So with everything on one machine, by the same shares and the same peak, ${carried.join(', ')} messages a day.`;
}

function inMillions(messages: number): string {
  return Number.isNaN(messages) ? 'not measured' : `${(messages / 1_000_000).toFixed(1)} million`;
}

function inCores(count: number): string {
  return Number.isNaN(count) ? 'not measured' : count.toFixed(1);
}
