import { loadConfig } from '../../config/config.ts';
import { bundleWorkflows } from './bundle.ts';
import { Ground } from './ground.ts';
import { Ledger } from './sends/ledger.ts';
import { readOptions, USAGE } from './options.ts';
import type { Options } from './options.ts';
import { proveProperties } from './properties.ts';
import { eventsLine, table, uncertainLines } from './report.ts';
import { runRounds } from './rounds.ts';

const SHOWN_VIOLATIONS = 20;

const options = readOptions(process.argv.slice(2));
if (options === null) say(USAGE);
else process.exitCode = (await prove(options)) ? 0 : 1;

/** Runs the faults and returns true when every promise held. */
async function prove(given: Options): Promise<boolean> {
  const startedAt = performance.now();
  const config = loadConfig();
  const haveProperties = !given.properties || (await proveProperties(config.environment));
  if (given.faults.length === 0) return haveProperties;
  say(
    `Faults with seed ${given.seed}: an engine of its own, the sandbox as its network, two accounts, one webhook receiver.`,
  );
  const removeBundle = await bundleWorkflows(config);
  try {
    return (await strike(await Ground.open(config.environment, given.seed), given)) && haveProperties;
  } finally {
    await removeBundle();
    say(`${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  }
}

async function strike(ground: Ground, given: Options): Promise<boolean> {
  const ledger = new Ledger();
  let held = false;
  try {
    const { rounds, settled } = await runRounds(ground, ledger, given, say);
    say(`\n${table(rounds, ledger, settled)}\n\n${eventsLine(ground)}`);
    for (const line of uncertainLines(ledger, settled)) say(line);
    for (const { round, what } of settled.violations.slice(0, SHOWN_VIOLATIONS)) say(`✗ round ${round}: ${what}`);
    held = settled.violations.length === 0;
    say(held ? '✓ Every promise held.' : `✗ ${settled.violations.length} promises were broken.`);
  } catch (error) {
    say(`✗ ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    await ground.close({ keepData: !held });
  }
  if (!held) say(`Look into ${ground.machine.dataDir}, and repeat with --seed ${given.seed}.`);
  return held;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
