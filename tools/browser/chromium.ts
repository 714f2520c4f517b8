import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const INSTALL_WITHIN_MS = 180_000;
/** A machine without a network must not wait for each mirror. */
const PATIENCE = ['-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::https::Timeout=15'];

/** The path of the browser, or the reason of its absence. */
export type Found = { path: string } | { why: string };

/** Finds a Chromium on the PATH; one that is missing is installed by Debian's apt where `install` is true and root asks. */
export async function findChromium(environment: NodeJS.ProcessEnv, { install }: { install: boolean }): Promise<Found> {
  const path = await onPath(environment);
  if (path !== null) return { path };
  if (!install) return { why: 'this machine has no Chromium; --install takes it from Debian where root runs this' };
  if (process.getuid?.() !== 0) return { why: 'this machine has no Chromium, and only root may install one' };
  const failure = await installByApt(environment);
  if (failure !== null) return { why: `this machine has no Chromium, and apt-get installs none: ${failure}` };
  const installed = await onPath(environment);
  return installed === null
    ? { why: 'apt-get has installed Chromium, and it is not on the PATH' }
    : { path: installed };
}

async function onPath({ PATH = '' }: NodeJS.ProcessEnv): Promise<string | null> {
  for (const directory of PATH.split(delimiter).filter(Boolean))
    for (const name of NAMES) if (await isExecutable(join(directory, name))) return join(directory, name);
  return null;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Returns why it failed, or null. */
async function installByApt(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const options = { timeout: INSTALL_WITHIN_MS, env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await run('apt-get', [...PATIENCE, 'update', '-q'], options);
    await run('apt-get', [...PATIENCE, 'install', '-q', '-y', '--no-install-recommends', 'chromium'], options);
    return null;
  } catch (error) {
    return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? error.name) : String(error);
  }
}
