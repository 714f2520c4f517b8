import { readCall } from '../../bin/cli/call.ts';
import { findingsIn } from './findings.ts';
import type { Fence } from './fences.ts';
import type { Reader, Tools } from './reader.ts';
import { Terminal } from './terminal.ts';

const LIMIT_MS = 120_000;
const ENVIRONMENT = 'eval "$(./engine env)"';
const ASK = 'curl -sS "$URL/api/v1/sessions" -H "x-api-key: $KEY" | field';
const CALL = './engine call GET /sessions';
/** Shows each request that would go out, and runs nothing. A block that waits for the engine would wait forever. */
const STUBS = `
  curl() { for word; do case $word in http*) echo "@went out: $word";; esac; done; }
  ./engine() { echo "@engine $*"; }
  sleep() { exit; }; field() { :; }; npx() { :; }; python3() { :; }; npm() { :; }`;

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
  expectIn(
    'A revoked key',
    await shell.paste(`${ENVIRONMENT}\nKEY=mae_dk_revoked\n${ASK}`, LIMIT_MS),
    /^401 unauthorized: .* register again with "rotateKey": true/m,
  );
  expectIn(
    'A revoked key of a call',
    await shell.paste(`KEY=mae_dk_revoked ${CALL}`, LIMIT_MS),
    /register again with \\"rotateKey\\": true/,
  );
  expectIn(
    'A revoked key that is kept',
    await shell.paste(
      `cp "$KEY_FILE" kept; echo mae_dk_revoked > "$KEY_FILE"\n${ENVIRONMENT}\ncp kept "$KEY_FILE"`,
      LIMIT_MS,
    ),
    /is no longer valid: register the dashboard again/,
  );
  await scene.reader.terminals.get('engine')?.close('Stopped.');
  expectIn(
    'An engine that is stopped',
    await shell.paste(ASK, LIMIT_MS),
    /Is the engine running\? Start it with: npm start/,
  );
  expectIn(
    'A call of an engine that is stopped',
    await shell.paste(CALL, LIMIT_MS),
    /does not answer\. Start the engine with "npm start"/,
  );
  expectIn('./engine env without an engine', await shell.paste(ENVIRONMENT, LIMIT_MS), /npm start/);
  await shell.close();
  wrong.push(...(await secondDay(scene)));
  return wrong;
}

/** In a new terminal no variable is set: curl has no address, and ./engine call refuses a path with an empty part. */
async function pastedFirst(blocks: readonly Fence[], scene: Scene): Promise<string[]> {
  const wrong: string[] = [];
  const shell = newShell(scene);
  await shell.paste(STUBS, LIMIT_MS);
  for (const { document, line, text, marks } of blocks) {
    if (marks.inEmptyDirectory || marks.own !== null) continue;
    const output = await shell.paste(`(\n${text}\n)`, LIMIT_MS);
    const withVariable = text.match(/^\.\/engine call \w+ \S*\$[A-Z]/gm) ?? [];
    const refused = output.match(/^@engine call .*$/gm)?.filter(isRefused) ?? [];
    if (output.includes('@went out') || refused.length < withVariable.length) {
      wrong.push(`${document}:${line}: pasted first, it should send nothing:\n${output}`);
    }
  }
  await shell.close();
  return wrong;
}

function isRefused(shown: string): boolean {
  const [, , method = '', path = ''] = shown.split(' ');
  try {
    readCall([method, path]);
    return false;
  } catch {
    return true;
  }
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
