import type { DryStart, DryTask } from '../../../domain/automations/dry-run/task.ts';
import {
  AssignHuman,
  Ask,
  CallWebhook,
  Label,
  Log,
  Remember,
  Send,
  SendButtons,
  Wait,
  WaitForAck,
} from '../../../domain/automations/flow-inputs.ts';
import { isStepFailure } from '../../../domain/automations/step-failure.ts';
import { hasText } from '../../../domain/automations/text-filter.ts';
import { asJson, begin, next, parseFlow } from '../../../domain/flows/index.ts';
import type { Evaluate, Flow, FlowState, Outcome, Todo } from '../../../domain/flows/index.ts';
import type { PlainContext, Reply } from '../context.ts';
import type { SimulatedCode } from './simulated-context.ts';
import { FlowFailed } from './flow-failed.ts';
import { Unfinished } from './virtual-time.ts';
import type { VirtualTime } from './virtual-time.ts';

interface Trying {
  /** Its `texts` are written here: the context knows texts by names, and a workflow sends words. */
  task: DryTask & { texts: Record<string, string> };
  start: DryStart;
  time: VirtualTime;
  evaluate: Evaluate;
}

type Doing = Exclude<Todo, { do: 'end' }>;
type Answered = Extract<Outcome, { output: unknown }>;

/** Makes of a stored workflow what an automation in code is to a dry run. */
export function storedAutomation(text: NonNullable<DryTask['flow']>, trying: Trying): SimulatedCode {
  const { task, start, time, evaluate } = trying;
  const read = parseFlow(text.source, text.form);
  if (!('flow' in read)) throw new Error('The definition cannot be read.');
  const { flow } = read;
  return {
    version: 1,
    besidePeople: false,
    async run(context) {
      let state = beginning(flow, task, start);
      let outcome: Outcome = null;
      for (;;) {
        const going = { flow, state, outcome, evaluate, nowMs: time.nowMs() };
        const { state: after, todo }: { state: FlowState; todo: Todo } = await time.standing(next(going));
        if (todo.do === 'end') {
          if (todo.status === 'completed') return;
          throw failedBy(todo);
        }
        state = after;
        outcome = await act(context, todo, trying);
      }
    },
  };
}

function beginning(flow: Flow, task: DryTask, { begun }: DryStart): FlowState {
  const said = messageOf(task, begun.messageId ?? null);
  return begin(flow, {
    params: asJson(task.params),
    input: asJson(task.input),
    contact: { id: null, name: task.contactName },
    event: { type: begun.event, text: said, messageId: begun.messageId ?? null },
    conversation: { id: task.conversationId },
  });
}

function failedBy({ reason, error, path }: Extract<Todo, { do: 'end'; status: 'failed' }>): FlowFailed {
  const { type, title, detail } = error;
  const message = detail === undefined ? title : `${title} ${detail}`;
  return new FlowFailed(message, { reason: isStepFailure(type) ? type : reason, path });
}

function messageOf({ past }: DryTask, messageId: string | null): string | null {
  const found = past.find((each) => each.event === 'message' && each.id === messageId);
  return found?.event === 'message' ? found.body : null;
}

async function act(context: PlainContext, todo: Doing, { task, time }: Trying): Promise<Answered> {
  if (todo.do === 'wait') {
    await context.sleep(todo.forMs);
    return { output: null };
  }
  if (todo.do === 'listen') return listen(context, todo, { task, time });
  const { name, input } = todo;
  const said = (words: string): string => {
    task.texts[words] = words;
    return words;
  };
  const named = (choices: readonly { id: string; text: string }[]): string[] =>
    choices.map(({ id, text }) => {
      task.texts[id] = text;
      return id;
    });
  const replied = (reply: Reply | null): Answered => ({
    output: {
      answered: reply !== null,
      text: reply === null ? null : (messageOf(task, reply.messageId) ?? ''),
      choice: reply?.choice ?? null,
      messageId: reply?.messageId ?? null,
    },
  });
  switch (name) {
    case 'send': {
      const { text, transactional } = Send.parse(input);
      return { output: { messageId: await context.send(said(text), { transactional }) } };
    }
    case 'sendButtons': {
      const { text, buttons, transactional } = SendButtons.parse(input);
      return { output: { messageId: await context.sendButtons(said(text), named(buttons), { transactional }) } };
    }
    case 'ask': {
      const { text, choices, timeoutMs } = Ask.parse(input);
      if (choices.length === 0) await context.send(said(text));
      else await context.sendButtons(said(text), named(choices));
      return replied(await context.waitForReply({ timeoutMs, choices: choices.map(({ id }) => id) }));
    }
    case 'waitForReply': {
      const { timeoutMs, choices } = Wait.parse(input);
      return replied(await context.waitForReply({ timeoutMs, choices: named(choices) }));
    }
    case 'waitForAck': {
      const { messageId, level, timeoutMs } = WaitForAck.parse(input);
      return { output: { isReached: await context.waitForAck(messageId, { level, timeoutMs }) } };
    }
    case 'assignHuman': {
      const { assignee, among, reason } = AssignHuman.parse(input);
      await context.assignHuman({
        among,
        ...(assignee === null ? {} : { assignee }),
        ...(reason === null ? {} : { reason }),
      });
      return { output: {} };
    }
    case 'release':
      await context.release();
      return { output: {} };
    case 'letAgentAnswer':
      await context.log(name);
      return { output: {} };
    case 'isOpen':
      return { output: { isOpen: await context.isOpen() } };
    case 'sleepUntilWorkingHours':
      await context.sleepUntilWorkingHours();
      return { output: {} };
    case 'remember': {
      const { text, days } = Remember.parse(input);
      await context.remember(said(text), days === null ? {} : { days });
      return { output: {} };
    }
    case 'label': {
      const { name: label, mode } = Label.parse(input);
      await context.label(label, { mode });
      return { output: {} };
    }
    case 'callWebhook': {
      // Its data may be words, which the steps of automations in code never show.
      await context.callWebhook(CallWebhook.parse(input).endpointId);
      return { output: { status: ASSUMED_STATUS } };
    }
    case 'log': {
      const { word, detail } = Log.parse(input);
      await context.log(word, detail);
      return { output: {} };
    }
    default:
      await context.log(name, { path: todo.path });
      throw new Unfinished('needs_answer');
  }
}

const ASSUMED_STATUS = 200;

/** Waits for messages until one has the words, or the time is over. */
async function listen(
  context: PlainContext,
  { filters, forMs }: Extract<Doing, { do: 'listen' }>,
  { task, time }: Pick<Trying, 'task' | 'time'>,
): Promise<Answered> {
  const untilMs = time.nowMs() + forMs;
  while (time.nowMs() < untilMs) {
    const reply = await context.waitForReply({ timeoutMs: untilMs - time.nowMs() });
    if (reply === null) break;
    const { messageId } = reply;
    const text = messageOf(task, messageId) ?? '';
    if (filters.length === 0 || filters.some((filter) => hasText(filter.text, text))) {
      return { output: { type: 'message', messageId, text } };
    }
  }
  return { output: null };
}
