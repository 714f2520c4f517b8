import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../config/config.ts';
import { freePort } from '../../local/embedded/port.ts';
import { runCommand } from '../../local/embedded/process/run-command.ts';
import { buildImage } from './build.ts';
import type { Image } from './build.ts';
import { Container } from './container.ts';
import type { Place } from './container.ts';
import { request, sendToRead } from './message.ts';
import { nobody } from './nobody.ts';
import { startSurroundings } from './surroundings.ts';

/**
 * Proves the image on a machine without Docker. It runs the steps of the Dockerfile in an empty directory, starts API and
 * worker from there in production mode and as an unprivileged user, and takes one message to `read`.
 */

const SOURCE = fileURLToPath(new URL('../..', import.meta.url));
const WORKER = ['bin/start.mjs', 'worker'];
const WORKER_CHECK = ['deploy/worker-health.ts'];
/** A process of its own loads it, with the first picture, so the start of the worker does not show that it is missing. */
const LOADS_SHARP = ['--input-type=module', '-e', "await import('sharp')"];
const LOAD_WITHIN_MS = 60_000;
/** Served from files that no import names, so only a request shows that the image has them. */
const PAGES = ['/docs', '/docs/api', '/docs/errors/not_found', '/openapi.json', '/console'];

const { environment } = loadConfig();
const startedAt = performance.now();
const stops = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cancel());

try {
  await prove();
  await stops.disposeAsync();
  say('The image works.');
} catch (error) {
  say(`The image does not work: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  await stops.disposeAsync();
}

async function prove(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-image-'));
  stops.defer(() => rm(directory, { recursive: true, force: true }));
  // The unprivileged user passes through, and lists nothing.
  await chmod(directory, 0o711);

  const image = await buildImage({ source: SOURCE, directory, run: runStep });
  say(`Built ${image.root}: ${await megabytes(image.root)} MB.`);
  const settings = await startSurroundings({
    directory: join(directory, 'surroundings'),
    environment,
    stops,
    say,
  });
  const place = await placeFor(image, directory, settings);
  const node = join(directory, 'node');
  const inImage = ([program = '', ...words]: readonly string[]): string[] => [
    program === 'node' ? node : program,
    ...words,
  ];

  const { ok, output } = await runCommand(node, LOADS_SHARP, { ...place, timeoutMs: LOAD_WITHIN_MS });
  if (!ok) throw new Error(`sharp cannot be loaded, so no picture gets a thumbnail: ${output}`);
  const worker = new Container('worker', [node, ...WORKER], place);
  stops.defer(() => worker.stop());
  const api = new Container('API', inImage(image.command), place);
  stops.defer(() => api.stop());
  await api.becomesHealthy(inImage(image.healthCheck));
  say('The API is healthy.');
  await worker.becomesHealthy([node, ...WORKER_CHECK]);
  say('The worker is healthy.');
  const url = `http://127.0.0.1:${place.env['PORT']}`;
  await sendToRead(url, place.env['WORKFLOW_ENGINE_INTERNAL_PSK'] ?? '');
  say('One message is read.');
  for (const page of PAGES) await request(`${url}${page}`);
  say(`${PAGES.join(', ')} answer 200.`);
  await api.stop();
  await worker.stop();
  say('API and worker stopped with exit code 0.');
}

/** Chooses the account, the variables and the program of the processes, as a container would have them. */
async function placeFor(image: Image, directory: string, settings: Record<string, string>): Promise<Place> {
  const data = join(directory, 'data');
  await mkdir(data);
  // Node itself may lie where only root reads.
  await copyFile(process.execPath, join(directory, 'node'));
  const port = String(await freePort());
  const env = {
    PATH: environment['PATH'] ?? '',
    ...image.environment,
    // A container's own network protects it; on this machine only this machine reaches it.
    HOST: '127.0.0.1',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: data,
    ...settings,
  };
  if (process.getuid?.() !== 0) {
    say('API and worker run as the user who runs this command, because only root can change the user.');
    return { cwd: image.root, env };
  }
  const account = await nobody();
  await chown(data, account.uid, account.gid);
  say(`API and worker run as user ${account.uid}.`);
  return { cwd: image.root, env, ...account };
}

async function runStep(command: string, cwd: string): Promise<void> {
  say(`RUN ${command}`);
  // The base image has this Node as `node`.
  const env = { ...environment, PATH: `${dirname(process.execPath)}:${environment['PATH']}` };
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  stops.defer(() => endGroup(child.pid));
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the step failed with exit code ${code}: RUN ${command}`);
}

/** Ends a step that runs when the command is cancelled, with everything that the step has started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The step has ended by itself.
  }
}

async function megabytes(path: string): Promise<string> {
  const child = spawn('du', ['-sm', path], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output.split('\t')[0] ?? '?';
}

async function cancel(): Promise<void> {
  say('Cancelled.');
  await stops.disposeAsync();
  process.exit(130);
}

function say(line: string): void {
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);
}
