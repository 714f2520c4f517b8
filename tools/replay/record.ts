import { mkdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { VERSION } from '../../bin/version.ts';
import { startTestServers } from '../../test/global-setup.ts';
import tearDown from '../../test/global-teardown.ts';
import { startEngine } from '../../test/support/engine.ts';
import { HISTORIES, filesOf, historyText } from '../../test/replay/histories.ts';
import { writeManifest } from '../../test/replay/manifest.ts';
import { STORIES } from '../../test/replay/stories.ts';

/**
 * Records the histories that replay.test.ts replays, as those of this version and never of another:
 * `npm run record-histories [-- story …]`. About five minutes for all of them, most of it the two that a message without
 * an ack is watched for.
 */
const names = process.argv.slice(2);
/** Acks come one by one and after the answer, as they do on a real network. */
const ACK_DELAY_MS = 1_000;
/** A long-lived workflow begins a new run after this many events instead of thousands; no other story has as many. */
const EVENTS_OF_A_RUN = 120;

const unknown = names.filter((name) => !STORIES.some((story) => story.name === name));
if (unknown.length > 0) throw new Error(`There is no story ${unknown.join(', ')}.`);
const chosen = STORIES.filter(({ name }) => names.length === 0 || names.includes(name));
const folder = new URL(`${VERSION}/`, HISTORIES);
mkdirSync(folder, { recursive: true });
for (const file of filesOf(VERSION)) {
  if (!STORIES.some(({ name }) => file === `${name}.json`)) rmSync(new URL(file, folder));
}

await startTestServers({ 'limit.historyCount.suggestContinueAsNew': EVENTS_OF_A_RUN });
try {
  const engine = await startEngine({ sandbox: { ackDelayMs: ACK_DELAY_MS } });
  try {
    for (const story of chosen) {
      const handle = await story.tell(engine);
      await writeFile(new URL(`${story.name}.json`, folder), historyText(await handle.fetchHistory()));
      writeManifest(VERSION);
      process.stdout.write(`recorded ${VERSION}/${story.name}\n`);
    }
  } finally {
    await engine.close();
  }
} finally {
  await tearDown();
}
