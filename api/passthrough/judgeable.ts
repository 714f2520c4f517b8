import { invalid } from '../../domain/error.ts';
import { requireBoundedShape } from '../route/bounded-shape.ts';
import { OURS } from './request.ts';
import type { BackendRoute } from './table/row.ts';

/** Names in a body that the engine judges or writes itself, beside those of the files. */
const JUDGED = [...OURS, 'url', 'linkPreview', 'linkPreviewHighQuality'];

/** The names that the engine judges, by their small letters. */
export function judgedNames(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...JUDGED, ...files.flatMap((place) => place.split('.'))].map((name) => [name.toLowerCase(), name]));
}

/**
 * Refuses a body that the backend could read otherwise than the engine does: names that differ from a judged one only
 * in case, and files in a form that the engine does not look into. A backend that is lenient there would use another
 * session, or fetch an address that nobody has judged.
 */
export function requireJudgeable(fields: Record<string, unknown>, { files }: BackendRoute): void {
  requireBoundedShape(fields);
  requireSpelling(fields, judgedNames(files));
  for (const place of files) requireFile(fields, place === '' ? [] : place.split('.'), []);
}

function requireSpelling(value: unknown, known: ReadonlyMap<string, string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const meant = Array.isArray(value) ? undefined : known.get(name.toLowerCase());
    if (meant !== undefined && meant !== name) {
      throw invalid({ pointer: '', message: `has a name that must be written ${meant}` });
    }
    requireSpelling(inner, known);
  }
}

/** A file is an object with its address or its bytes as text; nothing else in its place is a file to the engine. */
function requireFile(value: unknown, [name, ...rest]: readonly string[], at: readonly string[]): void {
  if (value === undefined || value === null) return;
  const pointer = at.map((each) => `/${each}`).join('');
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid({ pointer, message: 'must be an object with the data or the url of the file' });
  }
  const entries = new Map<string, unknown>(Object.entries(value));
  if (name !== undefined) return requireFile(entries.get(name), rest, [...at, name]);
  for (const [field, inner] of entries) {
    // Ours, such as the session beside a file that is the whole body, are judged elsewhere.
    if (typeof inner === 'object' && inner !== null) {
      throw invalid({ pointer: `${pointer}/${field.slice(0, 64)}`, message: 'must be a text, a number or a boolean' });
    }
  }
  return undefined;
}
