import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Log } from '../domain/log.ts';
import { StartupError } from '../local/embedded/startup-error.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLE = 'dist/workflow-bundle.js';

/** The bundle is made of our workflows, the rules they use, and the SDK around them. */
const SOURCES = [
  '{workflows,domain}/**/*.ts',
  'bin/{bundle,lazy-workflows}.ts',
  'node_modules/@temporalio/{worker,workflow}/package.json',
];

/** The SDK reads its source map as the last thing in the file; our line stands before it, so no other line moves. */
const SOURCE_MAP = '//# sourceMappingURL=data:';
const MARK = '//# sources=sha256-';

/** Runs before the compiler, so that it reads the index as it is written. */
const LAZY = { enforce: 'pre', loader: fileURLToPath(new URL('lazy-workflows.ts', import.meta.url)) } as const;

/** The bundler's lines beside the fault: its search for a file, its own stack, and the compiler's. */
const BESIDE = /^\s*(Caused by:|Stack backtrace:|at |resolve '|You may need an additional plugin|Webpack supports )/;
const IMPORTED_BY = /^ @ (\S+)/m;

/** Makes the workflow bundle ahead of time, so that a worker neither needs the bundler nor waits for it. */
export async function buildWorkflowBundle(root = ROOT): Promise<string> {
  // A start that has a bundle must not wait for the library.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const workflowsPath = join(root, 'workflows/index.ts');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    webpackConfigHook: (config) => ({
      ...config,
      module: { ...config.module, rules: [...(config.module?.rules ?? []), { ...LAZY, resource: workflowsPath }] },
    }),
    workflowInterceptorModules: [join(root, 'workflows/interceptors.ts')],
    logger: new DefaultLogger('WARN'),
  });
  const end = code.lastIndexOf(SOURCE_MAP);
  const path = join(root, BUNDLE);
  mkdirSync(dirname(path), { recursive: true });
  // An engine that starts meanwhile reads the former bundle or this one, never half of it.
  const whole = `${path}.${process.pid}`;
  writeFileSync(whole, `${code.slice(0, end)}${MARK}${hashOfSources(root)}\n${code.slice(end)}`);
  renameSync(whole, path);
  return path;
}

/**
 * Returns the bundle that was made of the present sources. If none exists, another process makes it: bundler and
 * compiler would stay in this one's memory, which is 100 MB. Undefined lets the worker make its own, in production if
 * the image has none, and where `dist` cannot be written.
 */
export async function bundledWorkflows(
  { nodeEnv }: Pick<Config, 'nodeEnv'>,
  log: Pick<Log, 'warn'>,
  root = ROOT,
): Promise<{ codePath: string } | undefined> {
  const made = prebuiltWorkflows({ nodeEnv }, root);
  if (made !== undefined || nodeEnv === 'production') return made;
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url)]);
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? compilerWords(String(error.stderr)) : undefined;
    if (words !== undefined) throw new StartupError(`The workflows cannot be bundled: ${words}`);
    log.warn({ err: error }, 'the workflows could not be bundled ahead, so the worker bundles them itself');
  }
  return prebuiltWorkflows({ nodeEnv }, root);
}

/**
 * Returns the bundle that `npm run bundle` left, if it was made of the present sources. A stale bundle stops a start in
 * production, where nobody would notice that old workflows run. Elsewhere it is made again.
 */
export function prebuiltWorkflows({ nodeEnv }: Pick<Config, 'nodeEnv'>, root = ROOT): { codePath: string } | undefined {
  const codePath = join(root, BUNDLE);
  if (!existsSync(codePath)) return undefined;
  if (readFileSync(codePath, 'utf8').includes(`\n${MARK}${hashOfSources(root)}\n`)) return { codePath };
  if (nodeEnv !== 'production') return undefined;
  throw new StartupError(`${BUNDLE} was built from other workflow sources: rebuild it with "npm run bundle".`);
}

/**
 * Reads fromwhat the bundler has printed the faults of the source: the file, the fault, and who imports it. Undefined
 * where it failed for another reason, such as a disk that cannot be written.
 */
export function compilerWords(printed: string): string | undefined {
  const [, ...faults] = printed.split(/^\s*ERROR in /m);
  if (faults.length === 0) return undefined;
  return faults.map(wordsOf).join('\n');
}

function wordsOf(fault: string): string {
  const [head = ''] = fault.split(/^\s*webpack \d/m);
  const lines = head.split('\n');
  const end = lines.findIndex((line) => BESIDE.test(line));
  const importer = IMPORTED_BY.exec(head.replaceAll(/^ {3}@/gm, ' @'))?.[1];
  const outside = fault.includes('UnhandledSchemeError')
    ? ['Workflows import no code that reaches the world: write it as an activity (docs/extend/add-workflow.md).']
    : [];
  return [
    ...lines.slice(0, end === -1 ? undefined : end).filter((line) => line.trim() !== '' && !IMPORTED_BY.test(line)),
    ...(importer === undefined ? [] : [`imported by ${importer}`]),
    ...outside,
  ].join('\n');
}

function hashOfSources(root: string): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: root }).toSorted()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) console.log(`${await buildWorkflowBundle()} is made.`);
