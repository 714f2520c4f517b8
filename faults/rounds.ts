import { until } from '../demo/until.ts';
import { seeded } from '../sandbox/random.ts';
import type { Random } from '../sandbox/random.ts';
import type { Fault } from './faults.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './ledger.ts';
import type { Options } from './options.ts';
import { readPassports } from './passports.ts';
import type { Round } from './report.ts';
import { settle } from './settle.ts';
import type { Settled } from './settle.ts';
import { Stream } from './stream.ts';

const FEWEST_BEFORE = 10;
const MORE_BEFORE = 40;
const AFTER = 25;

/** Each fault under a stream of sends; settled after each, or, in the short form, once at the end. */
export async function runRounds(
  ground: Ground,
  ledger: Ledger,
  { seed, rounds: times, faults, short }: Options,
  say: (line: string) => void,
): Promise<{ rounds: Round[]; settled: Settled }> {
  await proveStore(ground, ledger);
  const rounds: Round[] = [];
  let settled: Settled | undefined;
  for (const fault of Array.from({ length: times }, () => faults).flat()) {
    const number = rounds.length + 1;
    const round = await runRound(ground, ledger, number, fault, seeded(`${seed}/${number}`));
    rounds.push(round);
    say(`  ${round.number}. ${round.title}: ${round.note} (${round.seconds.toFixed(1)} s)`);
    if (!short) settled = await settledAfter(ground, ledger, round, say);
    // What is broken now would be found again after every other round.
    if (settled && settled.violations.length > 0) break;
  }
  return { rounds, settled: settled ?? (await settle(ground, ledger)) };
}

async function runRound(ground: Ground, ledger: Ledger, number: number, fault: Fault, random: Random): Promise<Round> {
  const startedAt = performance.now();
  const stream = new Stream(ground, ledger, number);
  try {
    await stream.more(FEWEST_BEFORE + Math.floor(random() * MORE_BEFORE));
    const note = await fault.strike({ ground, ledger, round: number, random });
    await stream.more(AFTER);
    return { number, title: fault.title, note, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    await stream.stop();
  }
}

async function settledAfter(ground: Ground, ledger: Ledger, round: Round, say: (line: string) => void) {
  const startedAt = performance.now();
  const settled = await settle(ground, ledger);
  const seconds = (performance.now() - startedAt) / 1_000;
  const verdict = settled.violations.length === 0 ? 'everything as promised' : `${settled.violations.length} wrong`;
  say(`     ${ledger.acceptedIn(round.number)} accepted, ${verdict} after ${seconds.toFixed(1)} s`);
  return settled;
}

/** Settling believes an empty chat only of a session that has shown one of its sends before. */
async function proveStore(ground: Ground, ledger: Ledger): Promise<void> {
  const stream = new Stream(ground, ledger, 0);
  await stream.more(1);
  await stream.stop();
  await until('the first message to be read', async () => {
    const passports = await readPassports(ground, ledger.accepted);
    return [...passports.values()].some(({ status }) => status === 'read');
  });
}
