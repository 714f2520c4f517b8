import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Prints the URL of each module that the process loads, when it ends. */
const TRACE = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const urls = [];
  registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
  process.on('exit', () => writeSync(2, '\\n@modules ' + JSON.stringify(urls)));`;

interface Loaded {
  /** The packages of npm. */
  packages: string[];
  /** The folders of this checkout; of adapters, local and packages those inside. */
  folders: string[];
}

/** Runs a command in a process of its own, where no engine runs, and tells what it has loaded by its end. */
async function loadedBy(words: string[]): Promise<Loaded> {
  const hook = `data:text/javascript,${encodeURIComponent(TRACE)}`;
  const errors = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      ['--import', hook, `${ROOT}bin/start.mjs`, ...words],
      { cwd: tmpdir(), env: { PATH: process.env['PATH'] ?? '', DATA_DIR: `${tmpdir()}/no-engine-here`, PORT: '9' } },
      (_, __, stderr) => resolve(stderr),
    );
  });
  const urls = /@modules (\[.*\])/.exec(errors)?.[1]?.match(/(?<=")[^",]+(?=")/g) ?? [];
  const files = urls.filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  const packages = files.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const own = files.filter((path) => path.startsWith(ROOT) && !path.includes('/node_modules/'));
  const folders = own.map(
    (path) => /^(?:(?:adapters|local|packages)\/)?[^/]+/.exec(path.slice(ROOT.length))?.[0] ?? '',
  );
  return { packages: [...new Set(packages)].toSorted(), folders: [...new Set(folders)].toSorted() };
}

// Loading is most of a command's cost, and a person waits for it each time.
describe('a command loads only what it needs', () => {
  const LEAST = ['bin', 'domain', 'local/embedded'];
  const ASKS = [...LEAST, 'config', 'packages/typescript'];
  const AT = ['--url', 'http://127.0.0.1:9', '--api-key', 'mae_none'];

  it.each([
    [['--help'], [], LEAST],
    [['env', '--help'], [], LEAST],
    [['--version'], [], LEAST],
    [['no-such-command'], [], LEAST],
    [['env'], ['zod'], [...LEAST, 'config']],
    [['call', 'GET', '/status', ...AT], ['zod'], [...LEAST, 'config']],
    [['listen'], ['zod'], [...ASKS, 'activities']],
    [['resend', 'evt_1', '--forward', 'http://127.0.0.1:9', ...AT], ['zod'], [...ASKS, 'activities']],
    [['trigger', 'message', ...AT], ['zod'], ASKS],
    [['parked-events', '--psk', 'none'], ['zod'], ASKS],
    [['rotate-encryption-key', '--psk', 'none'], ['zod'], ASKS],
    [['temporal', 'workflow', 'list'], ['zod'], [...LEAST, 'config']],
  ])('%j loads the packages %j', async (words, packages, folders) => {
    expect(await loadedBy(words)).toEqual({ packages, folders: folders.toSorted() });
  });
});
