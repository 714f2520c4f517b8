import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * Tests run in the context of their process. Jest's own environments make a VM context for each file, in which the
 * modules of the process cannot be used (modules.ts). After a file, its mocks and environment variables are undone.
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
