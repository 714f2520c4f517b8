import { asJson, isList, objectOf, textOf } from './json.ts';
import type { JsonObject } from './json.ts';

/** The output of a step after which later steps still read the last answer. */
export const SAME_OUTPUT = '${ input }';

/** A branch for an answer, or for none: a group with a condition. */
export const branchOf = (condition: string): JsonObject => ({ if: `\${ ${condition} }`, do: [] });

/** Whether a step is a branch for an answer, or for none. */
export const isBranch = ({ if: condition, do: steps }: JsonObject): boolean =>
  isList(steps) && /\binput\.answered\b/.test(textOf(condition));

/** The kinds of the language that a new step can have, with the JSON of an example. */
export const NEW_TASKS = {
  wait: { wait: { days: 1 } },
  do: { do: [] },
  switch: { switch: [{ first: { when: '${ true }' } }, { other: {} }] },
  for: { for: { each: 'item', in: '${ [1, 2, 3] }' }, do: [] },
  try: { try: [], catch: {} },
  set: { set: {} },
  listen: { listen: { to: { one: { with: { type: 'message' } } } }, timeout: { after: { days: 1 } } },
  raise: { raise: { error: { type: 'failed', status: 500, title: 'failed' } } },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** The first values of required arguments. The others show their problem until they are filled in. */
const FIRST: JsonObject = { within: { days: 1 }, text: '' };

/** A function of the engine, as far as a new call of it depends on it. */
interface Called {
  name: string;
  kind: string;
  input: unknown;
  output: unknown;
}

/**
 * The JSON of a new call of a function. A message, or a function without a result, would else hide the last answer from
 * the steps after it.
 */
export const newCall = ({ name, kind, input, output }: Called): JsonObject => {
  const { required } = objectOf(asJson(input));
  const given = (isList(required) ? required.map(String) : []).flatMap((each) =>
    Object.hasOwn(FIRST, each) ? [[each, FIRST[each] ?? null] as const] : [],
  );
  const isResult = Object.keys(objectOf(objectOf(asJson(output))['properties'])).length > 0;
  return {
    call: name,
    ...(given.length > 0 && { with: Object.fromEntries(given) }),
    ...((kind === 'visible' || !isResult) && { output: { as: SAME_OUTPUT } }),
  };
};
