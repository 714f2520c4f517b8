export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  // Node's own modules, evaluated once in a process; what each file has anew, `test/jest/modules.ts` says.
  testEnvironment: '<rootDir>/test/jest/environment.ts',
  testRunner: '<rootDir>/test/jest/runner.ts',
  transform: {},
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  testSequencer: '<rootDir>/test/sequencer.ts',
  // Twice the cores of a small machine: a third of their time is idle with three, because journeys wait for much.
  maxWorkers: 4,
  // A new process loads the engine anew, which takes it seconds.
  workerIdleMemoryLimit: '1GB',
  // Past what `eventually` waits for on a busy machine, so that it says what it waited for.
  testTimeout: 300_000,
};
