import { Worker } from 'node:worker_threads';
import { FLOW_BOUNDS } from '../bounds.ts';
import type { Evaluate, Scope } from '../flow.ts';
import type { Json } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { FromThread, ToThread } from './messages.ts';

/** An expression failed. `isFinal`: it ran into the deadline or the bound of memory, and no `catch` handles it. */
export class ExpressionError extends Error {
  readonly isFinal: boolean;
  readonly expression: string;

  constructor(message: string, { expression, isFinal = false }: { expression: string; isFinal?: boolean }) {
    super(message);
    this.expression = expression;
    this.isFinal = isFinal;
  }
}

export interface Evaluator {
  evaluate: Evaluate;
  close: () => Promise<void>;
}

interface Job {
  work: ToThread;
  spent: (ms: number) => void;
  resolve: (values: Json[]) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  isLoaded: boolean;
  timer: NodeJS.Timeout | undefined;
  /** The CPU time of the thread when it was last idle. */
  idleCpuMs: number;
  /** The time at which the job began. */
  sinceMs: number;
}

/** A busy machine takes long to load a thread. That does not count as time of an expression. */
const LOAD_WITHIN_MS = 60_000;
const MIN_LOOK_MS = 10;
/** Past this time an expression ends although a busy machine has not given it its CPU time. */
const MAX_WALL_MS = 30_000;
/** Names and the fields below them, such as `event.text`. They need no thread. */
const PLAIN = /^[a-z]\w*(?:\.[a-z]\w*)*$/i;
const WORDS_OF_CEL = new Set(['true', 'false', 'null', 'now']);

/**
 * Evaluates expressions in threads with a deadline and a bound of memory. An expression of a tenant may run for minutes
 * or fill the memory; then its thread ends, and the process continues with a new one. The deadline is CPU time of the
 * thread, because an honest expression must not fail on a busy machine.
 */
export function createEvaluator({
  threads: most = 1,
  timeoutMs = 1_000,
  memoryMb = 64,
}: { threads?: number; timeoutMs?: number; memoryMb?: number } = {}): Evaluator {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let isClosed = false;

  function start(): void {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      env: {},
      // Options of the process may not fit a file, such as those of a script on the command line.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    const thread: Thread = { worker, job: null, isLoaded: false, timer: undefined, idleCpuMs: 0, sinceMs: 0 };
    threads.add(thread);
    arm(thread, LOAD_WITHIN_MS, () => new Error('A thread for expressions did not load.'));
    worker.unref();
    worker.on('message', (message: FromThread) => hear(thread, message));
    worker.on('error', (error: Error & { code?: string }) =>
      drop(thread, error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOf('memory', thread) : error),
    );
    worker.on('exit', () => drop(thread, new Error('A thread for expressions ended.')));
  }

  function hear(thread: Thread, message: FromThread): void {
    clearTimeout(thread.timer);
    thread.isLoaded = true;
    const { job } = thread;
    thread.job = null;
    job?.spent(message.cpuMs - thread.idleCpuMs);
    thread.idleCpuMs = message.cpuMs;
    if (job && 'values' in message) job.resolve(message.values);
    if (job && 'failed' in message)
      job.reject(new ExpressionError(message.failed, { expression: job.work.expressions[message.place] ?? '' }));
    give();
  }

  /** Gives the work that waits to threads that have none. */
  function give(): void {
    for (const thread of threads) {
      if (!thread.isLoaded || thread.job) continue;
      const job = waiting.shift();
      if (!job) return;
      thread.job = job;
      thread.sinceMs = performance.now();
      watch(thread, job, timeoutMs);
      thread.worker.postMessage(job.work);
    }
    if (waiting.length > 0 && threads.size < most) start();
  }

  /** Ends the thread once its job has had its CPU time. */
  function watch(thread: Thread, job: Job, ms: number): void {
    clearTimeout(thread.timer);
    const look = async (): Promise<void> => {
      const { user, system } = await thread.worker.cpuUsage();
      if (thread.job !== job) return;
      const leftMs = timeoutMs - ((user + system) / 1_000 - thread.idleCpuMs);
      const isOver = leftMs <= 0 || performance.now() - thread.sinceMs > MAX_WALL_MS;
      if (isOver) drop(thread, outOf('time', thread));
      else watch(thread, job, Math.max(leftMs, MIN_LOOK_MS));
    };
    // A thread that tells no CPU time is no longer of use. One that has just ended has answered its job.
    thread.timer = setTimeout(() => void look().catch(() => drop(thread, outOf('time', thread))), ms);
  }

  function arm(thread: Thread, ms: number, error: () => Error): void {
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => drop(thread, error()), ms);
  }

  function drop(thread: Thread, error: Error): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.timer);
    const job = thread.job ?? (thread.isLoaded ? null : (waiting.shift() ?? null));
    thread.job = null;
    job?.reject(error);
    void thread.worker.terminate();
    give();
  }

  return {
    evaluate(expressions, scope, spent = () => undefined) {
      const plain = plainValues(expressions, scope);
      if (plain) return Promise.resolve(plain);
      if (isClosed) return Promise.reject(new Error('The evaluator is closed.'));
      return new Promise<Json[]>((resolve, reject) => {
        const work = { expressions, scope, maxBytes: FLOW_BOUNDS.dataBytes };
        waiting.push({ work, spent, resolve, reject });
        give();
      });
    },
    async close() {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new Error('The evaluator is closed.'));
      await Promise.all(
        [...threads].map(async (thread) => {
          drop(thread, new Error('The evaluator is closed.'));
          await thread.worker.terminate();
        }),
      );
    },
  };
}

function outOf(bound: 'time' | 'memory', { job }: Thread): Error {
  const expression = job?.work.expressions.join('; ') ?? '';
  const message = bound === 'time' ? 'The expression ran into its deadline.' : 'The expression ran out of memory.';
  return new ExpressionError(message, { expression, isFinal: true });
}

/** The values of expressions that only name a value which exists; null if one of them does more. */
function plainValues(expressions: readonly string[], scope: Scope): Json[] | null {
  const values: Json[] = [];
  for (const expression of expressions) {
    const value = PLAIN.test(expression) ? valueAt(expression.split('.'), scope) : undefined;
    if (value === undefined) return null;
    values.push(value);
  }
  return values;
}

function valueAt([first = '', ...keys]: readonly string[], scope: Scope): Json | undefined {
  if (WORDS_OF_CEL.has(first)) return undefined;
  let value = Object.hasOwn(scope, first) ? scope[first] : undefined;
  for (const key of keys) {
    if (value === undefined || !isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
