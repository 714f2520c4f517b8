import { NAME_OF_KIND } from '../kinds.ts';
import type { Kind } from '../kinds.ts';
import { round } from '../statistics.ts';
import { costOfLine } from './lines.ts';
import type { LineName } from './lines.ts';
import { markdown } from './markdown.ts';
import type { PublishedRow } from './published.ts';

/** The sandbox is not part of an installation, so no cores are planned for it. */
const PLANNED = ['api', 'worker', 'postgres', 'temporal'] as const satisfies readonly Kind[];
const MESSAGES_A_DAY = 10_000_000;
const SECONDS_A_DAY = 86_400;
/** The busiest hour has this many times the messages of the mean hour. */
const PEAK = 3;
/** Processors are used up to this share, so that the queues before them stay short. */
const USED = 0.6;
/** The machines, in cores, of which it is said what they carry. */
const SIZES = [2, 4, 8];

/** A part of the messages of a day, with the line of the short table that counts its cost. */
interface Part {
  name: string;
  share: number;
  line: LineName;
}

const PLAIN: readonly Part[] = [
  { name: 'received', share: 0.5, line: 'Backend events applied, many sessions' },
  { name: 'sent singly', share: 0.3, line: 'Whole lifecycles' },
  { name: 'sent in bulk', share: 0.2, line: 'Whole lifecycles, bulk' },
];
const WITH_AGENT: readonly Part[] = [
  { name: 'received', share: 0.5, line: 'Backend events applied, many sessions' },
  { name: 'sent singly', share: 0.2, line: 'Whole lifecycles' },
  { name: 'of the agent', share: 0.1, line: 'Replies of the agent' },
  { name: 'sent in bulk', share: 0.2, line: 'Whole lifecycles, bulk' },
];

/** Works out how many processors ten million messages a day take in the busiest hour. */
export function scalingTable(rows: readonly PublishedRow[]): string {
  return `${coresTable(rows, PLAIN)}\n\n${sizing(rows)}`;
}

/** The same for a day on which the agent writes a tenth of the messages, and what one more endpoint costs. */
export function agentScalingTable(rows: readonly PublishedRow[]): string {
  const cost = costOfLine(rows, 'Commit to arrival, 200 events/s');
  const each = PLANNED.map((kind) => `${NAME_OF_KIND[kind]} ${costText(cost?.cpuMs[kind])}`);
  return `${coresTable(rows, WITH_AGENT)}\n\nOne more endpoint costs, in ms of CPU for each event: ${each.join(', ')}.`;
}

/** Millions of messages that one core carries in a day, with everything on one machine. */
export function millionsOfACore(rows: readonly PublishedRow[]): string {
  return (MESSAGES_A_DAY / coresOf(rows, PLAIN) / 1_000_000).toFixed(1);
}

function coresTable(rows: readonly PublishedRow[], mix: readonly Part[]): string {
  const head = [
    'Messages',
    'Share',
    'At the peak',
    ...PLANNED.map((kind) => `${NAME_OF_KIND[kind]}: ms each`),
    ...PLANNED.map((kind) => `${NAME_OF_KIND[kind]}: cores`),
  ];
  const parts = mix.map((part) => [
    part.name,
    `${round(part.share * 100)} %`,
    `${round(peakPerSecond(part.share))} /s`,
    ...PLANNED.map((kind) => costText(costOfLine(rows, part.line)?.cpuMs[kind])),
    ...PLANNED.map((kind) => inCores(coresOfPart(rows, part, kind))),
  ]);
  const sums = PLANNED.map((kind) => inCores(mix.reduce((sum, part) => sum + coresOfPart(rows, part, kind), 0)));
  const blank = PLANNED.map(() => '');
  return markdown([head, ...parts, ['all', '100 %', `${round(peakPerSecond(1))} /s`, ...blank, ...sums]]);
}

function peakPerSecond(share: number): number {
  return (MESSAGES_A_DAY / SECONDS_A_DAY) * PEAK * share;
}

function coresOfPart(rows: readonly PublishedRow[], { share, line }: Part, kind: Kind): number {
  return (peakPerSecond(share) * (costOfLine(rows, line)?.cpuMs[kind] ?? NaN)) / 1_000 / USED;
}

function coresOf(rows: readonly PublishedRow[], mix: readonly Part[]): number {
  return mix.flatMap((part) => PLANNED.map((kind) => coresOfPart(rows, part, kind))).reduce((sum, one) => sum + one, 0);
}

/** The other way round: the messages that so many cores carry, with everything on them. */
function sizing(rows: readonly PublishedRow[]): string {
  const all = coresOf(rows, PLAIN);
  const carried = SIZES.map((cores) => `**${cores} cores ${inMillions((MESSAGES_A_DAY / all) * cores)}**`);
  return `With everything on one machine: ${carried.join(', ')} messages a day.`;
}

function inMillions(messages: number): string {
  return Number.isNaN(messages) ? 'not measured' : `${(messages / 1_000_000).toFixed(1)} million`;
}

function inCores(count: number): string {
  return Number.isNaN(count) ? 'not measured' : count.toFixed(1);
}

function costText(ms: number | undefined): string {
  return ms === undefined ? 'not measured' : `${round(ms)}`;
}
