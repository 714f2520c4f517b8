import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleWorkflowCode, DefaultLogger, Runtime } from '@temporalio/worker';

/** Modules that may end up among the workflows: their own, the domain's values, Temporal's. */
const DETERMINISTIC = /^\.\/(workflows|domain)\/|node_modules\/@temporalio\/|node_modules\/long\//;

describe('the bundle of the workflows', () => {
  let code: string;

  beforeAll(async () => {
    // It refuses by itself what a workflow must not load: node's modules and packages known to be unfit.
    ({ code } = await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    }));
  }, 60_000);
  afterAll(() => Runtime.instance().shutdown());

  it('is built', () => {
    expect(code).toContain('deliverMessage');
  });

  it('is free of zod', () => {
    expect(code).not.toContain('node_modules/zod/');
  });
});
