import { FLOW_BOUNDS, parseFlow } from '../../../domain/flows/index.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';

const ROUNDS = 15;
const MAX_MS = 50;
/** As many as fit with some words each. */
const YAML_TASKS = 400;

/** Measures the CPU time of the validation of workflows as large as they may be: as JSON, as YAML and with problems. */
export function validation(): Promise<Result[]> {
  const json = definitionOf(FLOW_BOUNDS.sourceBytes, FLOW_BOUNDS.tasks);
  // JSON is YAML, and a parser of YAML reads it as such.
  const yaml = definitionOf(FLOW_BOUNDS.yamlBytes, YAML_TASKS);
  const misspelt = json.replaceAll('"call":"send"', '"call":"sned"').replaceAll('context.n', 'contxt.n');
  return Promise.resolve([
    rowOf('validation of a workflow of 1 MiB: CPU', () => parseFlow(json, 'json')),
    rowOf('validation of a workflow of 64 KiB of YAML: CPU', () => parseFlow(yaml, 'yaml')),
    rowOf(
      'validation of a workflow of 1 MiB with a problem in each task: CPU',
      () => parseFlow(misspelt, 'json'),
      false,
    ),
  ]);
}

function rowOf(path: string, validate: () => ReturnType<typeof parseFlow>, isValid = true): Result {
  const once = (): number => {
    const before = process.cpuUsage();
    const read = validate();
    const { user, system } = process.cpuUsage(before);
    const [problem = null] = 'problems' in read ? read.problems : [];
    if ((problem === null) !== isValid)
      throw new Error(`The definition has the problem ${problem?.message ?? 'none'}.`);
    return (user + system) / 1_000;
  };
  once();
  const ms = median(Array.from({ length: ROUNDS }, once));
  return { path, measured: `${round(ms)} ms`, baseline: '', ratio: null, aim: `≤ ${MAX_MS} ms`, met: ms <= MAX_MS };
}

/** A definition of tasks with words and expressions, which has almost as many bytes. */
function definitionOf(bytes: number, tasks: number): string {
  const textOf = (words: number): string =>
    JSON.stringify({
      document: { dsl: '1.0.0', namespace: 'bench', name: 'large', version: '1.0.0' },
      evaluate: { language: 'cel' },
      do: Array.from({ length: tasks }, (_, place) => taskOf(place, words)),
    });
  const fixed = textOf(0).length;
  return textOf(Math.floor((bytes - fixed) / tasks));
}

function taskOf(place: number, words: number): Readonly<Record<string, unknown>> {
  const text = 'x'.repeat(words);
  const name = `task${place}`;
  if (place % 2 === 0) return { [name]: { call: 'send', with: { text: `\${ contact.name }: ${text}` } } };
  return { [name]: { if: '${ context.n > 2 }', set: { n: `\${ context.n + ${place} }`, text } } };
}
