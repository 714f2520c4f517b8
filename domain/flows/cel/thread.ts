import { parentPort } from 'node:worker_threads';
import { environmentWith } from './language.ts';
import { storable } from '../../sending/storable.ts';
import type { Answer, FromThread, ToThread } from './messages.ts';
import { toCel, toJson } from './values.ts';

/** A thread that evaluates expressions (`evaluator.ts`). Its parent ends it at the deadline. */
const MAX_KNOWN = 2_000;
const port = parentPort;
if (!port) throw new Error('This file runs as a thread of cel/evaluator.ts.');

useUtc();
const parsed = new Map<string, (scope: Record<string, unknown>) => unknown>();
port.on('message', (work: ToThread) => tell(answerTo(work)));
tell({ loaded: true });

function tell(answer: Answer): void {
  const { user, system } = process.threadCpuUsage();
  port?.postMessage({ ...answer, cpuMs: (user + system) / 1_000 } satisfies FromThread);
}

function answerTo({ expressions, scope, maxBytes }: ToThread): Answer {
  const names = Object.keys(scope);
  const values = Object.fromEntries(
    Object.entries(scope).map(([name, value]) => [
      name,
      name === 'now' && typeof value === 'string' ? new Date(value) : toCel(value),
    ]),
  );
  const room = { bytes: maxBytes };
  const found = [];
  for (const [place, expression] of expressions.entries()) {
    try {
      found.push(toJson(parse(expression, names)(values), room));
    } catch (error) {
      const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      return { failed: storable(line, 300), place };
    }
  }
  return { values: found };
}

function parse(expression: string, names: readonly string[]): (scope: Record<string, unknown>) => unknown {
  const key = `${names.join(' ')}\n${expression}`;
  const known = parsed.get(key);
  if (known) return known;
  const made = environmentWith(names).parse(expression);
  if (parsed.size >= MAX_KNOWN) parsed.clear();
  parsed.set(key, made);
  return made;
}

/**
 * Has the thread compute as if the host were in UTC. The library reads the time of a zone by way of the host's own zone,
 * in which an hour of each spring is missing.
 */
function useUtc(): void {
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds'])
    Reflect.set(Date.prototype, `get${part}`, Reflect.get(Date.prototype, `getUTC${part}`));
  globalThis.Date = new Proxy(Date, {
    construct: (target, given: unknown[], self) => Reflect.construct(target, inUtc(given), self),
  });
}

function inUtc(given: unknown[]): unknown[] {
  const [first, month, ...rest] = given;
  if (typeof first === 'number' && typeof month === 'number')
    return [Date.UTC(first, month, ...rest.filter((each) => typeof each === 'number'))];
  // The form in which `toLocaleString('en-US')` writes a time names no zone.
  return typeof first === 'string' && /^\d+\/\d+\/\d+, /.test(first) ? [`${first} UTC`] : given;
}
