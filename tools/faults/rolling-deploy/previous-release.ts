import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../demo/engine-process.ts';
import { lastLine, runCommand } from '../../../local/embedded/process/run-command.ts';

/** The file that names the commit of the previous release. The maker of a release writes its commit there. */
const COMMIT_FILE = join(ROOT, '.ci/previous-release');
const INSTALL_WITHIN_MS = 600_000;
const COMMAND_WITHIN_MS = 180_000;

export interface Release {
  commit: string;
  /** The directory of the release's files. */
  root: string;
}

const Lock = z.object({ packages: z.record(z.string(), z.looseObject({})) });

/** Checks the previous release out of git's history, installs its packages and bundles its workflows. */
export async function checkOutPrevious(root: string, env: NodeJS.ProcessEnv): Promise<Release> {
  const commit = (await readFile(COMMIT_FILE, 'utf8')).trim();
  const archive = join(root, 'release.tar');
  await run('git', ['archive', '--format=tar', '-o', archive, commit], {
    cwd: ROOT,
    env,
    remedy: 'it must be in the history of this clone, so fetch all of it: git fetch --unshallow',
  });
  await run('tar', ['-xf', archive], { cwd: root, env });
  await providePackages(root, env);
  // The bundle is made once for all of the release's workers.
  await run(process.execPath, ['bin/bundle.ts'], { cwd: root, env });
  return { commit: commit.slice(0, 7), root };
}

/** Provides the release's packages. Equal ones are linked from this checkout, which saves a minute. */
async function providePackages(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  if ((await packagesOf(root)) === (await packagesOf(ROOT))) {
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    return;
  }
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: root, env, timeoutMs: INSTALL_WITHIN_MS });
}

/**
 * Describes the packages that the lock file installs, without the engine's own version, which changes with each
 * release.
 */
async function packagesOf(root: string): Promise<string> {
  const { packages } = Lock.parse(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
  const { version, ...itself } = packages[''] ?? {};
  return version === undefined ? '' : JSON.stringify({ ...packages, '': itself });
}

async function run(
  command: string,
  args: string[],
  {
    remedy,
    timeoutMs = COMMAND_WITHIN_MS,
    ...where
  }: { cwd: string; env: NodeJS.ProcessEnv; remedy?: string; timeoutMs?: number },
): Promise<void> {
  const { ok, output } = await runCommand(command, args, { ...where, timeoutMs });
  if (ok) return;
  const reason = lastLine(output);
  throw new Error(`"${command} ${args.join(' ')}" failed (${reason})${remedy === undefined ? '.' : `: ${remedy}.`}`);
}
