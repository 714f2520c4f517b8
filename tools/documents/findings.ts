import { differences, lastJson } from './shape.ts';

/** A shell without a screen says this once, when it begins. */
const AT_START = /no job control|terminal process group/;

/** As many lines as a refusal takes, and no whole page of a list. */
const LINES_OF_REASON = 12;

/**
 * Says what went wrong in a pasted block by what the terminal shows: a program that failed, with its last words, a
 * variable that was empty, a request that was refused.
 */
export function findingsIn(output: string): string[] {
  const lines = output.split('\n');
  const failed = lines.flatMap((line, at) =>
    line.startsWith('@failed: ') ? [lines.slice(Math.max(0, at - LINES_OF_REASON), at + 1).join('\n')] : [],
  );
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
