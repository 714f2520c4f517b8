import { parentPort, workerData } from 'node:worker_threads';
import type { DryTask, LookAtHours } from '../../domain/automations/dry-run/task.ts';
import { createEvaluator } from '../../domain/flows/index.ts';
import { definitionName } from '../../domain/automations/name.ts';
import * as automations from '../../workflows/automations/index.ts';
import { simulate } from '../../workflows/automations/dry-run/simulate.ts';
import type { SimulatedCode } from '../../workflows/automations/dry-run/simulated-context.ts';
import { storedAutomation } from '../../workflows/automations/dry-run/stored-automation.ts';
import type { VirtualTime } from '../../workflows/automations/dry-run/virtual-time.ts';
import type { FromThread, ToThread } from './messages.ts';

/** The thread of one dry run (`threads.ts`): it has the task, and its clock is the one of what it simulates. */
const task: DryTask = workerData;
const port = parentPort;
const found = Object.entries(automations).find(([exported]) => definitionName(exported) === task.definition);
if ((!found && !task.flow) || !port) throw new Error(`There is no automation ${task.definition} for a dry run.`);
const evaluator = createEvaluator();

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
  // The words of a stored workflow are known only when it sends them.
  const tried = { ...task, texts: { ...task.texts } };
  const automationIn = (time: VirtualTime): SimulatedCode => {
    if (task.flow) return storedAutomation(task.flow, { task: tried, start, time, evaluate: evaluator.evaluate });
    if (!found) throw new Error(`There is no automation ${task.definition} for a dry run.`);
    return found[1];
  };
  const run = await simulate({
    task: tried,
    start,
    automationIn,
    lookAtHours,
    useClock: (clock) => (nowMs = clock),
  });
  for (const { name, detail } of run.steps) if (name === 'waitForReply') replies.add(detail['messageId']);
  tell({ run });
}
await evaluator.close();
port.close();
