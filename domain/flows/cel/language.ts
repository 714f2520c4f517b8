import { Environment } from '@marcbachmann/cel-js';
import { FLOW_BOUNDS } from '../bounds.ts';
import { isObject } from '../json.ts';

/** The bounds of one expression, besides its length. */
const LIMITS = { maxAstNodes: 1_000, maxDepth: 32, maxListElements: 200, maxMapEntries: 100, maxCallArguments: 8 };
/** Environments by the names of their variables: loops and `catch` add names of their own. */
const MAX_ENVIRONMENTS = 200;

/**
 * The expressions of definitions. Whole numbers of JSON are `int`, the others `double`, and both kinds work together:
 * without that, a price times a rate fails as soon as the price is a whole number.
 */
function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  for (const [signature, act] of MIXED) {
    environment.registerOperator(`int ${signature} double: double`, (a: bigint, b: number) => act(Number(a), b));
    environment.registerOperator(`double ${signature} int: double`, (a: number, b: bigint) => act(a, Number(b)));
  }
  return environment;
}

const MIXED: readonly (readonly [string, (a: number, b: number) => number])[] = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => a / b],
];

const base = createEnvironment();
const environments = new Map<string, Environment>();

/** The environment in which these variables exist. */
export function environmentWith(names: readonly string[]): Environment {
  const key = names.toSorted().join(' ');
  const known = environments.get(key);
  if (known) return known;
  const made = base.clone();
  for (const name of names) made.registerVariable(name, 'dyn');
  if (environments.size >= MAX_ENVIRONMENTS) environments.clear();
  environments.set(key, made);
  return made;
}

/** Says what is wrong with an expression in which these variables exist; null if it is valid. */
export function wrongExpression(expression: string, names: readonly string[]): string | null {
  if (expression === '') return 'The expression is empty.';
  if (expression.length > FLOW_BOUNDS.expressionLength)
    return `The expression has ${expression.length} characters, and may have ${FLOW_BOUNDS.expressionLength}.`;
  if (/\$\w/.test(withoutStrings(expression)))
    return 'The variables have no `$` in CEL. Secrets do not exist in expressions: name one in `endpoint.authentication`.';
  try {
    const parsed = environmentWith(names).parse(expression);
    if (callsMatches(parsed.ast))
      return 'The function `matches` is not available, because a pattern can run for minutes. Use `contains`, `startsWith` or `endsWith`.';
    const { valid, error } = parsed.check();
    return valid ? null : `The expression is not valid: ${firstLine(error)}.`;
  } catch (error) {
    return `The expression cannot be read: ${firstLine(error)}.`;
  }
}

const withoutStrings = (expression: string): string =>
  expression.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');

/** The library shows the place in further lines. */
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : 'unknown').split('\n')[0]?.replace(/\.$/, '').slice(0, 300) ?? '';

function callsMatches(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(callsMatches);
  if (!isObject(node) || !('op' in node)) return false;
  const { op, args } = node;
  if (op === 'rcall' && Array.isArray(args) && args[0] === 'matches') return true;
  return op === 'value' ? false : callsMatches(args);
}
