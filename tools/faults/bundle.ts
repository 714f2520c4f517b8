import { rm } from 'node:fs/promises';
import { buildWorkflowBundle, prebuiltWorkflows } from '../../bin/bundle.ts';
import type { Config } from '../../config/config.ts';

/**
 * Bundles the workflows once for all engines of the run, each of which would take seconds to make a bundle of its own.
 */
export async function bundleWorkflows(config: Config): Promise<() => Promise<void>> {
  if (prebuiltWorkflows(config)) return async () => undefined;
  const path = await buildWorkflowBundle();
  return () => rm(path, { force: true });
}
