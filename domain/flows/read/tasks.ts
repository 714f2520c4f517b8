import { FLOW_BOUNDS } from '../bounds.ts';
import type { FlowTask, Then } from '../flow.ts';
import { expressionOf } from '../expression.ts';
import { isFlowFunction } from '../functions/registry.ts';
import type { Json } from '../json.ts';
import { below, isJsonObject } from '../json.ts';
import { readCall, readWait } from './calls.ts';
import type { Problems } from './problems.ts';
import { objectAt } from './problems.ts';
import type { Reading } from './reading.ts';
import { REFUSED_TASKS } from './refusals.ts';
import { TASK_KINDS, TASK_NAME, TASKS } from './schemas.ts';
import type { TaskKind } from './schemas.ts';

interface Around {
  list: string;
  place: number;
  /** The places of the tasks of the list by their names; of two with one name, the first. */
  places: ReadonlyMap<string, number>;
  variables: readonly string[];
  depth: number;
}

type Base = Omit<FlowTask & { kind: 'wait' }, 'kind' | 'duration'>;
const DIRECTIVES = ['continue', 'exit', 'end'] as const;

/** Reads a list of tasks, and the lists in them. */
export function readList(
  reading: Reading,
  given: Json | undefined,
  { pointer, variables, depth }: { pointer: string; variables: readonly string[]; depth: number },
): void {
  const { problems } = reading;
  if (!Array.isArray(given)) return problems.add(pointer, 'A list of tasks is needed here.');
  if (depth > FLOW_BOUNDS.depth)
    return problems.add(pointer, `Tasks may nest ${FLOW_BOUNDS.depth} levels deep. Split the workflow.`);
  const { tasks } = FLOW_BOUNDS;
  if (reading.count <= tasks && reading.count + given.length > tasks)
    problems.add(pointer, `A workflow may have ${tasks} tasks. Split the workflow.`);
  reading.count += given.length;
  // The rest of a definition that is too long is not read, so that a refusal costs no more than a valid definition.
  if (reading.count > tasks) return;
  const entries = given.map((entry: Json) => (isJsonObject(entry) ? Object.entries(entry) : []));
  const names = entries.map(([first]) => first?.[0] ?? '');
  const places = new Map(names.map((name, place) => [name, place] as const).toReversed());
  const paths = names.map((name, place) => below(pointer, place, name));
  reading.lists.set(pointer, paths);
  for (const [place, entry] of entries.entries()) {
    const [first, ...more] = entry;
    if (!first || more.length > 0) {
      problems.add(below(pointer, place), 'A task is an object with one key, its name.');
      continue;
    }
    const [name, task] = first;
    const path = below(pointer, place, name);
    if (!TASK_NAME.test(name) || DIRECTIVES.some((word) => word === name))
      problems.add(
        path,
        'The name of a task is a letter, then at most 63 letters, digits, `_` and `-`; it is no directive.',
      );
    if (places.get(name) !== place) problems.add(path, `The list has another task ${name}.`);
    readTask(reading, { name, path, task: objectAt(task) }, { list: pointer, place, places, variables, depth });
  }
}

interface Given {
  name: string;
  path: string;
  task: Readonly<Record<string, Json>>;
}

function readTask(reading: Reading, given: Given, around: Around): void {
  const { problems } = reading;
  const { path, task } = given;
  const kind = TASK_KINDS.find((each) => Object.hasOwn(task, each));
  if (kind === undefined) {
    const refused = Object.keys(task).find((key) => REFUSED_TASKS.has(key));
    const reason = REFUSED_TASKS.get(refused ?? '');
    return problems.add(
      refused === undefined ? path : below(path, refused),
      reason ?? `A task has one of ${TASK_KINDS.map((each) => `\`${each}\``).join(', ')}.`,
    );
  }
  const read = readKind(reading, kind, given, around);
  if (read) reading.tasks.set(path, read);
}

/** Reads what every task has. */
function readBase({ problems }: Reading, { name, path, task }: Given, around: Around): Base {
  const { list, place, variables } = around;
  const [from, output, exported] = [
    objectAt(task['input'])['from'],
    objectAt(task['output'])['as'],
    objectAt(task['export'])['as'],
  ];
  const condition = conditionAt(problems, task['if'], below(path, 'if'), variables);
  if (from !== undefined) problems.template(from, below(path, 'input', 'from'), variables);
  if (output !== undefined) problems.template(output, below(path, 'output', 'as'), [...variables, 'output']);
  if (exported !== undefined) problems.template(exported, below(path, 'export', 'as'), [...variables, 'output']);
  const then = readThen(problems, task['then'], below(path, 'then'), around);
  return { path, name, list, place, condition, inputFrom: from, outputAs: output, exportAs: exported, then };
}

function conditionAt(
  problems: Problems,
  given: Json | undefined,
  pointer: string,
  variables: readonly string[],
): string | null {
  if (typeof given !== 'string') return null;
  const expression = expressionOf(given);
  problems.expression(expression, pointer, variables);
  return expression;
}

function readThen(problems: Problems, given: Json | undefined, pointer: string, { list, place, places }: Around): Then {
  const directive = DIRECTIVES.find((word) => word === given);
  if (typeof given !== 'string' || directive !== undefined) return { to: directive ?? 'continue' };
  const target = places.get(given);
  if (target === undefined)
    problems.add(pointer, `The list of this task has no task ${given}. A \`then\` names a later task of it.`);
  else if (target <= place)
    problems.add(
      pointer,
      `The task ${given} is no later task. A \`then\` goes forward only, so that each run ends; use \`for\`.`,
    );
  return { to: 'task', path: below(list, target ?? -1, given) };
}

function readKind(reading: Reading, kind: TaskKind, given: Given, around: Around): FlowTask | undefined {
  const { problems } = reading;
  const { path, task } = given;
  const { variables, depth } = around;
  const inner = { variables, depth: depth + 1 };
  const base = readBase(reading, given, around);
  switch (kind) {
    case 'do': {
      problems.read(TASKS.do, task, path, 'task');
      readList(reading, task['do'], { pointer: below(path, 'do'), ...inner });
      return { ...base, kind, body: below(path, 'do') };
    }
    case 'set': {
      problems.read(TASKS.set, task, path, 'task');
      problems.template(task['set'] ?? null, below(path, 'set'), variables);
      return { ...base, kind, value: task['set'] ?? null };
    }
    case 'switch': {
      const read = problems.read(TASKS.switch, task, path, 'task');
      const cases = read?.switch.map((entry, place) => {
        const [[name, { when, then }] = ['', {}], ...more] = Object.entries(entry);
        const at = below(path, 'switch', place, name);
        if (more.length > 0 || name === '')
          problems.add(below(path, 'switch', place), 'A case is an object with one key.');
        return {
          name,
          when: conditionAt(problems, when, below(at, 'when'), variables),
          then: readThen(problems, then, below(at, 'then'), around),
        };
      });
      if (cases && cases.filter(({ when }) => when === null).length > 1)
        problems.add(below(path, 'switch'), 'Only one case may lack `when`: it is the default.');
      return cases && { ...base, kind, cases };
    }
    case 'for': {
      const read = problems.read(TASKS.for, task, path, 'task');
      const { each = 'item', at = 'index', in: list = '' } = read?.for ?? {};
      for (const name of [each, at])
        if (variables.includes(name))
          problems.add(below(path, 'for'), `The variable ${name} exists already. Choose another name.`);
      const within = [...variables, each, at];
      const iterated = conditionAt(problems, read && list, below(path, 'for', 'in'), variables) ?? '';
      const whilst = conditionAt(problems, task['while'], below(path, 'while'), within);
      readList(reading, task['do'], { pointer: below(path, 'do'), variables: within, depth: depth + 1 });
      return { ...base, kind, each, at, in: iterated, while: whilst, body: below(path, 'do') };
    }
    case 'wait': {
      problems.read(TASKS.wait, task, path, 'task');
      return { ...base, kind, duration: readWait(reading, task['wait'] ?? null, below(path, 'wait'), variables) };
    }
    case 'call': {
      const read = problems.read(TASKS.call, task, path, 'task');
      const name = read?.call ?? '';
      const input = readCall(reading, { name, path, given: task['with'] ?? {}, variables });
      return isFlowFunction(name) ? { ...base, kind, function: name, with: input } : undefined;
    }
    case 'try':
      return readTry(reading, base, given, inner);
    case 'raise': {
      problems.read(TASKS.raise, task, path, 'task');
      const error = objectAt(task['raise'])['error'] ?? null;
      if (typeof error !== 'string') problems.template(error, below(path, 'raise', 'error'), variables);
      return { ...base, kind, error };
    }
    case 'listen': {
      const read = problems.read(TASKS.listen, task, path, 'listen');
      if (!read) return undefined;
      const { to } = read.listen;
      const timeoutMs = read.timeout?.after ?? null;
      if ('one' in to) return { ...base, kind, mode: 'one', filters: [to.one.with], timeoutMs };
      if ('any' in to) return { ...base, kind, mode: 'any', filters: to.any.map((each) => each.with), timeoutMs };
      return { ...base, kind, mode: 'all', filters: to.all.map((each) => each.with), timeoutMs };
    }
    default:
      return kind satisfies never;
  }
}

function readTry(
  reading: Reading,
  base: Base,
  { path, task }: Given,
  { variables, depth }: { variables: readonly string[]; depth: number },
): FlowTask {
  const { problems } = reading;
  const caught = problems.read(TASKS.try, task, path, 'task')?.catch;
  const as = caught?.as ?? 'error';
  const at = below(path, 'catch');
  if (variables.includes(as)) problems.add(below(at, 'as'), `The variable ${as} exists already. Choose another name.`);
  readList(reading, task['try'], { pointer: below(path, 'try'), variables, depth });
  const handled = objectAt(task['catch'])['do'];
  const handler = handled === undefined ? null : below(at, 'do');
  const known = [...variables, as];
  if (handler !== null) readList(reading, handled, { pointer: handler, variables: known, depth });
  const retry = caught?.retry;
  const [backoff = 'constant'] = Object.keys(retry?.backoff ?? {});
  return {
    ...base,
    kind: 'try',
    body: below(path, 'try'),
    errors: caught?.errors?.with ?? {},
    as,
    when: conditionAt(problems, caught?.when, below(at, 'when'), known),
    exceptWhen: conditionAt(problems, caught?.exceptWhen, below(at, 'exceptWhen'), known),
    retry: retry
      ? {
          attempts: retry.limit.attempt.count,
          delayMs: retry.delay ?? 0,
          backoff: backoff === 'linear' || backoff === 'exponential' ? backoff : 'constant',
        }
      : null,
    handler,
  };
}
