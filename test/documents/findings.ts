import { differences, lastJson } from './shape.ts';

/**
 * Says what went wrong in a pasted block by what the terminal shows: a program that failed, a variable that was empty,
 * a request that was refused.
 */
export function findingsIn(output: string): string[] {
  const failed = output.match(/^@failed: .*$/gm) ?? [];
  const complaints = output.match(/^bash: .*$/gm) ?? [];
  const refused = output.match(/"code":\s*"[a-z_]+".*/g)?.filter(() => /"status":\s*[45]\d\d/.test(output)) ?? [];
  return [...failed, ...complaints, ...refused];
}

/** Compares the answer that a document shows with what the terminal shows. */
export function compareAnswer(shown: string, output: string): string[] {
  const real = lastJson(output);
  if (real === undefined) return [`the commands before it have shown no JSON:\n${output}`];
  return differences(JSON.parse(shown), real);
}
