import { below, isList, isObject, keysOf, objectOf, valueAt, withValue } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** The order in which a property tells the kind of a task: a `for` has a `do` too. */
const KINDS = ['set', 'switch', 'for', 'wait', 'call', 'try', 'raise', 'listen', 'do'] as const;
export type Kind = (typeof KINDS)[number];

/** The lists of tasks within a task of this kind, in their order. */
const LISTS: Partial<Record<Kind, readonly string[]>> = { for: ['do'], do: ['do'], try: ['try', 'catch/do'] };

/** A task as a card shows it. `kind` is null for a part that only its JSON can express. */
export interface Step {
  pointer: string;
  list: string;
  place: number;
  name: string;
  kind: Kind | null;
  task: JsonObject;
}

const entryOf = (entry: Json): [string, JsonObject] | null => {
  const [first, ...more] = isObject(entry) ? Object.entries(entry) : [];
  return first && more.length === 0 && isObject(first[1]) ? [first[0], first[1]] : null;
};

const stepAt = (entry: Json, list: string, place: number): Step => {
  const read = entryOf(entry);
  if (read === null) return { pointer: below(list, place), list, place, name: '', kind: null, task: {} };
  const [name, task] = read;
  const kind = KINDS.find((each) => Object.hasOwn(task, each)) ?? null;
  return { pointer: below(list, place, name), list, place, name, kind, task };
};

/** The steps of a list. */
export const stepsOf = (definition: Json, list: string): Step[] => {
  const found = valueAt(definition, list);
  return isList(found) ? found.map((entry, place) => stepAt(entry, list, place)) : [];
};

/** The pointers of the lists within a step. */
export const listsOf = ({ pointer, kind }: Pick<Step, 'pointer' | 'kind'>): string[] =>
  (kind === null ? [] : (LISTS[kind] ?? [])).map((key) => `${pointer}/${key}`);

/** The key of a card has its names without its places, because steps before it come and go. */
export const cardKey = ({ pointer, name }: Pick<Step, 'pointer' | 'name'>): string =>
  name === '' ? pointer : pointer.replaceAll(/\/\d+(?=\/)/g, '');

/** All steps in the order of the page. */
export const allSteps = (definition: Json, list = '/do'): Step[] =>
  stepsOf(definition, list).flatMap((step) => [
    step,
    ...listsOf(step).flatMap((within) => allSteps(definition, within)),
  ]);

const itemsOf = (definition: Json, list: string): readonly Json[] => {
  const found = valueAt(definition, list);
  return isList(found) ? found : [];
};

const namesOf = (definition: Json, list: string): string[] => stepsOf(definition, list).map(({ name }) => name);

const MAX_NAME = 64;

/** A name that no task of the list has. */
export const freeName = (wanted: string, taken: readonly string[]): string => {
  const base = /^[a-z]/i.test(wanted) ? wanted.replaceAll(/[^\w-]/g, '') : 'step';
  let name = base.slice(0, MAX_NAME);
  for (let n = 2; taken.includes(name); n += 1) name = `${base.slice(0, MAX_NAME - 4)}${n}`;
  return name;
};

/** An edit, and the pointer of the step that it leaves in focus. */
export interface Edited {
  definition: Json;
  pointer: string;
}

const insertEntry = (definition: Json, list: string, place: number, entry: Json): Edited => {
  const read = entryOf(entry);
  const name = read === null ? '' : freeName(read[0], namesOf(definition, list));
  const own = read === null ? entry : { [name]: read[1] };
  const next = withValue(definition, list, itemsOf(definition, list).toSpliced(place, 0, own));
  return { definition: next, pointer: read === null ? below(list, place) : below(list, place, name) };
};

export const insertStep = (definition: Json, list: string, place: number, name: string, task: JsonObject): Edited =>
  insertEntry(definition, list, place, { [name]: task });

export const removeStep = (definition: Json, { list, place }: Pick<Step, 'list' | 'place'>): Json =>
  withValue(definition, list, itemsOf(definition, list).toSpliced(place, 1));

export const duplicateStep = (definition: Json, { list, place }: Step): Edited =>
  insertEntry(definition, list, place + 1, itemsOf(definition, list)[place] ?? null);

/** Renames a step, and the `then` of its list that name it. */
export const renameStep = (definition: Json, { list, place, name, task }: Step, wanted: string): Edited => {
  const others = namesOf(definition, list).filter((_each, at) => at !== place);
  const next = freeName(wanted, others);
  const leads = (then: Json | undefined): boolean => then === name;
  const items = itemsOf(definition, list).map((entry, at): Json => {
    const read = at === place ? ([next, task] as const) : entryOf(entry);
    if (read === null) return entry;
    const [own, before] = read;
    const cases = before['switch'];
    const pointed = leads(before['then']) ? { ...before, then: next } : before;
    const turned = isList(cases)
      ? {
          ...pointed,
          switch: cases.map((each) =>
            isObject(each)
              ? Object.fromEntries(
                  Object.entries(each).map(([key, one]) => [
                    key,
                    isObject(one) && leads(one['then']) ? { ...one, then: next } : one,
                  ]),
                )
              : each,
          ),
        }
      : pointed;
    return { [own]: turned };
  });
  return { definition: withValue(definition, list, items), pointer: below(list, place, next) };
};

/** The step in which a list is; null for the list of the workflow. */
const parentOf = (definition: Json, list: string): Step | null => {
  const keys = keysOf(list);
  const end = keys.findLastIndex((key, at) => at > 0 && /^\d+$/.test(keys[at - 1] ?? '') && key !== '');
  if (end < 1) return null;
  const above = below('', ...keys.slice(0, end - 1));
  return stepsOf(definition, above)[Number(keys[end - 1])] ?? null;
};

/** The list and the place to which a step moves by one; null at the end of the page. */
const targetOf = (definition: Json, { list, place }: Step, by: 1 | -1): { list: string; place: number } | null => {
  const steps = stepsOf(definition, list);
  const beside = steps[place + by];
  if (beside) {
    const within = by === 1 ? listsOf(beside)[0] : listsOf(beside).at(-1);
    if (within === undefined) return { list, place: place + by };
    return { list: within, place: by === 1 ? 0 : itemsOf(definition, within).length };
  }
  const parent = parentOf(definition, list);
  if (parent === null) return null;
  const lists = listsOf(parent);
  const next = lists[lists.indexOf(list) + by];
  if (next !== undefined) return { list: next, place: by === 1 ? 0 : itemsOf(definition, next).length };
  return { list: parent.list, place: parent.place + (by === 1 ? 1 : 0) };
};

/** Moves a step up or down the page by one: past a step, into a branch and out of it. Null at the end of the page. */
export const moveStep = (definition: Json, step: Step, by: 1 | -1): Edited | null => {
  const target = targetOf(definition, step, by);
  if (target === null) return null;
  const entry = itemsOf(definition, step.list)[step.place] ?? null;
  if (target.list === step.list) {
    const items = itemsOf(definition, step.list).toSpliced(step.place, 1).toSpliced(target.place, 0, entry);
    const { name, list } = step;
    const pointer = name === '' ? below(list, target.place) : below(list, target.place, name);
    return { definition: withValue(definition, list, items), pointer };
  }
  const inserted = insertEntry(definition, target.list, target.place, entry);
  const parent = parentOf(definition, step.list);
  // A step that leaves its list upwards pushes that list down by one.
  const isPushed = by === -1 && target.list === parent?.list;
  const old = isPushed ? shifted(step.list, target.list, 1) : step.list;
  const removed = removeStep(inserted.definition, { list: old, place: step.place });
  // Without the step, the steps after it in its own list are one place further up.
  const isAfter = inserted.pointer.startsWith(`${step.list}/`) && placeIn(inserted.pointer, step.list) > step.place;
  return { definition: removed, pointer: isAfter ? shifted(inserted.pointer, step.list, -1) : inserted.pointer };
};

const placeIn = (pointer: string, list: string): number => Number(pointer.slice(list.length + 1).split('/')[0]);

/** The pointer after the place of its step in the list has changed. */
const shifted = (pointer: string, list: string, by: number): string => {
  const [, ...rest] = pointer.slice(list.length + 1).split('/');
  return [list, placeIn(pointer, list) + by, ...rest].join('/');
};

/** The questions before a step, the nearest first: their choices are the answers that a condition can ask for. */
export const choicesBefore = (definition: Json, pointer: string): { id: string; text: string }[] => {
  const steps = allSteps(definition);
  const before = steps.slice(
    0,
    Math.max(
      0,
      steps.findIndex((step) => step.pointer === pointer),
    ),
  );
  const asked = before.findLast(({ task }) => isList(objectOf(task['with'])['choices']));
  const choices = objectOf(asked?.task['with'])['choices'];
  return isList(choices)
    ? choices.flatMap((choice) => {
        const { id, text } = objectOf(choice);
        return typeof id === 'string' && typeof text === 'string' ? [{ id, text }] : [];
      })
    : [];
};
