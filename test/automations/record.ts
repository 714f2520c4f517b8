import { spawnSync } from 'node:child_process';
import { definitionName } from '../../domain/automations/name.ts';
import * as automations from '../../workflows/automations/index.ts';
import { AUTOMATIONS, historiesOf, RECORDED, refusalToRecord } from './histories.ts';
import { writeManifest } from '../replay/manifest.ts';

/**
 * Records what the test of an automation tells, each execution one history, as those of its version:
 * `npm run automation:record <name>`. Continuous integration replays them for ever, so nothing is recorded over.
 */
const [name = ''] = process.argv.slice(2);
const versions = new Map(Object.entries(automations).map(([key, { version }]) => [definitionName(key), version]));
const version = versions.get(name);
const refused = refusalToRecord(name, versions);
if (refused === null) record(version ?? 0);
else {
  process.stderr.write(`${refused}\n`);
  process.exitCode = 1;
}

function record(of: number): void {
  const { status } = spawnSync('npm', ['test', '--', `test/automations/${name}.test.ts`], {
    stdio: 'inherit',
    env: { ...process.env, [RECORDED]: name },
  });
  writeManifest(AUTOMATIONS);
  const files = historiesOf(name, of);
  for (const file of files) process.stdout.write(`recorded ${AUTOMATIONS}/${file}\n`);
  if (status !== 0 || files.length === 0) process.exitCode = 1;
}
