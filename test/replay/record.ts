import { writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import setUp from '../global-setup.ts';
import tearDown from '../global-teardown.ts';
import { startEngine } from '../support/engine.ts';
import { STORIES } from './stories.ts';

/**
 * Records the histories that replay.test.ts replays: `npx node test/replay/record.ts [story …]`. About three minutes
 * for all of them, most of it the two that a message without an ack is watched for.
 */
const names = process.argv.slice(2);
/** Acks come one by one and after the answer, as they do on a real network. */
const ACK_DELAY_MS = 1_000;
const chosen = STORIES.filter(({ name }) => names.length === 0 || names.includes(name));

await setUp();
try {
  const engine = await startEngine({ sandbox: { ackDelayMs: ACK_DELAY_MS } });
  try {
    for (const story of chosen) {
      const handle = await story.tell(engine);
      await writeFile(
        new URL(`${story.name}.json`, import.meta.url),
        lines(historyToJSON(await handle.fetchHistory())),
      );
      process.stdout.write(`recorded ${story.name}\n`);
    }
  } finally {
    await engine.close();
  }
} finally {
  await tearDown();
}

/** One event a line, so that a changed history reads well in a diff; without the recording machine's name and paths. */
function lines(json: string): string {
  const { events } = JSON.parse(json, (key, value: unknown) => {
    if (key === 'identity') return 'recorder';
    return key === 'stackTrace' ? '' : value;
  });
  return `{"events":[\n${events.map((event: unknown) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}
