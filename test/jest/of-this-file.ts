import type * as globals from '@jest/globals';
import type ProcessEnvironment from './environment.ts';

export type FrameworkGlobals = Omit<typeof globals, 'jest'>;

/** The part of the `jest` object that test files use: jest makes it in its own module registry alone (modules.ts). */
type Jest = Pick<
  ProcessEnvironment['fakeTimersModern'],
  'advanceTimersByTime' | 'advanceTimersByTimeAsync' | 'getTimerCount' | 'useFakeTimers' | 'useRealTimers'
> &
  Pick<ProcessEnvironment['moduleMocker'], 'fn' | 'restoreAllMocks' | 'spyOn'>;

let current: (FrameworkGlobals & { jest: Jest }) | null = null;

/** Returns the `@jest/globals` of the file that runs. */
export function jestOfThisFile(): FrameworkGlobals & { jest: Jest } {
  if (!current) throw new Error('No test file runs.');
  return current;
}

/** Begins the next file. */
export function beginFile(framework: FrameworkGlobals, { moduleMocker, fakeTimersModern }: ProcessEnvironment): void {
  const jest: Jest = {
    advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
    advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
    fn: moduleMocker.fn.bind(moduleMocker),
    getTimerCount: () => fakeTimersModern.getTimerCount(),
    restoreAllMocks: () => moduleMocker.restoreAllMocks(),
    spyOn: moduleMocker.spyOn.bind(moduleMocker),
    useFakeTimers: (config) => fakeTimersModern.useFakeTimers(config),
    useRealTimers: () => fakeTimersModern.useRealTimers(),
  };
  current = { ...framework, jest };
}
