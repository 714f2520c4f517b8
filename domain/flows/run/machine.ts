import { FLOW_BOUNDS } from '../bounds.ts';
import type { Evaluate, Flow, FlowError, FlowTask, Passed, Scope, Template, Then, Todo } from '../flow.ts';
import type { FlowFunctionName } from '../functions/registry.ts';
import type { Json } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { Ended, Raised } from './errors.ts';
import { fill, holds, valueOf, within } from './evaluation.ts';
import { errorValue, iterationOf, scopeOf } from './state.ts';
import type { FlowState, Frame } from './state.ts';
import { callOf, listenOf, noList, raisedOf, waitOf } from './todo.ts';

type Doing = Exclude<Todo, { do: 'end' }>;
type TaskOf<Kind extends FlowTask['kind']> = Extract<FlowTask, { kind: Kind }>;

/** One walk through a definition, from the state of a run to the next thing that happens outside. It owns its state. */
export class Machine {
  readonly #flow: Flow;
  readonly #evaluate: Evaluate;
  readonly #nowMs: number;
  readonly state: FlowState;
  readonly passed: Passed[] = [];
  /** The task at hand. A failure names it. */
  at: string | null = null;
  readonly #begunMs = performance.now();
  #pending: FlowError | null = null;

  constructor(flow: Flow, state: FlowState, { evaluate, nowMs }: { evaluate: Evaluate; nowMs: number }) {
    this.#flow = flow;
    this.#evaluate = evaluate;
    this.#nowMs = nowMs;
    this.state = state;
  }

  /** Walks until something happens outside. It is null at the end of the workflow. */
  async walk(): Promise<Doing | null> {
    for (;;) {
      try {
        const error = this.#pending;
        this.#pending = null;
        const frame = this.state.frames.at(-1);
        if (error) {
          const pause = await this.#unwind(error);
          if (pause) return pause;
        } else if (!frame) {
          return null;
        } else if (this.#isLong()) {
          return this.#pause();
        } else {
          const todo = frame.kind === 'list' ? await this.#walkList(frame) : await this.#resume(frame);
          if (todo) return todo;
        }
      } catch (error) {
        if (!(error instanceof Raised) || this.state.frames.length === 0) throw error;
        this.#pending = error.error;
      }
    }
  }

  /** Without a pause, an attempt that runs into its timeout would begin again at the same place, forever. */
  #isLong(): boolean {
    if (this.passed.length === 0) return false;
    return this.passed.length >= FLOW_BOUNDS.silentTasks || performance.now() - this.#begunMs > FLOW_BOUNDS.walkMs;
  }

  /** A pause has no task: the next walk continues with the frames as they are. */
  #pause(): Doing | null {
    const last = this.passed.at(-1);
    if (!last) return null;
    return { do: 'wait', path: last.path, iteration: iterationOf(this.state), forMs: 0 };
  }

  /** Has the walk continue with an error of the current task. */
  fail(error: FlowError): void {
    this.#pending = error;
  }

  /** Ends a task whose outcome is known. */
  async finish(task: FlowTask, raw: Json, taskInput: Json): Promise<void> {
    this.at = task.path;
    this.state.current = null;
    const scope = this.#scope(taskInput);
    const output = task.outputAs === undefined ? raw : await this.#fill(task.outputAs, { ...scope, output: raw });
    if (task.exportAs !== undefined) this.state.context = await this.#fill(task.exportAs, { ...scope, output });
    this.state.input = within(output);
    this.#goTo(task.then);
  }

  /**
   * Looks for the innermost `catch` that handles an error, and continues there. It answers the pause before a retry. An
   * error that no `catch` handles is thrown.
   */
  async #unwind(error: FlowError): Promise<Doing | null> {
    this.state.current = null;
    for (;;) {
      const frame = this.state.frames.pop();
      if (!frame) throw new Raised(error);
      const task = frame.kind === 'try' ? this.#flow.tasks.get(frame.path) : undefined;
      if (frame.kind !== 'try' || task?.kind !== 'try' || frame.caught !== null) continue;
      // Without a handler, the error of the last attempt goes on to the next `try`: a silent end would hide it.
      const isSpent = task.retry !== null && task.handler === null && frame.attempt >= task.retry.attempts;
      if (!isSpent && (await this.#catches(task, error))) return this.#handle(task, frame, error);
    }
  }

  async #walkList(frame: Extract<Frame, { kind: 'list' }>): Promise<Doing | null> {
    const path = this.#flow.lists.get(frame.list)?.[frame.next];
    const task = path === undefined ? undefined : this.#flow.tasks.get(path);
    if (!task) {
      this.state.frames.pop();
      return null;
    }
    frame.next += 1;
    this.at = task.path;
    this.#countStep();
    const raw = this.state.input;
    if (task.condition !== null && !(await holds(this.#evaluate, task.condition, this.#scope(raw)))) {
      this.#pass(task, 'skipped');
      return null;
    }
    const input = task.inputFrom === undefined ? raw : await this.#fill(task.inputFrom, this.#scope(raw));
    return this.#take(task, input);
  }

  #take(task: FlowTask, input: Json): Promise<Doing | null> {
    switch (task.kind) {
      case 'set':
        return this.#set(task, input);
      case 'switch':
        return this.#switch(task, input);
      case 'for':
        return this.#for(task, input);
      case 'do':
        this.state.input = input;
        this.state.frames.push({ kind: 'do', path: task.path }, listFrame(task.body));
        return Promise.resolve(null);
      case 'try':
        this.state.input = input;
        this.state.frames.push({ kind: 'try', path: task.path, input, attempt: 0, caught: null }, listFrame(task.body));
        return Promise.resolve(null);
      case 'raise':
        return this.#raise(task, input);
      default:
        return this.#leave(task, input);
    }
  }

  async #set(task: TaskOf<'set'>, input: Json): Promise<null> {
    const value = await this.#fill(task.value, this.#scope(input));
    this.#pass(task, null);
    await this.finish(task, value, input);
    return null;
  }

  async #switch(task: TaskOf<'switch'>, input: Json): Promise<null> {
    const scope = this.#scope(input);
    let chosen = task.cases.find(({ when }) => when === null);
    for (const each of task.cases) {
      if (each.when === null || !(await holds(this.#evaluate, each.when, scope))) continue;
      chosen = each;
      break;
    }
    this.#pass(task, chosen?.name ?? null);
    await this.finish(chosen ? { ...task, then: chosen.then } : task, input, input);
    return null;
  }

  async #for(task: TaskOf<'for'>, input: Json): Promise<null> {
    const items = await valueOf(this.#evaluate, task.in, this.#scope(input));
    if (!Array.isArray(items)) throw noList(task.in);
    this.#pass(task, null);
    this.state.input = input;
    this.state.frames.push({ kind: 'for', path: task.path, items: [...items], index: -1 });
    return null;
  }

  async #raise(task: TaskOf<'raise'>, input: Json): Promise<null> {
    const error = await this.#fill(task.error, this.#scope(input));
    const raised = raisedOf(error);
    this.#pass(task, raised.type);
    throw new Raised(raised);
  }

  /** Leaves a task to the caller, whose outcome comes with the next call. */
  async #leave(task: TaskOf<'call' | 'wait' | 'listen'>, input: Json): Promise<Doing | null> {
    const scope = this.#scope(input);
    const place = { path: task.path, iteration: iterationOf(this.state) };
    this.state.current = { path: task.path, input, heard: [], remaining: [] };
    if (task.kind === 'wait') return waitOf(place, await this.#fill(task.duration, scope));
    if (task.kind === 'listen') {
      this.state.current.remaining = task.filters.map((_, index) => index);
      this.state.current.untilMs = this.#nowMs + (task.timeoutMs ?? FLOW_BOUNDS.waitMs);
      return this.listens(task);
    }
    this.#countCall(task.function);
    return callOf(place, task.function, await this.#fill(task.with, scope), input);
  }

  /** Waits for the filters that have not been met, after the message that met the last one, until the task's time is over. */
  listens(task: TaskOf<'listen'>): Doing | null {
    const { current } = this.state;
    if (!current) return null;
    const { remaining, heard, untilMs = this.#nowMs } = current;
    const place = { path: task.path, iteration: iterationOf(this.state) };
    const last = heard.at(-1) ?? null;
    const after = isJsonObject(last) && typeof last['messageId'] === 'string' ? last['messageId'] : null;
    return listenOf(place, task, { remaining, after, forMs: Math.max(0, untilMs - this.#nowMs) });
  }

  /** Continues a task whose list has ended. */
  async #resume(frame: Exclude<Frame, { kind: 'list' }>): Promise<null> {
    const task = this.#flow.tasks.get(frame.path);
    this.at = frame.path;
    if (task?.kind === 'for' && frame.kind === 'for' && (await this.#turns(task, frame))) return null;
    this.state.frames.pop();
    if (task) await this.finish(task, this.state.input, this.state.input);
    return null;
  }

  /** Begins the next turn of a loop. It is false after the last one. */
  async #turns(task: TaskOf<'for'>, frame: Extract<Frame, { kind: 'for' }>): Promise<boolean> {
    if (frame.index + 1 >= frame.items.length) return false;
    frame.index += 1;
    const { counts } = this.state;
    counts.turns += 1;
    if (counts.turns > FLOW_BOUNDS.turns)
      throw new Ended('workflow_too_long', `The loops of the run turn more than ${FLOW_BOUNDS.turns} times.`);
    if (task.while !== null && !(await holds(this.#evaluate, task.while, this.#scope(this.state.input)))) return false;
    this.state.frames.push(listFrame(task.body));
    return true;
  }

  async #catches(task: TaskOf<'try'>, error: FlowError): Promise<boolean> {
    const { type, status, title } = task.errors;
    if (type !== undefined && type !== error.type) return false;
    if (status !== undefined && status !== error.status) return false;
    if (title !== undefined && title !== error.title) return false;
    const scope = { ...this.#scope(this.state.input), [task.as]: errorValue(error) };
    if (task.when !== null && !(await holds(this.#evaluate, task.when, scope))) return false;
    return task.exceptWhen === null || !(await holds(this.#evaluate, task.exceptWhen, scope));
  }

  async #handle(task: TaskOf<'try'>, frame: Extract<Frame, { kind: 'try' }>, error: FlowError): Promise<Doing | null> {
    const { retry } = task;
    this.state.input = frame.input;
    if (retry && frame.attempt < retry.attempts) {
      const attempt = frame.attempt + 1;
      const factor = { constant: 1, linear: attempt, exponential: 2 ** (attempt - 1) }[retry.backoff];
      const forMs = Math.min(retry.delayMs * factor, FLOW_BOUNDS.waitMs);
      this.#pass(task, 'retried');
      this.state.frames.push({ ...frame, attempt }, listFrame(task.body));
      if (forMs === 0) return null;
      return { do: 'wait', path: task.path, iteration: iterationOf(this.state), forMs };
    }
    this.#pass(task, 'caught');
    if (task.handler === null) {
      await this.finish(task, frame.input, frame.input);
      return null;
    }
    this.state.frames.push({ ...frame, caught: error }, listFrame(task.handler));
    return null;
  }

  #goTo(then: Then): void {
    if (then.to === 'continue') return;
    if (then.to === 'end') {
      this.state.frames.length = 0;
      return;
    }
    const frame = this.state.frames.at(-1);
    if (frame?.kind !== 'list') return;
    const list = this.#flow.lists.get(frame.list) ?? [];
    frame.next = then.to === 'task' ? list.indexOf(then.path) : list.length;
  }

  #countStep(): void {
    this.state.counts.steps += 1;
    if (this.state.counts.steps > FLOW_BOUNDS.steps)
      throw new Ended('workflow_too_long', `The run takes more than ${FLOW_BOUNDS.steps} tasks.`);
  }

  #countCall(name: FlowFunctionName): void {
    const { counts } = this.state;
    counts.calls += CALLS.has(name) ? 1 : 0;
    counts.messages += MESSAGES.has(name) ? 1 : 0;
    if (counts.calls > FLOW_BOUNDS.calls)
      throw new Ended('too_many_calls', `The run calls other systems more than ${FLOW_BOUNDS.calls} times.`);
    if (counts.messages > FLOW_BOUNDS.messages)
      throw new Ended('workflow_too_long', `The run sends more than ${FLOW_BOUNDS.messages} messages.`);
  }

  #pass({ path }: FlowTask, branch: string | null): void {
    this.passed.push({ path, iteration: iterationOf(this.state), branch });
  }

  #scope(input: Json): Scope {
    return scopeOf(this.#flow, this.state, input, this.#nowMs);
  }

  #fill(template: Template, scope: Scope): Promise<Json> {
    return fill(this.#evaluate, template, scope);
  }
}

/** The functions that reach another system, and those that write to the contact. */
const CALLS: ReadonlySet<FlowFunctionName> = new Set(['http', 'callWebhook', 'label']);
const MESSAGES: ReadonlySet<FlowFunctionName> = new Set(['send', 'sendButtons', 'sendMedia', 'ask']);

const listFrame = (list: string): Frame => ({ kind: 'list', list, next: 0 });
