import { migrate } from '../../../db/migrate.ts';
import { until } from '../../demo/until.ts';
import type { Ground } from '../ground.ts';
import type { Ledger } from '../sends/ledger.ts';
import { isUnderWay, readPassports } from '../sends/passports.ts';
import { takeLeftServers } from '../left-servers.ts';
import { proveStores } from '../rounds.ts';
import { settle } from '../sends/settle.ts';
import type { Violation } from '../sends/outcome.ts';
import { Stream } from '../sends/stream.ts';
import type { Balancer } from './balancer.ts';
import { Fleet } from './fleet.ts';
import { changedFunctions, readFunctions } from './functions.ts';
import type { Release } from './previous-release.ts';

export interface Roll {
  ground: Ground;
  ledger: Ledger;
  balancer: Balancer;
  previous: Release;
  seed: number;
  /** The number of APIs, and of workers, for each release. */
  processes: number;
  say: (line: string) => void;
}

/** Sends that were under way when their process was killed are settled after some minutes at the most. */
const SETTLED_WITHIN_MS = 240_000;
const FEW = 15;
const MANY = 40;
const WRITTEN_TO_US = 3;

/**
 * Goes step by step from the previous release to this one while messages flow. Returns everything that is wrong in the
 * end.
 */
export async function roll({ ground, ledger, balancer, previous, seed, processes, say }: Roll): Promise<Violation[]> {
  const startedAt = performance.now();
  const wrong: Violation[] = [];
  let round = 0;
  const step = async (
    title: string,
    count: number,
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<void> => {
    round += 1;
    await flow({ ground, ledger, round, seed, count }, meanwhile);
    const accepted = `${ledger.acceptedIn(round).length} accepted, ${ledger.retriedIn(round)} repeated`;
    say(`  ${round}. ${title}: ${accepted} (${seconds(startedAt)})`);
  };

  await proveStores(ground, ledger);
  await ground.killEngine();
  const servers = await takeLeftServers(ground.machine);
  const former = await Fleet.of(`the previous release (${previous.commit})`, servers.machine, {
    root: previous.root,
    processes,
  });
  const ours = await Fleet.of('this release', servers.machine, { processes });
  const unfit: string[] = [];
  try {
    await former.start();
    balancer.serve(...former.apis);
    await step('the previous release on its schema', FEW);
    const before = await readFunctions(servers.databaseUrl);
    await step('the schema becomes this one’s under it', MANY, async () => {
      await migrate(servers.databaseUrl);
      unfit.push(...changedFunctions(before, await readFunctions(servers.databaseUrl), previous.root));
    });
    await step('killed and started again on the new schema', FEW, async () => {
      ground.deaths += 1;
      await former.kill();
      await former.start();
    });
    await untilSent(ground, ledger);
    await ours.start();
    balancer.serve(...former.apis, ...ours.apis);
    await step('this release beside it', MANY);
    balancer.serve(...ours.apis);
    await step('the previous release stops', FEW, () => former.stop());
    if (processes > 1) {
      const serve = balancer.serve.bind(balancer);
      await step('each process of this release restarts', MANY, () => ours.restartEach(serve));
      // Nothing was killed, and the balancer knew which API was about to stop.
      if (ledger.retriedIn(round) > 0) unfit.push('requests failed while the processes of this release restarted');
    }
    const { violations } = await settle(ground, ledger);
    await ours.stop();
    wrong.push(...violations);
  } catch (error) {
    // The logs of the processes, which follow, mostly show the reason.
    unfit.unshift(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    balancer.serve();
    await Promise.all([former.kill(), ours.kill()]);
    await servers.release();
  }
  unfit.push(...former.misfits(), ...ours.misfits(), ...balancer.broken);
  return [...unfit.map((what) => ({ round, what })), ...wrong];
}

/** Lets messages flow in both directions until `count` more are accepted and `meanwhile` is done. */
async function flow(
  {
    ground,
    ledger,
    round,
    seed,
    count,
  }: { ground: Ground; ledger: Ledger; round: number; seed: number; count: number },
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const stream = new Stream(ground, ledger, round, `${seed}/${round}`);
  try {
    await Promise.all([stream.more(count), personsWrite(ground, ledger, round), meanwhile()]);
    await stream.repeat();
  } finally {
    await stream.stop();
  }
}

async function personsWrite({ accounts, sandbox }: Ground, ledger: Ledger, round: number): Promise<void> {
  for (const { session } of accounts) {
    for (let person = 1; person <= WRITTEN_TO_US; person += 1) {
      const text = `round ${round}, ${session}, person ${person} writes`;
      ledger.inbound.push({ round, text });
      await sandbox.personWrites(session, `1300555${1_000 + person}`, text);
    }
  }
}

/**
 * Waits, while the previous release is alone, until it has sent everything. Otherwise this release would send the
 * messages that the previous one cannot.
 */
async function untilSent(ground: Ground, ledger: Ledger): Promise<void> {
  const isSent = async (): Promise<boolean> => {
    const passports = await readPassports(ground, ledger.accepted);
    return ledger.accepted.every(({ messageId }) => {
      const passport = passports.get(messageId);
      return passport !== undefined && !isUnderWay(passport);
    });
  };
  await until('the previous release to have sent everything on the new schema', isSent, SETTLED_WITHIN_MS);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
