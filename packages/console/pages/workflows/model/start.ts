import { isList, isObject, objectOf, textOf, valueAt, withValue, without } from './json.ts';
import type { Json, JsonObject } from './json.ts';

/** The start of a workflow, as the form shows it. `json` is a schedule that only its JSON can express. */
export type Start =
  | { by: 'request' }
  | { by: 'event'; type: string }
  | { by: 'time'; at: string; days: readonly number[] }
  | { by: 'json' };

/** The filters of the event. */
export const FILTERS = '/schedule/on/one/with';
const AUDIENCE = '/document/metadata/audience';
export const AUDIENCE_LABEL = `${AUDIENCE}/label`;
export const AUDIENCE_DAYS = `${AUDIENCE}/silentDays`;

const CRON = /^(\d{1,2}) (\d{1,2}) \* \* ([\d,-]+|\*)$/;
const SUNDAY = 7;

const daysOf = (week: string): number[] | null => {
  if (week === '*') return [];
  const days = new Set<number>();
  for (const part of week.split(',')) {
    const [from = Number.NaN, to = from, ...more] = part
      .split('-')
      .map((day) => (day === '' ? Number.NaN : Number(day)));
    if (more.length > 0 || !(from <= to && to <= SUNDAY)) return null;
    for (let day = from; day <= to; day += 1) days.add(day % SUNDAY);
  }
  return [...days].toSorted((one, other) => one - other);
};

const two = (text: string): string => text.padStart(2, '0');

/** The start of a definition. */
export const startOf = (definition: Json): Start => {
  const schedule = valueAt(definition, '/schedule');
  if (schedule === undefined) return { by: 'request' };
  if (!isObject(schedule) || Object.keys(schedule).length !== 1) return { by: 'json' };
  const type = valueAt(schedule, '/on/one/with/type');
  if (typeof type === 'string') return { by: 'event', type };
  const [, minute, hour, week = ''] = CRON.exec(textOf(schedule['cron'])) ?? [];
  const days = daysOf(week);
  if (minute === undefined || hour === undefined || days === null) return { by: 'json' };
  const isTime = Number(minute) < 60 && Number(hour) < 24;
  return isTime ? { by: 'time', at: `${two(hour)}:${two(minute)}`, days } : { by: 'json' };
};

const isSameStart = (one: Start, other: Start): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The definition with another start. One that means the same stays as it is written. */
export const withStart = (definition: Json, start: Start): Json => {
  const before = startOf(definition);
  if (start.by === 'json' || isSameStart(before, start)) return definition;
  // Only a time has an audience.
  const rest = start.by === 'time' ? definition : without(definition, AUDIENCE, '/document');
  if (start.by === 'request') return withValue(rest, '/schedule', undefined);
  if (start.by === 'event') return placed(rest, 'schedule', { on: { one: { with: { type: start.type } } } });
  const [hour = '9', minute = '0'] = start.at.split(':');
  const days = start.days.length === 0 ? '*' : start.days.join(',');
  return placed(rest, 'schedule', { cron: `${Number(minute)} ${Number(hour)} * * ${days}` });
};

/** Puts a part before the tasks, as people write it. */
const placed = (definition: Json, name: string, part: JsonObject): Json => {
  const whole = objectOf(definition);
  if (Object.hasOwn(whole, name)) return withValue(definition, `/${name}`, part);
  const { do: tasks, ...rest } = whole;
  return tasks === undefined ? { ...rest, [name]: part } : { ...rest, [name]: part, do: tasks };
};

/** A parameter that each tenant sets. */
export interface Param {
  name: string;
  of: JsonObject;
  isRequired: boolean;
}

const PARAMS = '/input/schema/document';
export const paramAt = (name: string): string =>
  `${PARAMS}/properties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const requiredOf = (definition: Json): string[] => {
  const found = valueAt(definition, `${PARAMS}/required`);
  return isList(found) ? found.flatMap((each) => (typeof each === 'string' ? [each] : [])) : [];
};

export const paramsOf = (definition: Json): Param[] => {
  const required = requiredOf(definition);
  return Object.entries(objectOf(valueAt(definition, `${PARAMS}/properties`))).map(([name, of]) => ({
    name,
    of: objectOf(of),
    isRequired: required.includes(name),
  }));
};

/** Adds a parameter, and the object around the first one. */
export const withParam = (definition: Json, name: string): Json => {
  const isFirst = valueAt(definition, PARAMS) === undefined;
  const input = { schema: { document: { type: 'object', properties: {} } } };
  return withValue(isFirst ? placed(definition, 'input', input) : definition, paramAt(name), {
    type: 'string',
    default: '',
  });
};

/** Removes a parameter; with the last one, the whole `input` if it holds nothing else. */
export const withoutParam = (definition: Json, name: string): Json => {
  const left = requiredOf(definition).filter((each) => each !== name);
  const unrequired =
    valueAt(definition, `${PARAMS}/required`) === undefined
      ? definition
      : withValue(definition, `${PARAMS}/required`, left.length === 0 ? undefined : left);
  const removed = withValue(unrequired, paramAt(name), undefined);
  return paramsOf(removed).length === 0 ? withValue(removed, '/input', undefined) : removed;
};

/** Requires a parameter of each tenant, or no longer. */
export const withRequired = (definition: Json, name: string, isRequired: boolean): Json => {
  const others = requiredOf(definition).filter((each) => each !== name);
  const next = isRequired ? [...others, name] : others;
  return withValue(definition, `${PARAMS}/required`, next.length === 0 ? undefined : next);
};
