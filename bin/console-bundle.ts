import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ConsoleFile, ConsoleFiles, ReadConsole } from '../api/console/files.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../domain/log.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIRECTORY = 'dist/console';
const SCRIPT = 'packages/console/main.tsx';
const STYLE = 'packages/console/style/main.css';

/** The bundle as the bundler has made it, or as it was kept. */
interface Bundle {
  contents: ReadonlyMap<string, Buffer>;
  script: string;
  style: string;
  needed: readonly string[];
}

const packedByGzip = promisify(gzip);
const packedByBrotli = promisify(brotliCompress);

/** Bundles the console, in memory. The library is loaded only here: a start with a finished bundle has no need of it. */
async function bundleConsole(root: string): Promise<Bundle> {
  const { build, stop } = await import('esbuild');
  try {
    const { metafile, outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: [SCRIPT, STYLE],
      outdir: DIRECTORY,
      entryNames: '[name]-[hash]',
      chunkNames: '[name]-[hash]',
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      loader: { '.svg': 'text' },
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    const made = Object.entries(metafile.outputs);
    const nameOf = (entry: string): string =>
      basename(made.find(([, { entryPoint }]) => entryPoint === entry)?.[0] ?? entry);
    const [, main] = made.find(([, { entryPoint }]) => entryPoint === SCRIPT) ?? [];
    return {
      contents: new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)])),
      script: nameOf(SCRIPT),
      style: nameOf(STYLE),
      needed: (main?.imports ?? []).filter(({ kind }) => kind === 'import-statement').map(({ path }) => basename(path)),
    };
  } finally {
    // Its process would stay as long as this one.
    await stop();
  }
}

/** Keeps the bundle on the disk, for an installation without the bundler. Returns its directory. */
export async function buildConsole(root = ROOT): Promise<string> {
  const { contents, ...entries } = await bundleConsole(root);
  const directory = join(root, DIRECTORY);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [name, content] of contents) await writeFile(join(directory, name), content);
  await writeFile(join(directory, 'entries.json'), JSON.stringify(entries));
  return directory;
}

async function keptBundle(root: string): Promise<Bundle> {
  const directory = join(root, DIRECTORY);
  const { script, style, needed }: Omit<Bundle, 'contents'> = JSON.parse(
    await readFile(join(directory, 'entries.json'), 'utf8'),
  );
  const names = (await readdir(directory)).filter((name) => name.endsWith('.js') || name.endsWith('.css'));
  const contents = await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const));
  return { contents: new Map(contents), script, style, needed };
}

async function packed({ contents, ...entries }: Bundle): Promise<ConsoleFiles> {
  const files = await Promise.all(
    [...contents].map(async ([name, plain]) => [name, await packedFile(name, plain)] as const),
  );
  return { ...entries, files: new Map(files) };
}

async function packedFile(name: string, plain: Buffer): Promise<ConsoleFile> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    plain,
    gzip: await packedByGzip(plain, { level: 9 }),
    brotli: await packedByBrotli(plain, { params }),
  };
}

/**
 * Gives the console's files, which are made or read at the first call. In production it is the bundle that
 * `npm run bundle` left; elsewhere it is always made of the present sources. An engine without either has no console
 * and says so on its page.
 */
export function createReadConsole(
  { nodeEnv }: Pick<Config, 'nodeEnv'>,
  log: Pick<Log, 'warn'>,
  root = ROOT,
): ReadConsole {
  let reading: Promise<ConsoleFiles | undefined> | undefined;
  const isKept = nodeEnv === 'production' && existsSync(join(root, DIRECTORY, 'entries.json'));
  const read = async (): Promise<ConsoleFiles | undefined> => {
    if (!isKept && !existsSync(join(root, SCRIPT))) return undefined;
    return packed(await (isKept ? keptBundle(root) : bundleConsole(root)));
  };
  return () => {
    reading ??= read().catch((error: unknown) => {
      log.warn({ err: error }, 'the console could not be bundled, so its page is missing');
      return undefined;
    });
    return reading;
  };
}

if (import.meta.main) console.log(`${await buildConsole()} is made.`);
