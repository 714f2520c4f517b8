import { readFile } from 'node:fs/promises';
import { startSandbox } from '../../local/sandbox/main.ts';
import { checkAnswers } from './answers.ts';
import { checkExamples } from './check-examples.ts';
import { parseDocument } from './document.ts';
import { checkRoutes } from './routes.ts';
import { checkRows } from './rows.ts';
import { checkSendAnswers } from './send-answers.ts';
import { table } from './table.ts';

/**
 * Compares the sandbox with the OpenAPI document of the backend it plays, whose path is the first argument, and with what was
 * recorded at a real one, where the folder of the recordings is the second.
 */
const API_KEY = 'contract-check';

const [path, examples] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write('Say which document: sandbox-contract <path to openapi.json> [<folder of examples>]\n');
  process.exit(2);
}
const document = parseDocument(await readFile(path, 'utf8'));
const sandbox = await startSandbox({
  port: 0,
  apiKey: API_KEY,
  startDelayMs: 1,
  sessionBlockMs: 100,
  historyDelayMs: 0,
  groupsDelayMs: 0,
  autoScanAfterMs: null,
});
try {
  const asked = { url: sandbox.url, apiKey: API_KEY, document };
  const checks = [
    ...(await checkRoutes(asked)),
    ...checkRows(document),
    ...(await checkAnswers(asked)),
    // Before the others: they make the sandbox answer as another engine.
    ...(examples === undefined ? [] : await checkExamples(asked, examples)),
    ...(await checkSendAnswers(asked)),
  ];
  const failed = checks.filter(({ verdict }) => verdict === 'differs');
  process.stdout.write(`${table(checks)}\n\n`);
  process.stdout.write(
    `The sandbox against the backend's document ${document.info.version}: ${checks.length} checks, ` +
      `${checks.filter(({ verdict }) => verdict === 'known').length} with a known difference, ${failed.length} differ.\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await sandbox.close();
}
