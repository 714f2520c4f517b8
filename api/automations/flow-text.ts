import type { FlowText } from '../../db/flows/flow.ts';
import { invalid } from '../../domain/error.ts';
import { outlineOf, parseFlow } from '../../domain/flows/index.ts';
import type { Flow, Problem } from '../../domain/flows/index.ts';

/** A definition of 1 MiB, as a text in a JSON body, whose quotes are escaped. */
export const MAX_DEFINITION_BODY_BYTES = 2 * 1_048_576;

/** A definition as a request gives it. */
interface Given {
  definition: string | Readonly<Record<string, unknown>>;
  form: 'json' | 'yaml';
}

interface ReadFlow {
  flow: Flow;
  text: FlowText;
}

/** Reads a definition as a request gives it. */
export function readDefinition({ definition, form }: Given): ReadFlow | { problems: readonly Problem[] } {
  const isText = typeof definition === 'string';
  const source = isText ? definition : JSON.stringify(definition, null, 2);
  const written = isText ? form : 'json';
  const read = parseFlow(source, written);
  if (!('flow' in read)) return read;
  const outline = outlineOf(read.flow);
  return { flow: read.flow, text: { title: outline.title, form: written, source, outline } };
}

/** Reads a definition, or refuses the request with its problems. */
export function requireFlow(given: Given): ReadFlow {
  const read = readDefinition(given);
  if (!('problems' in read)) return read;
  throw invalid(read.problems.map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message })));
}
