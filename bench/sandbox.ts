import { startSandbox } from '../sandbox/main.ts';

/** Longer than any run: ten thousand sessions whose past appears would be measured with the engine. */
const NO_HISTORY_MS = 24 * 60 * 60_000;

// A process of its own, so that its CPU time is counted apart; the argument is its key.
const sandbox = await startSandbox({
  port: 0,
  apiKey: process.argv[2] ?? '',
  autoScanAfterMs: 50,
  ackDelayMs: 50,
  historyDelayMs: NO_HISTORY_MS,
});
process.once('SIGTERM', () => void sandbox.close().then(() => process.exit(0)));
console.log(sandbox.url);
