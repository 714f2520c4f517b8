import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ORDER } from '../../tools/modules/order.ts';
import { ROOT } from './source-files.ts';

const Finding = z.object({ filename: z.string(), code: z.string(), message: z.string(), help: z.string().default('') });
export type Finding = z.infer<typeof Finding>;
const Report = z.object({ diagnostics: z.array(Finding) });

/**
 * Runs the project's lint over files, and returns its findings by file name. The files lie in a directory of their own
 * with the project's modules and its configuration.
 */
export async function lint(files: ReadonlyMap<string, string>): Promise<Map<string, Finding[]>> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-lint-'));
  try {
    await mkdir(join(directory, 'tools/modules'), { recursive: true });
    for (const name of ['oxlint.config.ts', '.gitignore', 'tools/modules/order.ts', 'tools/modules/tree.ts']) {
      await copyFile(join(ROOT, name), join(directory, name));
    }
    for (const [folder, lines] of Object.entries(ORDER)) {
      for (const module of ['', ...lines.flat()]) await mkdir(join(directory, folder, module), { recursive: true });
    }
    for (const [name, code] of files) {
      await mkdir(join(directory, dirname(name)), { recursive: true });
      await writeFile(join(directory, name), `${code}\n`);
    }
    return Map.groupBy(await run(directory), ({ filename }) => filename);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function run(cwd: string): Promise<Finding[]> {
  const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
  const asked = promisify(execFile)(oxlint, ['-c', 'oxlint.config.ts', '--format', 'json', '.'], { cwd });
  // Its exit code says that something was found, which is what we want.
  const { stdout } = await asked.catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
  return Report.parse(JSON.parse(stdout)).diagnostics;
}
