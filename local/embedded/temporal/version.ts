import { runCommand } from '../process/run-command.ts';

/** Returns the version that the `temporal` program reports, or undefined when it is another program. */
export async function temporalVersion(binary: string): Promise<string | undefined> {
  const { output } = await runCommand(binary, ['--version'], { env: {}, timeoutMs: 10_000 });
  return /^temporal version (?<version>\d+\.\d+\.\d+\S*)/m.exec(output)?.groups?.['version'];
}
