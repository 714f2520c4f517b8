import { z } from 'zod';
import { Trigger } from '../../automations/trigger.ts';
import { Duration } from '../duration.ts';
import type { Audience, FlowOutline, Param, Template } from '../flow.ts';
import type { Json, Problem } from '../json.ts';
import { below, isJsonObject } from '../json.ts';
import { paramsSchema } from './params.ts';
import type { Problems } from './problems.ts';

const Schedule = z.strictObject({
  on: z.strictObject({ one: z.strictObject({ with: z.record(z.string(), z.json()) }) }).optional(),
  cron: z.string().max(100).optional(),
  every: Duration.optional(),
});

const AudienceSchema = z
  .strictObject({
    label: z.string().min(1).max(100).optional(),
    silentDays: z.int().min(1).max(365).optional(),
  })
  .refine(
    ({ label, silentDays }) => label !== undefined || silentDays !== undefined,
    'must have `label` or `silentDays`',
  );

/** The events that can start a workflow, with the schemas of their filters. Schedules are apart, and requests start any. */
export const EVENT_TRIGGERS: readonly { type: string; filters: z.ZodObject }[] = Trigger.options.flatMap((option) => {
  const { event } = option.shape;
  const types: readonly string[] = event instanceof z.ZodEnum ? event.options : [...event.values];
  const { event: _event, ...filters } = option.shape;
  return types
    .filter((type) => type !== 'schedule' && type !== 'request')
    .map((type) => ({ type, filters: z.strictObject(filters) }));
});

const TRIGGER_AT = '/schedule/on/one/with';
const PARAM = /^\$\{\s*params\.(\w+)\s*\}$/;

interface ReadTrigger {
  trigger: Trigger;
  template: Template;
}

/** Reads what starts the workflow. Without a schedule, only requests do. */
export function readTrigger(schedule: Json | undefined, params: readonly Param[], problems: Problems): ReadTrigger {
  const byRequest: ReadTrigger = { trigger: { event: 'request' }, template: { event: 'request' } };
  if (schedule === undefined) return byRequest;
  const read = problems.read(Schedule, schedule, '/schedule', 'schedule');
  if (!read) return byRequest;
  const { on, cron, every } = read;
  if ([on, cron, every].filter((each) => each !== undefined).length !== 1) {
    problems.add('/schedule', 'A schedule has one of `on`, `cron` and `every`.');
    return byRequest;
  }
  if (cron !== undefined) return byCron(cron, problems) ?? byRequest;
  if (every !== undefined) return byInterval(every, problems) ?? byRequest;
  const { type = null, ...filter } = on?.one.with ?? {};
  if (typeof type !== 'string') {
    problems.add(below(TRIGGER_AT, 'type'), 'The trigger needs the `type` of its event, such as `message`.');
    return byRequest;
  }
  const template: Template = { ...filter, event: type };
  const usual = new Map(params.map((param) => [param.name, param.default]));
  for (const { name, pointer } of paramsOf(template, TRIGGER_AT))
    if (usual.get(name) === undefined)
      problems.add(pointer, `The trigger reads the parameter ${name}: it must exist and have a default.`);
  const found = triggerOf(template, Object.fromEntries(usual));
  if ('trigger' in found) return { trigger: found.trigger, template };
  for (const { pointer, message } of found.wrong) problems.add(`${TRIGGER_AT}${pointer}`, message);
  return byRequest;
}

/** Fills parameters into a trigger. It is a filter without expressions, because each inbound message asks it. */
function triggerOf(
  template: Template,
  params: Readonly<Record<string, unknown>>,
): { trigger: Trigger } | { wrong: Problem[] } {
  const read = Trigger.safeParse(filled(template, params));
  if (read.success) return { trigger: read.data };
  return {
    wrong: read.error.issues.flatMap((issue) => {
      const at = below('', ...issue.path.map((key) => (key === 'event' ? 'type' : key)));
      const place = at === '/' ? '' : at;
      return issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ pointer: below(place, key), message: 'This event has no such filter.' }))
        : [
            {
              pointer: place,
              message: issue.path[0] === 'event' ? 'No event of this type starts workflows.' : `${issue.message}.`,
            },
          ];
    }),
  };
}

/** Reads the parameters of a tenant, with their defaults, and makes the trigger that they give. */
export function configureFlow(
  flow: Pick<FlowOutline, 'params' | 'triggerTemplate'>,
  given: unknown,
): { params: Record<string, unknown>; trigger: Trigger } | { wrong: Problem[] } {
  const read = paramsSchema(flow).safeParse(given ?? {});
  if (!read.success) {
    return {
      wrong: read.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({
              pointer: below('/params', key),
              message: 'is not a parameter of this workflow',
            }))
          : [{ pointer: below('/params', ...issue.path), message: issue.message }],
      ),
    };
  }
  const found = triggerOf(flow.triggerTemplate, read.data);
  if ('trigger' in found) return { params: read.data, trigger: found.trigger };
  return {
    wrong: found.wrong.map(({ pointer, message }) => ({
      pointer: '/params',
      message: `make a trigger that is not valid: ${pointer} (${message})`,
    })),
  };
}

function filled(template: Template, params: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === 'string') {
    const name = PARAM.exec(template)?.[1];
    return name === undefined ? template : params[name];
  }
  if (Array.isArray(template)) return template.map((each) => filled(each, params));
  if (!isJsonObject(template)) return template;
  return Object.fromEntries(Object.entries(template).map(([key, each]) => [key, filled(each, params)]));
}

function* paramsOf(template: Json, pointer: string): Generator<{ name: string; pointer: string }> {
  if (typeof template === 'string') {
    const name = PARAM.exec(template)?.[1];
    if (name !== undefined) yield { name, pointer };
  } else if (typeof template === 'object' && template !== null)
    for (const [key, each] of Object.entries(template)) yield* paramsOf(each, below(pointer, key));
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const CRON = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/;

function byCron(cron: string, problems: Problems): ReadTrigger | null {
  const [, minute = '', hour = '', week = ''] = CRON.exec(cron.trim().replaceAll(/\s+/g, ' ')) ?? [];
  const days = week === '*' ? [] : daysOf(week);
  const isTime = minute !== '' && Number(minute) < 60 && Number(hour) < 24;
  if (!isTime || days === null) {
    problems.add(
      '/schedule/cron',
      'A `cron` is a time of day and days of the week in the time zone of the tenant, such as `0 9 * * 1-5`.',
    );
    return null;
  }
  return atTime(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, days);
}

const DAY_MS = 86_400_000;
const MONDAY = 1;

/** An interval is a day or a week, at a time when people read messages: the standard does not say when it begins. */
function byInterval(everyMs: number, problems: Problems): ReadTrigger | null {
  if (everyMs === DAY_MS) return atTime('09:00', []);
  if (everyMs === 7 * DAY_MS) return atTime('09:00', [MONDAY]);
  problems.add(
    '/schedule/every',
    "An `every` is one day or seven days, at nine o'clock. Write other times with `cron`.",
  );
  return null;
}

function atTime(at: string, days: number[]): ReadTrigger {
  const schedule = { event: 'schedule' as const, at, ...(days.length === 0 ? {} : { days }) };
  return { trigger: schedule, template: schedule };
}

/** The days of `1-5`, `mon,thu` or `0`; 7 is Sunday, as 0. */
function daysOf(week: string): number[] | null {
  const days = new Set<number>();
  for (const part of week.split(',')) {
    const [from = Number.NaN, to = from] = part.split('-', 2).map(dayOf);
    if (!(from <= to)) return null;
    for (let day = from; day <= to; day += 1) days.add(day % 7);
  }
  return [...days].toSorted((a, b) => a - b);
}

function dayOf(word: string): number {
  const named = DAYS.indexOf(word.toLowerCase());
  if (named !== -1) return named;
  return /^[0-7]$/.test(word) ? Number(word) : Number.NaN;
}

/** Reads the contacts for whom a schedule starts runs. */
export function readAudience(given: Json | undefined, trigger: Trigger, problems: Problems): Audience | null {
  const at = '/document/metadata/audience';
  if (given === undefined) return null;
  if (trigger.event !== 'schedule') {
    problems.add(at, 'Only a workflow with `schedule.cron` or `schedule.every` has an audience.');
    return null;
  }
  return problems.read(AudienceSchema, given, at, 'audience') ?? null;
}
