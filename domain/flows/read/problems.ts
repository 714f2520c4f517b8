import type { z } from 'zod';
import { FLOW_BOUNDS } from '../bounds.ts';
import { partsOf, hasExpression, textsOf } from '../expression.ts';
import { wrongExpression } from '../cel/language.ts';
import type { Json, Problem } from '../json.ts';
import { below, isJsonObject, isObject } from '../json.ts';
import { refusalOf } from './refusals.ts';

/** An editor shows these; more would hide the first cause. */
const MAX_PROBLEMS = 100;

/** Collects what is wrong with a definition. */
export class Problems {
  readonly list: Problem[] = [];
  #expressionsLength = 0;

  add(pointer: string, message: string): void {
    if (this.list.length < MAX_PROBLEMS) this.list.push({ pointer, message });
  }

  /** Reads a value by a schema. `place` names the table of reasons for properties that it does not have. */
  read<T>(schema: z.ZodType<T>, value: unknown, pointer: string, place: string): T | undefined {
    const read = schema.safeParse(value);
    if (read.success) return read.data;
    for (const issue of read.error.issues) this.#addIssue(issue, pointer, place);
    return undefined;
  }

  /** Reads a template: values that hold expressions are known only in a run. */
  readTemplate(schema: z.ZodType, value: Json, pointer: string, place: string): void {
    const read = schema.safeParse(value);
    for (const issue of read.error?.issues ?? []) {
      if (issue.code !== 'unrecognized_keys' && holdsExpression(valueAt(value, issue.path))) continue;
      this.#addIssue(issue, pointer, place);
    }
  }

  #addIssue(issue: z.core.$ZodIssue, pointer: string, place: string): void {
    const at = below(pointer, ...issue.path);
    if (issue.code === 'unrecognized_keys') {
      const inner = [place, ...issue.path.filter((key) => typeof key === 'string')]
        .filter((key) => key !== '')
        .join('/');
      for (const key of issue.keys) this.add(below(at, key), refusalOf(inner, key));
    } else if (issue.code === 'invalid_union' && issue.errors.length > 0) {
      this.#addUnion(issue, at, place);
    } else this.add(at, sentence(issue.message));
  }

  /** A value may have several forms. The one that it comes closest to says what is wrong, if it comes close at all. */
  #addUnion(issue: z.core.$ZodIssueInvalidUnion, at: string, place: string): void {
    const closest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0] ?? [];
    if (depthOf(closest) < 2) this.add(at, sentence(issue.message));
    else for (const each of closest) this.#addIssue(each, at, place);
  }

  /** Checks an expression in which these variables exist. */
  expression(expression: string, pointer: string, names: readonly string[]): void {
    const before = this.#expressionsLength;
    this.#expressionsLength += expression.length;
    if (this.#expressionsLength > FLOW_BOUNDS.expressionsLength) {
      if (before <= FLOW_BOUNDS.expressionsLength)
        this.add(pointer, `The expressions of a workflow may have ${FLOW_BOUNDS.expressionsLength} characters in all.`);
      return;
    }
    const wrong = wrongExpression(expression, names);
    if (wrong !== null) this.add(pointer, wrong);
  }

  /** Checks the expressions of a template. */
  template(template: Json, pointer: string, names: readonly string[]): void {
    for (const { pointer: at, text } of textsOf(template, pointer)) {
      if (!hasExpression(text)) continue;
      const parts = partsOf(text);
      if (parts === null) this.add(at, 'An expression begins with `${` and has no `}`.');
      for (const part of parts ?? []) if (typeof part === 'object') this.expression(part.expression, at, names);
    }
  }
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map(({ path, code }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)));

function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value);
  if (Array.isArray(value)) return value.some(holdsExpression);
  return isObject(value) && Object.values(value).some(holdsExpression);
}

function valueAt(value: Json, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isObject(found) && Object.hasOwn(found, key) ? found[String(key)] : undefined;
  }
  return found;
}

/** zod's messages are half sentences: they begin in lower case where ours do, and lack the full stop. */
function sentence(message: string): string {
  const whole = /^(must|is|can|has) /.test(message) ? `The value ${message}` : message;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

export const objectAt = (value: Json | undefined): Readonly<Record<string, Json>> =>
  value !== undefined && isJsonObject(value) ? value : {};
