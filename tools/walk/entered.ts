import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf } from '../modules/imports.ts';
import { ENGINE } from '../modules/order.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Two files that are first used within this time stand in the order of the folders. */
const LOOK_EVERY_MS = 10;

/** Folders and files that every act goes through, whatever its subject is. */
const FRAMEWORK: readonly RegExp[] = [
  /^(api|domain|loops)\/[^/]+$/,
  /^(api\/(route|wire)|db\/(engine|tenants|registry)|domain\/(telemetry|tenants|errors))\//,
  /^(adapters\/(backend\/http|egress)|worker|bin|config)\//,
];

export const isFramework = (file: string): boolean => FRAMEWORK.some((pattern) => pattern.test(file));

/** Learns from V8's counts which files of the engine are entered: a call of a function enters its file. */
export class Entered {
  readonly #session: Session;
  /** The functions that ran while nobody acted, such as polls. */
  readonly #atRest = new Set<string>();

  private constructor(session: Session) {
    this.#session = session;
  }

  static async begin(): Promise<Entered> {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const entered = new Entered(session);
    await entered.#take();
    return entered;
  }

  /** Returns the files in the order of first use. The first time, which has no act, learns the engine's own calls. */
  async during(act: () => Promise<unknown>): Promise<string[]> {
    const isRest = this.#atRest.size === 0;
    const files = new Set<string>();
    let isOver = false;
    const acting = act().finally(() => (isOver = true));
    const look = async (): Promise<void> => {
      for (const { file, name } of await this.#take()) {
        if (isRest) this.#atRest.add(name);
        else if (!this.#atRest.has(name)) files.add(file);
      }
    };
    while (!isOver) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    await acting;
    await look();
    return [...files];
  }

  async #take(): Promise<{ file: string; name: string }[]> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    const calls = result.flatMap(({ url, functions }) => {
      const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : '';
      if (!isEngine(file)) return [];
      return functions.flatMap(({ functionName, ranges: [range] }) => {
        // The function of the whole file runs at its import.
        const isCalled = range !== undefined && range.count > 0 && range.startOffset > 0;
        return isCalled ? [{ file, name: `${file} ${functionName} ${range.startOffset}` }] : [];
      });
    });
    const order = Object.keys(ENGINE);
    const placeOf = (file: string): number => order.indexOf(file.split('/')[0] ?? '');
    return calls.toSorted((one, other) => placeOf(one.file) - placeOf(other.file));
  }
}

function isEngine(file: string): boolean {
  const [folder = ''] = file.split('/');
  return folder in ENGINE && folder !== 'local' && file.endsWith('.ts');
}

/** The file of a workflow and those of this folder that it imports. */
export function filesOfWorkflow(type: string): string[] {
  const sources = readdirSync(join(ROOT, 'workflows'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path: `workflows/${path}`, text: readFileSync(join(ROOT, 'workflows', path), 'utf8') }));
  const imports = importsOf(sources).filter(({ isType }) => !isType);
  const first = sources.find(({ text }) => text.includes(`export async function ${type}(`));
  const files = new Set(first ? [first.path] : []);
  for (const file of files) for (const { from, to } of imports) if (from === file) files.add(to);
  return [...files];
}
