import { readFile } from 'node:fs/promises';
import { startSandbox } from '../../sandbox/main.ts';
import { checkAnswers } from './answers.ts';
import { parseDocument } from './document.ts';
import { checkRoutes } from './routes.ts';
import { checkSendAnswers } from './send-answers.ts';
import { table } from './table.ts';

/** Compares the sandbox with the OpenAPI document of the backend it plays. Its path is the only argument. */
const API_KEY = 'contract-check';

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write('Say which document: sandbox-contract <path to openapi.json>\n');
  process.exit(2);
}
const document = parseDocument(await readFile(path, 'utf8'));
const sandbox = await startSandbox({ port: 0, apiKey: API_KEY, startDelayMs: 1, autoScanAfterMs: null });
try {
  const asked = { url: sandbox.url, apiKey: API_KEY, document };
  const checks = [...(await checkRoutes(asked)), ...(await checkAnswers(asked)), ...(await checkSendAnswers(asked))];
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
