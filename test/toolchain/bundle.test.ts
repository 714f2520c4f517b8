import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';

const PACKAGES = ['@temporalio/common', '@temporalio/workflow', 'long', 'ms', 'nexus-rpc'];

describe('the bundle of the workflows', () => {
  let modules: string[];

  beforeAll(async () => {
    // It refuses by itself what a workflow must not load: node's modules and packages known to be unfit.
    const { code } = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    });
    modules = [...code.matchAll(/^\/\*{3}\/ "\.\/([^"]+)"/gm)].map(([, path = '']) => path);
  }, 60_000);
  afterAll(() => Runtime.instance().shutdown());

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
