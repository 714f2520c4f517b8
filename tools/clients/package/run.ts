import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program to its end and returns what it has printed. Throws with all of that when it fails. */
export async function run(program: string, words: readonly string[], directory?: string): Promise<string> {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], ...(directory && { cwd: directory }) });
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} failed:\n${output}${complaints}`);
  return output;
}
