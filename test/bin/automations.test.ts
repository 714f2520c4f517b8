import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const START = fileURLToPath(new URL('../../bin/start.mjs', import.meta.url));
const HELP = "import { z } from 'zod';\nimport { defineAutomation } from './define.ts';\n";

/** The files that an author may leave behind, and what is said of each. */
const BROKEN = [
  [
    'calls zod wrongly',
    `${HELP}export const welcomeContact = z.string().hours();`,
    ':3 cannot be loaded: .*not a function',
  ],
  [
    'has a text with a gap that nothing fills',
    `${HELP}export const welcomeContact = defineAutomation({
      title: 'A', description: 'B', version: 1, params: z.object({}), on: () => ({ event: 'message' }), async run() {},
      texts: { greeting: { description: 'C', usual: 'Hello {nam}' } } });`,
    ':3 cannot be loaded: The text greeting can contain only {name} in braces',
  ],
  ['is not yet written to its end', 'export const welcomeContact = {\n  title:', ':2 cannot be loaded: .+'],
  ['imports what is not there', "export { welcomeContact } from './elsewhere.ts';", ' cannot be loaded: .+elsewhere'],
] as const;

/** Runs the program with another source of one automation, and without an engine. */
async function engine(source: string, ...words: string[]): Promise<{ code: number; output: string }> {
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => url.endsWith('/workflows/automations/welcome-contact.ts')
      ? { format: 'module-typescript', source: ${JSON.stringify(source)}, shortCircuit: true } : next(url, context) });`;
  const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', preload, START, ...words],
      // An engine of the developer's may have the usual port.
      {
        cwd: tmpdir(),
        env: { PATH: process.env['PATH'] ?? '', DATA_DIR: `${tmpdir()}/no-engine-here`, PORT: '9' },
      },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe('an automation whose file cannot be loaded', () => {
  const [, source] = BROKEN[0];

  it.each([
    ['env', 'Start the engine first (npm start): there is no engine-api-key'],
    ['status', 'Engine '],
    ['doctor', 'Engine '],
  ])('leaves "./engine %s" to an operator as it was', async (words, expected) => {
    const { output } = await engine(source, ...words.split(' '));
    expect(output).toContain(expected);
    expect(output).not.toMatch(/welcome-contact|^ +at /m);
  });

  it.each(BROKEN)('is named to its author by a start, where it %s', async (_, text, says) => {
    const { code, output } = await engine(text, 'api');
    expect(output.trim()).toMatch(
      new RegExp(`^The automation in workflows/automations/welcome-contact.ts${says}`.replaceAll('{', '\\{'), 'm'),
    );
    expect(output).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });
});
