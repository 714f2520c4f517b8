import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { reasonOf } from '../error-reason.ts';
import { runCommand } from '../process/run-command.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Has a binary fetched into a directory of its own and gives it its name in the cache only when it runs: a start
 * killed half-way, or a second one at the same time, never leaves a broken binary. Answers why it failed, if it did.
 */
export async function installBinary(
  target: string,
  fetchInto: (directory: string) => Promise<string>,
): Promise<string | undefined> {
  const directory = await mkdtemp(join(dirname(target), 'fetching-'));
  try {
    const binary = await fetchInto(directory);
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
