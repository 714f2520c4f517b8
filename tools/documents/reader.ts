import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differences, isRecord, lastJson } from './shape.ts';
import { compareAnswer, findingsIn } from './findings.ts';
import type { Fence } from './fences.ts';
import { Terminal } from './terminal.ts';

/** Ends a block that hangs. One block starts servers and a test run, which takes over a minute on a busy machine. */
const BLOCK_LIMIT_MS = 240_000;
/** Includes an installation. */
const BEGIN_LIMIT_MS = 400_000;
const ENVIRONMENT = 'eval "$(./engine env)"';
/** The names under which the documents use the ids of earlier responses, by the beginning of the id. */
const NAME_OF_ID = {
  msg: 'MESSAGE',
  cnv: 'CONVERSATION',
  con: 'CONTACT',
  ses: 'SESSION',
  whe: 'ENDPOINT',
  evt: 'EVENT',
  exe: 'EXECUTION',
  nte: 'NOTE',
  mem: 'MEMORY',
  exp: 'EXPORT',
  str: 'STREAM',
} as const;
/** The same for fields without such a beginning. */
const NAME_OF_FIELD = { fileId: 'FILE', nextCursor: 'CURSOR', apiKey: 'NEW_KEY' } as const;
/** Nothing of these can be run, so they need no word about why they are not. */
const PICTURES = ['mermaid', ''];

export interface Tools {
  clone: string;
  environment: Record<string, string>;
  /** Variables that only the terminal of the engine has, as where a reader's shell has set them for it. */
  engineEnvironment: Record<string, string>;
  /** Runs statements on the engine's database and takes back what they change. */
  runSql(statements: string): Promise<void>;
  /** Returns the newest event of the type that the engine has told. */
  newestEvent(type: string): Promise<unknown>;
  /** The texts of the files that are run elsewhere. */
  snippets: readonly string[];
  /** Changes a line that is run in another way than the document says. */
  adapt(block: string): string;
}

export interface Problem {
  where: string;
  what: string;
}

/** Reads documents from top to bottom and does what they say. */
export class Reader {
  readonly problems: Problem[] = [];
  readonly notRun: { where: string; why: string }[] = [];
  readonly terminals = new Map<string, Terminal>();
  /** The blocks that were pasted, in their order. */
  readonly pasted: { fence: Fence; at: number }[] = [];
  /** When another terminal first showed what a block promises. */
  firstEventAt: number | null = null;
  readonly #tools: Tools;
  #shell: Terminal;
  #shown = '';
  /** The ids of earlier responses. A reader copies them; the documents do not say how for each. */
  readonly #ids = new Map<string, string>();

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#shell = this.#newShell();
  }

  /** A document is read in a new terminal, which has the addresses and keys of the engine once it runs. */
  async read(fences: readonly Fence[]): Promise<void> {
    await this.#shell.close();
    this.#shell = this.#newShell();
    this.#shown = '';
    if (fences.length > 0 && this.terminals.has('engine')) await this.#shell.paste(ENVIRONMENT, BLOCK_LIMIT_MS);
    for (const fence of fences) {
      const where = `${fence.document}:${fence.line}`;
      const found = await this.#follow(fence).catch((error: unknown) => [String(error)]);
      this.problems.push(...found.map((what) => ({ where, what })));
    }
  }

  async close(): Promise<void> {
    await this.#shell.close();
    for (const [name, terminal] of this.terminals) if (name !== 'engine') await terminal.close();
    await this.terminals.get('engine')?.close('Stopped.');
  }

  async #follow(fence: Fence): Promise<string[]> {
    const { marks, language, text } = fence;
    if (PICTURES.includes(language)) return [];
    if (marks.notRun !== null) {
      this.notRun.push({ where: `${fence.document}:${fence.line}`, why: marks.notRun });
      return [];
    }
    if (language === 'sh') return this.#paste(fence);
    if (language === 'sql') return this.#tools.runSql(text).then(() => []);
    if (marks.isAnswer) return compareAnswer(text, this.#shown);
    if (marks.event !== null) return differences(JSON.parse(text), await this.#tools.newestEvent(marks.event));
    if (this.#tools.snippets.some((snippet) => snippet.includes(`${text}\n`))) return [];
    return [`nothing runs this ${language} block: mark it, or say why not (<!-- not run: … -->)`];
  }

  async #paste(fence: Fence): Promise<string[]> {
    const { own, elsewhere, inEmptyDirectory } = fence.marks;
    this.pasted.push({ fence, at: performance.now() });
    const block = this.#tools.adapt(fence.text);
    if (own !== null) {
      const { clone, environment, engineEnvironment } = this.#tools;
      const isEngine = own.terminal === 'engine';
      const terminal = new Terminal(clone, isEngine ? { ...environment, ...engineEnvironment } : environment);
      // Its last words come when its servers have stopped, which the next engine on the same data must not meet.
      await this.terminals.get(own.terminal)?.close(isEngine ? 'Stopped.' : undefined);
      this.terminals.set(own.terminal, terminal);
      await terminal.begin(block, own.until, BEGIN_LIMIT_MS);
      return [];
    }
    const before = elsewhere && (this.terminals.get(elsewhere.terminal)?.output.length ?? 0);
    await this.#shell.paste([...this.#ids].map(([name, id]) => `export ${name}='${id}'`).join('\n'), BLOCK_LIMIT_MS);
    this.#shown = await this.#shell.paste(inEmptyDirectory ? this.#aside(block) : block, BLOCK_LIMIT_MS);
    this.#keepIds(lastJson(this.#shown));
    const found = findingsIn(this.#shown);
    if (elsewhere !== null && before !== null) await this.#seen(elsewhere, before);
    return found;
  }

  /** Keeps the first id of each kind: that of the object itself, or of the first in a list. */
  #keepIds(response: unknown): void {
    if (!isRecord(response) && !Array.isArray(response)) return;
    const text = JSON.stringify(response);
    for (const [prefix, name] of Object.entries(NAME_OF_ID)) {
      const [, id] = new RegExp(`"(${prefix}_[0-9a-f-]{36})"`).exec(text) ?? [];
      if (id !== undefined) this.#ids.set(name, id);
    }
    if (Array.isArray(response)) return;
    for (const [field, name] of Object.entries(NAME_OF_FIELD)) this.#keep(name, response[field]);
    // The id of a key has no beginning of its own.
    if ('apiKey' in response) this.#keep('KEY_ID', response['id']);
  }

  #keep(name: string, value: unknown): void {
    if (typeof value === 'string') this.#ids.set(name, value);
  }

  async #seen(elsewhere: { terminal: string; shows: string }, before: number): Promise<void> {
    const terminal = this.terminals.get(elsewhere.terminal);
    if (terminal === undefined) throw new Error(`There is no terminal "${elsewhere.terminal}".`);
    // The words of an earlier block do not count.
    await terminal.until(elsewhere.shows, BLOCK_LIMIT_MS, before);
    this.firstEventAt ??= performance.now();
  }

  #aside(block: string): string {
    const directory = mkdtempSync(join(tmpdir(), 'engine-aside-'));
    return `pushd ${directory} > /dev/null\n${block}\npopd > /dev/null; rm -r ${directory}`;
  }

  #newShell(): Terminal {
    return new Terminal(this.#tools.clone, this.#tools.environment);
  }
}
