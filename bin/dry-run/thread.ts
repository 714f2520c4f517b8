import { parentPort, workerData } from 'node:worker_threads';
import type { DryTask, LookAtHours } from '../../domain/automations/dry-run/task.ts';
import { definitionName } from '../../domain/automations/name.ts';
import * as automations from '../../workflows/automations/index.ts';
import { simulate } from '../../workflows/automations/dry-run/simulate.ts';
import type { FromThread, ToThread } from './messages.ts';

/** The thread of one dry run (`threads.ts`): it has the task, and its clock is the one of what it simulates. */
const task: DryTask = workerData;
const found = Object.entries(automations).find(([exported]) => definitionName(exported) === task.definition);
if (!found || !parentPort) throw new Error(`There is no automation ${task.definition} for a dry run.`);
const port = parentPort;
const [, automation] = found;

const tell = (message: FromThread): void => port.postMessage(message);
const asked: ((opening: ToThread) => void)[] = [];
port.on('message', (opening: ToThread) => asked.shift()?.(opening));

const lookAtHours: LookAtHours = (atMs) =>
  new Promise((resolve) => {
    asked.push(resolve);
    tell({ hoursAtMs: atMs });
  });

let nowMs = (): number => 0;
const virtual = { now: () => nowMs() };
globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[], self) =>
    Reflect.construct(target, given.length === 0 ? [nowMs()] : given, self),
  get: (target, name) => (name === 'now' ? virtual.now : Reflect.get(target, name)),
});

tell({ loaded: true });
const replies = new Set<unknown>();
for (const start of task.starts) {
  if (task.repliesBeginNone === true && replies.has(start.begun.messageId)) {
    tell({ run: null });
    continue;
  }
  const run = await simulate({ task, start, automation, lookAtHours, useClock: (clock) => (nowMs = clock) });
  for (const { name, detail } of run.steps) if (name === 'waitForReply') replies.add(detail['messageId']);
  tell({ run });
}
port.close();
