import { spawnSync } from 'node:child_process';
import { readAutomations } from '../../bin/automations.ts';
import { StartupError } from '../../local/embedded/startup-error.ts';
import { AUTOMATIONS, DRAFTS, RECORDED, recordIfPassed, refusalToRecord } from '../../test/automations/histories.ts';
import { writeManifest } from '../../test/replay/manifest.ts';

/**
 * Records the executions of an automation's test as the histories of its version: `npm run automation:record <name>`.
 * Continuous integration replays them forever, so nothing is overwritten.
 */
const [name = ''] = process.argv.slice(2);
const refused = await record();
if (refused !== null) {
  process.stderr.write(`${refused}\n`);
  process.exitCode = 1;
}

/** Returns the reason for a refusal; null after a recording. */
async function record(): Promise<string | null> {
  const automations = await readAutomations().catch((error: unknown) => {
    if (error instanceof StartupError) return error.message;
    throw error;
  });
  if (typeof automations === 'string') return automations;
  const versions = new Map(automations.list().map((each) => [each.name, each.definition.version]));
  const refusal = refusalToRecord(name, versions);
  if (refusal !== null) return refusal;
  const files = recordIfPassed(runTest);
  if (files === null) return 'The test failed, so nothing is recorded: fix it, then record again.';
  if (files.length === 0) return `The test started no execution of ${name}, so nothing is recorded.`;
  writeManifest(AUTOMATIONS);
  for (const file of files) process.stdout.write(`recorded ${AUTOMATIONS}/${file}\n`);
  return null;
}

function runTest(drafts: string): boolean {
  const { status } = spawnSync('npm', ['test', '--', `test/automations/${name}.test.ts`], {
    stdio: 'inherit',
    env: { ...process.env, [RECORDED]: name, [DRAFTS]: drafts },
  });
  return status === 0;
}
