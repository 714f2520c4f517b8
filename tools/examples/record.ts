import { writeFile } from 'node:fs/promises';
import { startTestServers } from '../../test/global-setup.ts';
import tearDown from '../../test/global-teardown.ts';
import { startSandbox } from '../../local/sandbox/main.ts';
import { startEngine, TEST_SANDBOX } from '../../test/support/engine.ts';
import { BACKEND_KEY } from '../../test/support/keys.ts';
import { Notebook } from './notebook.ts';
import { stable } from './stable.ts';
import { walk } from './walk.ts';

/**
 * Records the examples of the OpenAPI document: `npm run record-examples`. It walks through the whole API of a fresh
 * engine, and takes what was asked and answered. A new route needs a step in the walk.
 */
await startTestServers();
try {
  // It takes no new sessions: one is moved there at the end.
  const second = await startSandbox(TEST_SANDBOX);
  const engine = await startEngine({
    sandbox: { ackDelayMs: 100 },
    environment: { BACKENDS: JSON.stringify([{ id: 'second', url: second.url, apiKey: BACKEND_KEY, weight: 0 }]) },
    formerEncryptionKey: 'the-former-encryption-key-of-examples-0123456789',
    settleDelays: { afterErrorAnswerMs: 300, afterBrokenConnectionMs: 600, longestFileCallMs: 0, giveUpAfterMs: 1_500 },
  });
  const startedAtMs = Date.now();
  try {
    const notebook = new Notebook(engine);
    await walk(engine, notebook);
    const json = stable(`${JSON.stringify(notebook.book, null, 2)}\n`, { startedAtMs, url: engine.url });
    await writeFile(new URL('../../api/reference/examples.json', import.meta.url), json);
    process.stdout.write(`recorded ${Object.keys(notebook.book).length} methods\n`);
  } finally {
    await engine.close();
    await second.close();
  }
} finally {
  await tearDown();
}
