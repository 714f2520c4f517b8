import type { Json } from './json.ts';
import { below, isJsonObject } from './json.ts';

/** A part of a text: words, or an expression that stood in `${ }`. */
type Part = string | { expression: string };

/** Splits a text at its expressions. It is null if an expression has no end. */
export function partsOf(text: string): Part[] | null {
  const parts: Part[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf('${', from);
    if (start === -1) break;
    const end = endOf(text, start + 2);
    if (end === null) return null;
    if (start > from) parts.push(text.slice(from, start));
    parts.push({ expression: text.slice(start + 2, end).trim() });
    from = end + 1;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

/** The place of the brace that ends an expression. Braces in its strings and maps do not. */
function endOf(text: string, from: number): number | null {
  let open = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '{') open += 1;
    else if (char === '}') {
      if (open === 0) return at;
      open -= 1;
    }
  }
  return null;
}

export const hasExpression = (text: string): boolean => text.includes('${');

/** Reads a field that is always an expression. Its `${ }` is optional. */
export function expressionOf(text: string): string {
  const [first, ...rest] = text.startsWith('${') ? (partsOf(text) ?? []) : [];
  return typeof first === 'object' && rest.length === 0 ? first.expression : text.trim();
}

/** Lists the texts of a template, with their pointers. */
export function* textsOf(template: Json, pointer: string): Generator<{ pointer: string; text: string }> {
  if (typeof template === 'string') yield { pointer, text: template };
  else if (Array.isArray(template))
    for (const [place, each] of template.entries()) yield* textsOf(each, below(pointer, place));
  else if (isJsonObject(template))
    for (const [key, each] of Object.entries(template)) yield* textsOf(each, below(pointer, key));
}

/** Lists the expressions of a template, in the order in which `filledTemplate` uses their values. */
export function expressionsOf(template: Json): string[] {
  return [...textsOf(template, '')].flatMap(({ text }) =>
    hasExpression(text)
      ? (partsOf(text) ?? []).flatMap((part) => (typeof part === 'object' ? [part.expression] : []))
      : [],
  );
}

/** Puts the values of a template's expressions into it. An expression within words becomes words; null becomes none. */
export function filledTemplate(template: Json, values: Iterator<Json>): Json {
  if (typeof template === 'string')
    return hasExpression(template) ? filledText(partsOf(template) ?? [], values) : template;
  if (Array.isArray(template)) return template.map((each) => filledTemplate(each, values));
  if (!isJsonObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, filledTemplate(each, values)]));
}

function filledText(parts: readonly Part[], values: Iterator<Json>): Json {
  const filled = parts.map((part): Json => (typeof part === 'string' ? part : taken(values)));
  const [only] = filled;
  return filled.length === 1 && only !== undefined ? only : filled.map(wordsOf).join('');
}

function taken(values: Iterator<Json>): Json {
  const { value, done } = values.next();
  return done === true ? null : value;
}

function wordsOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
