export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        module: { type: 'es6' },
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  testSequencer: '<rootDir>/test/sequencer.ts',
  coverageProvider: 'v8',
  // One more than the cores of a small machine: much of the time of a journey is waiting.
  maxWorkers: 3,
  workerIdleMemoryLimit: '512MB',
  // Past what `eventually` waits for, so that it says what it waited for.
  testTimeout: 90_000,
};
