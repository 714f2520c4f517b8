import { parseFlow } from '../../domain/flows/index.ts';
import type { Flow, Problem } from '../../domain/flows/index.ts';
import type { FlowText } from '../../db/flows/flow.ts';
import { invalid } from '../../domain/error.ts';
import type { WriteWorkflow } from './views.ts';

type Read = { flow: Flow; text: FlowText } | { problems: readonly Problem[] };

/** Reads a definition as a request gives it. */
export function readDefinition({ definition, form }: Pick<WriteWorkflow, 'definition' | 'form'>): Read {
  const isText = typeof definition === 'string';
  const source = isText ? definition : JSON.stringify(definition, null, 2);
  const written = isText ? form : 'json';
  const read = parseFlow(source, written);
  if (!('flow' in read)) return read;
  return { flow: read.flow, text: { title: read.flow.document.title, form: written, source } };
}

/** Reads a definition, or refuses the request with its problems. */
export function requireFlow(body: Pick<WriteWorkflow, 'definition' | 'form'>): { flow: Flow; text: FlowText } {
  const read = readDefinition(body);
  if (!('problems' in read)) return read;
  throw invalid(read.problems.map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message })));
}
