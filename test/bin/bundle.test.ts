import { describe, expect, it } from '@jest/globals';
import { compilerWords } from '../../bin/bundle.ts';

const BEFORE = '2026-01-01T00:00:00.000Z [ERROR] asset workflow-bundle.js 3.25 MiB [emitted]\n  + 3 modules\n\n';
const AFTER = `
 @ ./workflows/automations/index.ts 6:0-48 6:0-48
 @ ./workflows/index.ts 13:0-64

webpack 5.112.2 compiled with 1 error in 1038 ms
/engine/node_modules/@temporalio/worker/lib/workflow/bundler.js:301
Error: Webpack finished with errors
    at finalCallback (/engine/node_modules/webpack/lib/Compiler.js:601:32)
`;

describe('what the bundler says of a fault', () => {
  it('is the place of a slip in the code, without stacks', () => {
    const fault = `ERROR in ./workflows/automations/remind-later.ts
Module build failed (from ./node_modules/swc-loader/src/index.js):
Error:   x Unexpected token
   16 |   async run((context, { afterHours }) {
      :             ^


Caused by:
    Syntax Error

Stack backtrace:
   0: <unknown>`;
    expect(compilerWords(BEFORE + fault + AFTER)).toBe(
      `./workflows/automations/remind-later.ts
Module build failed (from ./node_modules/swc-loader/src/index.js):
Error:   x Unexpected token
   16 |   async run((context, { afterHours }) {
      :             ^
imported by ./workflows/automations/index.ts`,
    );
  });

  it('is the near name of a file that is not there, without where it was looked for', () => {
    const fault = `ERROR in ./workflows/automations/remind-later.ts 3:0-46
Module not found: Error: Can't resolve './defin.ts' in '/engine/workflows/automations'
Did you mean './define.ts'?
resolve './defin.ts' in '/engine/workflows/automations'
  using description file: /engine/package.json`;
    const words = compilerWords(BEFORE + fault + AFTER);
    expect(words).toContain("Did you mean './define.ts'?");
    expect(words).not.toContain('description file');
  });

  it('says that workflows import nothing of the world, and who does', () => {
    const fault = `ERROR in node:fs
Module build failed: UnhandledSchemeError: Reading from "node:fs" is not handled by plugins (Unhandled scheme).
Webpack supports "data:" and "file:" URIs by default.
    at /engine/node_modules/webpack/lib/module/NormalModule.js:1544:13
 @ ./workflows/automations/remind-later.ts 1:0-39 28:20-32`;
    const words = compilerWords(BEFORE + fault + AFTER);
    expect(words).toMatch(
      /imported by \.\/workflows\/automations\/remind-later\.ts\nWorkflows import no code that reaches the world/,
    );
  });

  it('is nothing where the bundler failed for another reason', () => {
    expect(compilerWords('Error: EACCES: permission denied, mkdir dist')).toBeUndefined();
  });
});
