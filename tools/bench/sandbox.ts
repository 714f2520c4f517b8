import { startSandbox } from '../../local/sandbox/main.ts';

/** Longer than any run: ten thousand sessions whose past appears would be measured with the engine. */
const NO_HISTORY_MS = 24 * 60 * 60_000;

// A process of its own, so that its CPU time is counted apart; the arguments are its key and its port.
const [apiKey = '', port = '0'] = process.argv.slice(2);
const sandbox = await startSandbox({
  port: Number(port),
  apiKey,
  autoScanAfterMs: 50,
  ackDelayMs: 50,
  historyDelayMs: NO_HISTORY_MS,
});
process.once('SIGTERM', () => void sandbox.close().then(() => process.exit(0)));
console.log(sandbox.url);
