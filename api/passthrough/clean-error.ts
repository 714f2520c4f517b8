import { jsonOf } from './json.ts';

/** Names of fields that hold nothing but a stack trace. */
const TRACES = /^(?:stack|stackTrace|trace)$/i;
/** No error is nested as deep; a deeper one would overflow the stack. */
const MAX_DEPTH = 64;
/** A line of a stack trace. */
const FRAME = /(?:^|\n)\s+at .*/g;
/** A file of the backend's machine. */
const PATH =
  /(?:file:\/\/)?\/(?:app|usr|home|root|var|opt|tmp|srv|etc|mnt|proc|node_modules)\/[^\s"'`),;]*|(?:file:\/\/)?(?:\/[\w.@-]+)+\.[cm]?[jt]s(?::\d+)*/g;

/**
 * Removes stack traces and paths of the backend's machine from an error, and keeps the rest: tenants need the message,
 * and nobody needs to know how the operator's server looks inside.
 */
export function cleanError(body: Buffer): Buffer {
  const json = jsonOf(body);
  const text = json === undefined ? cleanText(body.toString('utf8')) : JSON.stringify(cleaned(json));
  return Buffer.from(text);
}

function cleaned(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((inner) => cleaned(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (TRACES.test(name) ? [] : [[name, cleaned(inner, depth + 1)]])),
  );
}

function cleanText(text: string): string {
  return text.replaceAll(FRAME, '').replaceAll(PATH, '[path]');
}
