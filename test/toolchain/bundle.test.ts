import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { workflowBundle } from '../support/servers.ts';

const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];

describe('the bundle of the workflows', () => {
  let modules: string[];

  beforeAll(async () => {
    // The bundler refuses by itself what a workflow must not load: node's modules and packages known to be unfit.
    const code = await readFile(workflowBundle().codePath, 'utf8');
    modules = [...code.matchAll(/^\/\*{3}\/ "\.\/([^"]+)"/gm)].map(([, path = '']) => path);
  });

  it('is built from the workflows', () => {
    expect(modules).toContain('workflows/index.ts');
  });

  it("holds no package but Temporal's own, and so no zod", () => {
    const packages = modules.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? PACKAGES[0]);
    expect(PACKAGES).toEqual(expect.arrayContaining([...new Set(packages)]));
  });

  it('holds nothing of ours but workflows and rules of the domain', () => {
    const folders = modules.filter((path) => !path.startsWith('node_modules/')).map((path) => path.split('/')[0]);
    expect(['workflows', 'domain']).toEqual(expect.arrayContaining([...new Set(folders)]));
  });
});
