import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as workflows from '../../workflows/index.ts';
import { workflowBundle } from '../support/servers.ts';

/** Automations describe their parameters with zod, which is deterministic and reaches nothing. */
const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc', 'zod'];

/** The start of a module in the bundle, with its imports at the top: later imports are indented. */
const MODULE = /^\/\*{3}\/ "\.\/([^"]+)"/;
const IMPORT_AT_TOP = /^(?! ).*__webpack_require__\(\/\*!.*?\*\/ "\.\/([^"]+)"\)/;

/** The modules that are evaluated with this one. */
function evaluatedWith(code: string, root: string): Set<string> {
  const imports = new Map<string, string[]>();
  let module = '';
  for (const line of code.split('\n')) {
    const imported = IMPORT_AT_TOP.exec(line)?.[1];
    module = MODULE.exec(line)?.[1] ?? module;
    if (imported !== undefined) imports.set(module, [...(imports.get(module) ?? []), imported]);
  }
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    imports.get(path)?.forEach(follow);
  };
  follow(root);
  return reached;
}

/** The modules of the workflows, which the index evaluates when an execution asks for its own. */
function workflowModules(code: string): string[] {
  const index = code.split('/***/ "./').find((module) => module.startsWith('workflows/index.ts"')) ?? '';
  return [...index.matchAll(/__webpack_require__\(\/\*!.*?\*\/ "\.\/([^"]+)"\)/g)].map(([, path = '']) => path);
}

/** Returns a sentence with the fix for each import that every execution would pay for. */
function dearImports(code: string): string[] {
  return [...new Set(workflowModules(code).flatMap((root) => [...evaluatedWith(code, root)]))]
    .filter((path) => path.startsWith('node_modules/zod/') || path === 'workflows/automations/index.ts')
    .map(
      (path) =>
        `Each execution of any type evaluates ${path}: import it as workflows/automations/run-automation.ts imports the definitions, where it is used.`,
    );
}

describe('the bundle of the workflows', () => {
  let code: string;
  let modules: string[];

  beforeAll(async () => {
    // The bundler refuses by itself what a workflow must not load: node's modules and packages known to be unfit.
    code = await readFile(workflowBundle().codePath, 'utf8');
    modules = [...code.matchAll(/^\/\*{3}\/ "\.\/([^"]+)"/gm)].map(([, path = '']) => path);
  });

  it('is built from the workflows', () => {
    expect(modules).toContain('workflows/index.ts');
  });

  it("holds no package but Temporal's own and zod", () => {
    const packages = modules.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? PACKAGES[0]);
    expect(PACKAGES).toEqual(expect.arrayContaining([...new Set(packages)]));
  });

  it('evaluates for an execution only the modules of its own workflow', () => {
    expect([...evaluatedWith(code, 'workflows/index.ts')]).toEqual(['workflows/index.ts']);
    expect(workflowModules(code)).toHaveLength(Object.keys(workflows).length);
    const [sends, syncs] = ['workflows/sending/deliver-message.ts', 'workflows/sessions/sync-contacts.ts'];
    expect(evaluatedWith(code, sends)).not.toContain(syncs);
    expect(evaluatedWith(code, syncs)).not.toContain(sends);
  });

  it('evaluates neither zod nor the definitions of automations for executions that need none', () => {
    expect(workflowModules(code)).toContain('workflows/automations/run-automation.ts');
    expect(modules).toContain('workflows/automations/index.ts');
    expect(dearImports(code)).toEqual([]);
  });

  it('is refused when a workflow imports the definitions at its top, in a sentence that says what to do', () => {
    const lazy =
      /^ +const automations = await .*(__webpack_require__\(.*"\.\/workflows\/automations\/index\.ts"\)).*$/m;
    expect(code).toMatch(lazy);
    const found = dearImports(code.replace(lazy, 'const automations = $1;'));
    expect(found).toContainEqual(
      expect.stringMatching(/^Each execution .* evaluates workflows\/automations\/index\.ts: import it as /),
    );
    expect(found).toContainEqual(expect.stringMatching(/evaluates node_modules\/zod\//));
  });

  it('holds nothing of ours but workflows and rules of the domain', () => {
    const folders = modules.filter((path) => !path.startsWith('node_modules/')).map((path) => path.split('/')[0]);
    expect(['workflows', 'domain']).toEqual(expect.arrayContaining([...new Set(folders)]));
  });
});
