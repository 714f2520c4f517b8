import { ExpressionError } from '../cel/evaluator.ts';
import { expressionsOf, filledTemplate } from '../expression.ts';
import { FLOW_BOUNDS } from '../bounds.ts';
import type { Evaluate, Scope, Template } from '../flow.ts';
import type { Json } from '../json.ts';
import { Ended, ERROR_TYPES, Raised } from './errors.ts';

/** Evaluates expressions, and makes of a failure what the run does about it. */
async function evaluated(evaluate: Evaluate, expressions: readonly string[], scope: Scope): Promise<Json[]> {
  if (expressions.length === 0) return [];
  try {
    return await evaluate(expressions, scope);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const detail = `${error.expression}: ${error.message}`;
    if (error.isFinal) throw new Ended('expression_failed', error.message, detail);
    throw new Raised({ type: ERROR_TYPES.expression, status: 400, title: 'An expression failed.', detail });
  }
}

/** Bounds the time of all expressions of a walk. The time in the queue of the threads does not count. */
export function withinBudget(evaluate: Evaluate): Evaluate {
  let leftMs: number = FLOW_BOUNDS.evaluationMs;
  return async (expressions, scope) => {
    if (leftMs <= 0)
      throw new Ended('expression_failed', `The expressions take more than ${FLOW_BOUNDS.evaluationMs} ms in all.`);
    return evaluate(expressions, scope, (ms) => {
      leftMs -= ms;
    });
  };
}

export async function fill(evaluate: Evaluate, template: Template, scope: Scope): Promise<Json> {
  const values = await evaluated(evaluate, expressionsOf(template), scope);
  return within(filledTemplate(template, values.values()));
}

export async function valueOf(evaluate: Evaluate, expression: string, scope: Scope): Promise<Json> {
  const [value = null] = await evaluated(evaluate, [expression], scope);
  return value;
}

/** Evaluates a condition. A value that is not true or false is an error: a typo must not choose a branch. */
export async function holds(evaluate: Evaluate, condition: string, scope: Scope): Promise<boolean> {
  const value = await valueOf(evaluate, condition, scope);
  if (typeof value === 'boolean') return value;
  throw new Raised({
    type: ERROR_TYPES.expression,
    status: 400,
    title: 'A condition is neither true nor false.',
    detail: condition,
  });
}

/** Ends the run if its data is too large. It stops counting there: an expression can repeat a large value often. */
export function within(value: Json): Json {
  const left = { bytes: FLOW_BOUNDS.dataBytes };
  count(value, left);
  if (left.bytes < 0)
    throw new Ended('workflow_too_large', `The data of the run is larger than ${FLOW_BOUNDS.dataBytes} bytes.`);
  return value;
}

function count(value: Json, left: { bytes: number }): void {
  left.bytes -= typeof value === 'string' ? value.length : 4;
  if (left.bytes < 0 || typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    left.bytes -= key.length;
    count(each, left);
    if (left.bytes < 0) return;
  }
}
