import { differences, lastJson } from './shape.ts';

/** A shell without a screen says this once, when it begins. */
const AT_START = /no job control|terminal process group/;

/**
 * Says what went wrong in a pasted block by what the terminal shows: a program that failed, a variable that was empty,
 * a request that was refused.
 */
export function findingsIn(output: string): string[] {
  const failed = output.match(/^@failed: .*$/gm) ?? [];
  const complaints = (output.match(/^bash: .*$/gm) ?? []).filter((line) => !AT_START.test(line));
  const refused = output.match(/"code":\s*"[a-z_]+".*/g)?.filter(() => /"status":\s*[45]\d\d/.test(output)) ?? [];
  return [...failed, ...complaints, ...refused];
}

/** Compares the answer that a document shows with what the terminal shows. */
export function compareAnswer(shown: string, output: string): string[] {
  const real = lastJson(output);
  if (real === undefined) return [`the commands before it have shown no JSON:\n${output}`];
  return differences(JSON.parse(shown), real);
}
