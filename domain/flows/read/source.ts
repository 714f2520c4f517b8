import { parseDocument } from 'yaml';
import { isStorable } from '../../sending/storable.ts';
import { FLOW_BOUNDS } from '../bounds.ts';
import { below } from '../json.ts';
import type { Json, Problem } from '../json.ts';

/** Deeper than any definition: a task of the last depth has its own values. */
const MAX_NESTING = 100;
/** More values than 1 MiB of text can hold, unless aliases multiply them. */
const MAX_VALUES = 600_000;

const refused = (message: string): { problems: Problem[] } => ({ problems: [{ pointer: '', message }] });

/** Reads the text of a definition, or a value of JSON, within the bounds. */
export function readSource(source: unknown, form: 'json' | 'yaml'): { value: Json } | { problems: Problem[] } {
  if (typeof source !== 'string') return bounded(source);
  const bytes = Buffer.byteLength(source);
  const most = form === 'json' ? FLOW_BOUNDS.sourceBytes : FLOW_BOUNDS.yamlBytes;
  if (bytes > most)
    return refused(
      `The definition has ${bytes} bytes, and ${form.toUpperCase()} may have ${most}. Split the workflow.`,
    );
  return form === 'json' ? ofJson(source) : ofYaml(source);
}

function ofJson(text: string): { value: Json } | { problems: Problem[] } {
  try {
    return bounded(JSON.parse(text));
  } catch (error) {
    return refused(`The definition is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`);
  }
}

function ofYaml(text: string): { value: Json } | { problems: Problem[] } {
  const document = parseDocument(text, { version: '1.2', schema: 'core', stringKeys: true, logLevel: 'silent' });
  const [wrong] = document.errors;
  if (wrong) return refused(`The definition is no YAML: ${wrong.message.split('\n')[0]?.replace(/:$/, '') ?? ''}.`);
  try {
    return bounded(document.toJS({ maxAliasCount: FLOW_BOUNDS.aliases }));
  } catch {
    return refused(`The definition resolves more than ${FLOW_BOUNDS.aliases} aliases. Write their content in place.`);
  }
}

function bounded(value: unknown): { value: Json } | { problems: Problem[] } {
  const left = { values: MAX_VALUES };
  if (isJson(value, left, MAX_NESTING)) {
    const pointer = placeOfUnstorable(value, '');
    const message = 'The text has a NUL, or half of a character, which the engine cannot store. Remove it.';
    return pointer === null ? { value } : { problems: [{ pointer, message }] };
  }
  return refused(
    left.values < 0
      ? `The definition has more than ${MAX_VALUES} values. Split the workflow.`
      : `The definition nests deeper than ${MAX_NESTING} levels, or has a value that JSON lacks.`,
  );
}

/** Finds the place of a text that a run could not keep. Only a list or an object with such a text is searched. */
function placeOfUnstorable(value: Json, pointer: string): string | null {
  if (isStorable(value)) return null;
  if (typeof value !== 'object' || value === null) return pointer;
  const entries: [string, Json][] = Object.entries(value);
  for (const [key, each] of entries) {
    if (!isStorable(key)) return pointer;
    const place = placeOfUnstorable(each, below(pointer, key));
    if (place !== null) return place;
  }
  return pointer;
}

/** Looks at values without copying them: a definition may have hundreds of thousands. */
function isJson(value: unknown, left: { values: number }, nesting: number): value is Json {
  left.values -= 1;
  if (left.values < 0 || nesting < 0) return false;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  const values: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return values.every((each) => isJson(each, left, nesting - 1));
}
