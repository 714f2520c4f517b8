import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import circus from 'jest-circus/runner';
import type ProcessEnvironment from './environment.ts';
import { importTest } from './modules.ts';
import { beginFile } from './of-this-file.ts';
import type { FrameworkGlobals } from './of-this-file.ts';

const require = createRequire(import.meta.url);
/** The symbol of jest-circus for its event handlers. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The parts of the runtime that jest-circus uses. */
interface Runtime {
  requireInternalModule: (path: string) => unknown;
  requireModule: (path: string) => unknown;
  setGlobalsForRuntime: (framework: FrameworkGlobals) => void;
  unstable_shouldLoadAsEsm: () => true;
  unstable_importModule: (path: string) => Promise<void>;
  enterTestCode: () => void;
  leaveTestCode: () => void;
}

/** Runs the tests of a file as Jest does, but its modules are Node's own, which strips their types. */
export default function runFile(
  globalConfig: unknown,
  config: unknown,
  environment: ProcessEnvironment,
  _runtime: unknown,
  testPath: string,
  tell: unknown,
): Promise<unknown> {
  const runtime: Runtime = {
    requireInternalModule: (path) => {
      // The framework keeps the tests of one file and cannot be emptied.
      Reflect.deleteProperty(globalThis, EVENT_HANDLERS);
      delete require.cache[path];
      return require(path);
    },
    requireModule: (path) => require(path),
    setGlobalsForRuntime: (framework) => beginFile(framework, environment),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => importTest(pathToFileURL(path)),
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
  };
  // Jest has put a reader of source maps there, which reads each file that a stack names. Types are stripped in place,
  // so every position is right as it is; the maps took a tenth of the time of the tests.
  Reflect.deleteProperty(Error, 'prepareStackTrace');
  return circus.default(globalConfig, config, environment, runtime, testPath, tell);
}
