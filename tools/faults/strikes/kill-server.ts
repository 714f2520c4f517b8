import { until } from '../../demo/until.ts';
import { signal } from '../../../local/embedded/process/child-process.ts';
import type { ProcessIdentity } from '../../../local/embedded/process/process-identity.ts';
import type { Ground } from '../ground.ts';

/**
 * Kills a server of the engine. The engine must notice, say so in a sentence, stop, and carry on when it is started
 * again.
 */
export async function killServer(
  ground: Ground,
  name: string,
  find: (dataDir: string) => ProcessIdentity | undefined | Promise<ProcessIdentity | undefined>,
): Promise<string> {
  const server = await find(ground.machine.dataDir);
  if (!server) throw new Error(`${name} does not run.`);
  ground.deaths += 1;
  signal(server, 'SIGKILL');
  await until(`the engine to stop after the death of ${name}`, () => ground.engine.hasExited);
  const code = await ground.engine.exited();
  const sentence = `${name} has ended.`;
  if (code !== 1) throw new Error(`The engine must stop with exit code 1, and stopped with ${code}.`);
  // Its last lines may come after the news of its end.
  await until(`the engine to say "${sentence}"`, () => ground.engine.output.includes(sentence));
  await ground.startEngine();
  return 'the engine stopped with a sentence and was started again';
}
