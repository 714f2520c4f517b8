import { findingsIn } from './findings.ts';
import type { Fence } from './fences.ts';
import type { Reader, Tools } from './reader.ts';
import { Terminal } from './terminal.ts';

const LIMIT_MS = 120_000;
const ENVIRONMENT = 'eval "$(./engine env)"';
const SENTENCE = /^bash: \w+: (\S+ ){3,}/m;

interface Scene {
  tools: Tools;
  reader: Reader;
}

/** Pastes what readers paste by mistake. Each must end with a sentence that says what to do. */
export async function badPastes(blocks: readonly Fence[], scene: Scene): Promise<string[]> {
  const wrong: string[] = [];
  const expectIn = (what: string, output: string, words: RegExp): void => {
    if (!words.test(output))
      wrong.push(`${what} should end with a sentence like ${String(words)}, and shows:\n${output}`);
  };
  wrong.push(...(await pastedFirst(blocks, scene)));
  wrong.push(...(await pastedTwice(blocks, scene)));
  const shell = newShell(scene);
  const connect = blockWith(blocks, '/api/v1/sessions"');
  expectIn(
    'A revoked key',
    await shell.paste(`${ENVIRONMENT}\nKEY=mae_dk_revoked\n${connect}`, LIMIT_MS),
    /^401 unauthorized: .* registering again with "rotateKey": true/m,
  );
  expectIn(
    'A revoked key that is kept',
    await shell.paste(
      `cp "$KEY_FILE" kept; echo mae_dk_revoked > "$KEY_FILE"\n${ENVIRONMENT}\ncp kept "$KEY_FILE"`,
      LIMIT_MS,
    ),
    /is not valid any more: register the dashboard again/,
  );
  await scene.reader.terminals.get('engine')?.close('Stopped.');
  expectIn(
    'An engine that is stopped',
    await shell.paste(connect, LIMIT_MS),
    /Is the engine running\? Start it with: npm start/,
  );
  expectIn('./engine env without an engine', await shell.paste(ENVIRONMENT, LIMIT_MS), /npm start/);
  await shell.close();
  wrong.push(...(await secondDay(scene)));
  return wrong;
}

/** In a new terminal no command goes out with an empty variable: each that needs one says what to do. */
async function pastedFirst(blocks: readonly Fence[], scene: Scene): Promise<string[]> {
  const wrong: string[] = [];
  const shell = newShell(scene);
  await shell.paste(
    'curl() { echo "@went out: $*"; }; npx() { :; }; ./engine() { :; }; python3() { :; }; npm() { :; }',
    LIMIT_MS,
  );
  for (const { document, line, text, marks } of blocks) {
    if (marks.inEmptyDirectory || marks.own !== null) continue;
    const output = await shell.paste(`(\n${text}\n)`, LIMIT_MS);
    const isAsked = /\$\{?[A-Z]/.test(text) && text.includes('curl ');
    if (output.includes('@went out') || (isAsked && !SENTENCE.test(output))) {
      wrong.push(`${document}:${line}: pasted first, it should say what is missing and send nothing:\n${output}`);
    }
  }
  await shell.close();
  return wrong;
}

/** The steps of the README may be repeated. */
async function pastedTwice(blocks: readonly Fence[], scene: Scene): Promise<string[]> {
  const shell = newShell(scene);
  const wrong: string[] = [];
  for (const { document, line, text, marks } of blocks) {
    if (document !== 'README.md' || marks.own !== null) continue;
    const found = findingsIn(await shell.paste(text, LIMIT_MS));
    if (found.length > 0) wrong.push(`${document}:${line}: pasted twice: ${found.join('\n')}`);
  }
  await shell.close();
  return wrong;
}

/** Starts again on the same data: what the screen prints then can be pasted. */
async function secondDay(scene: Scene): Promise<string[]> {
  const { clone, environment, engineEnvironment } = scene.tools;
  const engine = new Terminal(clone, { ...environment, ...engineEnvironment });
  scene.reader.terminals.set('engine', engine);
  await engine.begin('npm start', 'Stop with Ctrl-C', LIMIT_MS);
  const screen = engine.output;
  const from = screen.indexOf(ENVIRONMENT);
  const commands = screen.slice(from, screen.indexOf('\n  ', screen.indexOf('field messageId')));
  const shell = newShell(scene);
  const output = await shell.paste(commands, LIMIT_MS);
  await shell.close();
  const found = findingsIn(output);
  if (from < 0 || !output.includes('"messageId"')) found.push(`the screen's commands have sent nothing:\n${output}`);
  return found.map((what) => `The second day: ${what}`);
}

function newShell({ tools }: Scene): Terminal {
  return new Terminal(tools.clone, tools.environment);
}

function blockWith(blocks: readonly Fence[], words: string): string {
  return blocks.find(({ text }) => text.includes(words))?.text ?? `echo "no block has ${words}"`;
}
