import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../config/config.ts';
import { freePort } from '../../../local/embedded/port.ts';
import { bundleWorkflows } from '../bundle.ts';
import { Ground } from '../ground.ts';
import { Ledger } from '../sends/ledger.ts';
import { Balancer } from './balancer.ts';
import { checkOutPrevious } from './previous-release.ts';
import type { Release } from './previous-release.ts';
import { rollOptions } from './options.ts';
import type { RollOptions } from './options.ts';
import { roll } from './roll.ts';

/**
 * Plays a rolling deploy as operators do it. The previous release runs, the database is migrated under it, this release
 * starts beside it, and the previous one stops. Messages are on their way all the time.
 */
const startedAt = performance.now();
const options = rollOptions(process.argv.slice(2));
const SHOWN_VIOLATIONS = 20;

const config = loadConfig();
const scratch = await mkdtemp(join(tmpdir(), 'previous-release-'));
const balancer = new Balancer();
try {
  const previous = await checkOutPrevious(scratch, config.environment);
  const removeBundle = await bundleWorkflows(config);
  try {
    process.exitCode = (await prove(previous, options)) ? 0 : 1;
  } finally {
    await removeBundle();
  }
} finally {
  balancer.close();
  await rm(scratch, { recursive: true, force: true });
  say(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}

/** Runs the deploy and returns true when every promise held. */
async function prove(previous: Release, { seed, processes, temporalAddress }: RollOptions): Promise<boolean> {
  say(`Rolling deploy with seed ${seed}, from ${previous.commit} to these files.`);
  const port = await freePort();
  const settings = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${await balancer.listen()}`,
    ...(temporalAddress === undefined ? {} : { TEMPORAL_ADDRESS: temporalAddress }),
  };
  balancer.serve({ name: 'the previous release', port });
  const ground = await Ground.open(config.environment, seed, { root: previous.root, settings });
  let held = false;
  try {
    // 0.1.0 sends native buttons twice when their answer is lost, which is no fault of the deploy. On GOWS, which the
    // accounts use here, buttons go as text.
    for (const { session } of ground.accounts) await ground.sandbox.account(session, 'engine', { engine: 'GOWS' });
    const ledger = new Ledger();
    const violations = await roll({ ground, ledger, balancer, previous, seed, processes, say });
    for (const { round, what } of violations.slice(0, SHOWN_VIOLATIONS)) say(`✗ step ${round}: ${what}`);
    held = violations.length === 0;
    const { accepted, inbound, retried } = ledger;
    say(
      `${held ? '✓' : '✗'} ${accepted.length} accepted (${retried.length} requests repeated), ${inbound.length} received, ` +
        `${ground.receiver.events().length} events: ${held ? 'each once, and in order' : `${violations.length} are wrong`}.`,
    );
  } catch (error) {
    say(`✗ ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await ground.close({ keepData: !held });
  }
  if (!held) say(`Look into ${ground.machine.dataDir}, and repeat with: npm run rolling-deploy -- ${seed}`);
  return held;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
