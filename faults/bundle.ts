import { rm } from 'node:fs/promises';
import { buildWorkflowBundle, prebuiltWorkflows } from '../bin/bundle.ts';
import type { Config } from '../config.ts';

/** Once for all the engines of the run, which would each take seconds to make their own. */
export async function bundleWorkflows(config: Config): Promise<() => Promise<void>> {
  if (prebuiltWorkflows(config).workflowBundle) return async () => undefined;
  const path = await buildWorkflowBundle();
  return () => rm(path, { force: true });
}
