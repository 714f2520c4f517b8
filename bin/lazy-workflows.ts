const EXPORT = /^export \{ (\w+) \} from ('[^']+');$/;

/**
 * Rewrites the index of workflows for the bundler: each module is evaluated when its workflow is first asked for. An
 * execution would evaluate the modules of all workflows otherwise, which was a tenth of the workflow thread's time.
 */
export default function lazyWorkflows(source: string): string {
  const properties = source
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, path] = EXPORT.exec(line) ?? [];
      if (name === undefined)
        throw new Error(`workflows/index.ts has only lines "export { x } from './x.ts';": ${line}`);
      return `${name}: { enumerable: true, get: () => require(${path}).${name} },`;
    });
  return ['Object.defineProperties(exports, {', ...properties, '});', ''].join('\n');
}
