import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installedTemporalVersion } from '../../local/embedded/temporal/binary.ts';
import { SDK_VERSION, VERSION } from '../version.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns everything that a bug report has to name: the engine with its commit, Node and Temporal. */
export async function versions(environment: NodeJS.ProcessEnv): Promise<string> {
  const [commit, temporal] = await Promise.all([
    commitOf(ROOT),
    installedTemporalVersion(environment['TEMPORAL_CLI_PATH'], environment['PATH']),
  ]);
  return `Messaging automation engine ${VERSION} (${commit}), Node ${process.versions.node}, Temporal ${temporal}, Temporal SDK ${SDK_VERSION}`;
}

async function commitOf(root: string): Promise<string> {
  // An engine without a `.git` of its own, as in an image, may lie in a directory of another repository.
  if (!existsSync(`${root}.git`)) return 'no commit known';
  // Git refuses a checkout of another account unless the command says that it is safe. Reading a commit runs no hook.
  const words = ['-c', 'safe.directory=*', '-C', root, 'rev-parse', '--short=8', 'HEAD'];
  return promisify(execFile)('git', words).then(
    ({ stdout }) => `commit ${stdout.trim()}`,
    () => 'no commit known',
  );
}
