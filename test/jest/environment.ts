import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Tests run in the world of their process, without a world of their own for each file. What a file has mocked or set in
 * the environment is undone after it.
 */
export default class ProcessEnvironment {
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  /** Jest puts its own things here, and the console of the file, which replaces the process's until its end. */
  readonly global = {
    get console(): Console {
      return globalThis.console;
    },
    set console(console: Console) {
      globalThis.console = console;
    },
  };
  readonly #console = globalThis.console;
  readonly #variables = { ...process.env };

  constructor({ projectConfig }: { projectConfig: ConstructorParameters<typeof ModernFakeTimers>[0]['config'] }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {
    // Nothing is started before a file.
  }

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.env = this.#variables;
  }

  exportConditions(): string[] {
    return ['node'];
  }

  getVmContext(): null {
    return null;
  }
}
