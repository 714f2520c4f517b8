import { until } from '../demo/until.ts';
import { seeded } from '../../local/sandbox/random.ts';
import type { Fault } from './scene.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './sends/ledger.ts';
import type { Options } from './options.ts';
import { readPassports } from './sends/passports.ts';
import type { Round } from './report.ts';
import { settle } from './sends/settle.ts';
import type { Settled } from './sends/settle.ts';
import { Stream } from './sends/stream.ts';

const FEWEST_BEFORE = 10;
const MORE_BEFORE = 20;
const AFTER = 15;

/**
 * Lets each fault strike under a stream of sends. Sends that a fault leaves in doubt settle while the next faults
 * strike, and at the end.
 */
export async function runRounds(
  ground: Ground,
  ledger: Ledger,
  { seed, rounds: times, faults, short }: Options,
  say: (line: string) => void,
): Promise<{ rounds: Round[]; settled: Settled }> {
  await proveStores(ground, ledger);
  const rounds: Round[] = [];
  for (const fault of Array.from({ length: times }, () => faults).flat()) {
    const number = rounds.length + 1;
    const startedAt = performance.now();
    const note = await runRound(ground, ledger, fault, { round: number, short, seed: `${seed}/${number}` });
    const seconds = (performance.now() - startedAt) / 1_000;
    rounds.push({ number, title: fault.title, note, seconds });
    say(`  ${number}. ${fault.title}: ${note} (${seconds.toFixed(1)} s)`);
  }
  const startedAt = performance.now();
  const settled = await settle(ground, ledger);
  say(`  settled after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return { rounds, settled };
}

async function runRound(
  ground: Ground,
  ledger: Ledger,
  fault: Fault,
  { round, short, seed }: { round: number; short: boolean; seed: string },
): Promise<string> {
  const random = seeded(seed);
  const stream = new Stream(ground, ledger, round, seed);
  try {
    await stream.more(FEWEST_BEFORE + Math.floor(random() * MORE_BEFORE));
    const note = await fault.strike({ ground, ledger, round, short, random });
    await stream.repeat();
    await stream.more(AFTER);
    return note;
  } finally {
    await stream.stop();
  }
}

/**
 * Lets each session show one of its sends, because settling believes an empty chat only of a session that has done so.
 */
export async function proveStores(ground: Ground, ledger: Ledger): Promise<void> {
  const stream = new Stream(ground, ledger, 0, 'first');
  try {
    await until('a message of each account to be read', async () => {
      await stream.more(1);
      const passports = await readPassports(ground, ledger.accepted);
      const read = ledger.accepted.filter(({ messageId }) => passports.get(messageId)?.status === 'read');
      return ground.accounts.every((account) => read.some(({ request }) => request.account === account));
    });
  } finally {
    await stream.stop();
  }
}
