import { LEVELS } from '../../../domain/automations/acks.ts';
import { DRY_RUN_BOUNDS } from '../../../domain/automations/dry-run/task.ts';
import type { DryStart, DryTask, LookAtHours } from '../../../domain/automations/dry-run/task.ts';
import type { DryStep, DryStepDetail } from '../../../domain/automations/dry-run/result.ts';
import type { Answer } from '../../../domain/automations/answers.ts';
import { choiceOfReply, wrongButtons } from '../../../domain/automations/choice.ts';
import type { OfferedButton } from '../../../domain/automations/choice.ts';
import { filled, saidOf, shownValues } from '../../../domain/automations/texts.ts';
import type { TemplateValues } from '../../../domain/automations/texts.ts';
import { unsaid } from '../../../domain/automations/unsaid.ts';
import type { PlainContext, Told } from '../context.ts';
import type { Automation } from '../define.ts';
import { requireLogWords } from '../log-words.ts';
import { Stopped } from '../stopped.ts';
import { toldValues } from '../template.ts';
import { requireWaitTime } from '../wait-time.ts';
import { createHands } from './conversation-holder.ts';
import { Unfinished } from './virtual-time.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The code that is tried, of an automation or of a stored workflow. */
export type SimulatedCode = Pick<Automation, 'version' | 'besidePeople' | 'run'>;

interface Simulated {
  task: DryTask;
  start: DryStart;
  automation: SimulatedCode;
  time: VirtualTime;
  lookAtHours: LookAtHours;
  /** Takes each step as it begins; it grows while the step lasts. */
  note: (step: DryStep) => void;
}

interface How {
  buttons?: OfferedButton[];
  values?: TemplateValues;
  transactional?: boolean;
}

const NO_EXECUTION = 'exe_dry_run';

/** An automation's context on this past. Its calls have no effect. */
export function simulatedContext({ task, start, automation, time, lookAtHours, note }: Simulated): PlainContext {
  const hands = createHands(task.past, task.isWithPerson, start.atMs);
  const said = saidOf(task.input ?? {}, task);
  const sentAtMs = new Map<string, number>();
  let number = 0;
  let offered: readonly OfferedButton[] = [];

  const iso = (ms: number): string => new Date(ms).toISOString();

  function begin(name: string, detail: DryStepDetail = {}): DryStep {
    number += 1;
    if (number > DRY_RUN_BOUNDS.stepsOfRun) throw new Unfinished('too_many_steps');
    const step: DryStep = { number, name, at: iso(time.nowMs()), until: null, endedAt: null, detail };
    note(step);
    return step;
  }
  const end = (step: DryStep, detail: DryStepDetail): void => {
    step.endedAt = iso(time.nowMs());
    step.detail = { ...step.detail, ...detail };
  };
  const done = (name: string, detail: DryStepDetail = {}): void => end(begin(name, detail), {});

  function mayStep(isForTheWilling = false): void {
    if (hands.isTaken(time.nowMs()) && !automation.besidePeople) throw new Stopped('taken_over');
    if (start.isOptedOut && isForTheWilling) throw new Stopped('opted_out');
  }

  const words = (name: string, values: TemplateValues = {}): string => {
    const text = task.texts[name];
    if (text === undefined) throw new Error(`The definition has no text ${name}.`);
    return filled(text, { ...said, ...shownValues(values, task), name: task.contactName });
  };

  function send(name: string, text: string, { buttons = [], values, transactional = false }: How): string {
    mayStep(!transactional);
    if (task.conversationId === null) throw new Stopped('conversation_gone');
    const messageId = `msg_dry_run_${number + 1}`;
    sentAtMs.set(messageId, time.nowMs());
    const wrong = wrongButtons(buttons);
    if (wrong !== null) throw new Error(wrong);
    if (buttons.length > 0) offered = buttons;
    const shown = buttons.length === 0 ? {} : { buttons: buttons.map((button) => button.text) };
    done(name, { messageId, text, says: words(text, values), ...shown });
    return messageId;
  }

  /**
   * Waits until something has happened at a time, or until the time is over; true when it has. A takeover ends the run
   * as soon as it happens.
   */
  async function wait(step: DryStep, forMs: number, happensMs: number | undefined): Promise<boolean> {
    const untilMs = time.nowMs() + forMs;
    const comes = happensMs !== undefined && happensMs <= untilMs;
    step.until = iso(untilMs);
    const takenMs = automation.besidePeople ? undefined : hands.takenAtMs();
    if (takenMs !== undefined && takenMs <= (comes ? happensMs : untilMs)) {
      await time.until(Math.max(takenMs, time.nowMs()));
      throw new Stopped('taken_over');
    }
    await time.until(comes ? Math.max(happensMs, time.nowMs()) : untilMs);
    return comes;
  }

  const sleep = async (forMs: number): Promise<void> => {
    requireWaitTime('sleep', forMs);
    const step = begin('sleep', { waitsFor: 'time' });
    await wait(step, forMs, undefined);
    end(step, {});
  };

  /** When a message comes so far; undefined when it never does. */
  function ackedMs(messageId: string, level: keyof typeof LEVELS): number | undefined {
    const sent = sentAtMs.get(messageId);
    if (sent !== undefined) {
      return task.acked !== 'none' && LEVELS[task.acked] >= LEVELS[level] ? sent : undefined;
    }
    const message = task.past.find((each) => each.event === 'message' && each.id === messageId);
    if (message?.event !== 'message' || message.from !== 'us') return undefined;
    return message.acks.find(
      ({ status }) => (new Map<string, number>(Object.entries(LEVELS)).get(status) ?? 0) >= LEVELS[level],
    )?.atMs;
  }

  function call(name: string, endpointId: string, data: Told, more: DryStepDetail = {}): void {
    requireLogWords(name, data);
    mayStep();
    done(name, { endpointId, data, ...more });
  }

  /** Returns the assumed answer. Nobody is asked, so code that branches on an answer needs one from the request. */
  function answered(name: string): Answer {
    const answer = task.answers?.[name];
    if (answer === undefined) throw new Unfinished('needs_answer');
    return answer;
  }

  return {
    facts: {
      executionId: NO_EXECUTION,
      definition: task.definition,
      version: automation.version,
      conversationId: task.conversationId,
      contactId: null,
      sessionId: null,
      begun: start.begun,
    },
    version: automation.version,
    input: task.input === null ? {} : unsaid(task.input),
    send: async (text, { transactional = false } = {}) => send('send', text, { transactional }),
    sendTemplate: async (text, values, { transactional = false } = {}) =>
      send('sendTemplate', text, { values: toldValues(text, values), transactional }),
    sendButtons: async (text, buttons, { transactional = false } = {}) =>
      send('sendButtons', text, { buttons: buttons.map((id) => ({ id, text: words(id) })), transactional }),
    async waitForReply({ timeoutMs, choices = [] }) {
      requireWaitTime('waitForReply', timeoutMs);
      const step = begin('waitForReply', { waitsFor: 'reply' });
      const since = time.nowMs();
      const reply = task.past.find((each) => each.event === 'message' && each.from === 'contact' && each.atMs > since);
      const hasCome = await wait(step, timeoutMs, reply?.atMs);
      if (!hasCome || reply?.event !== 'message' || reply.from !== 'contact') {
        end(step, { messageId: null });
        return null;
      }
      const { id, body, pressed } = reply;
      const texts = choices.flatMap((name) => {
        const text = task.texts[name];
        return text === undefined ? [] : [{ id: name, text }];
      });
      const found = {
        messageId: id,
        choice: choiceOfReply(choices, { body, selected: pressed }, [...offered, ...texts]),
      };
      end(step, found);
      return found;
    },
    async waitForAck(messageId, { level, timeoutMs }) {
      requireWaitTime('waitForAck', timeoutMs);
      const step = begin('waitForAck', { waitsFor: 'ack', messageId, level });
      const hasCome = await wait(step, timeoutMs, ackedMs(messageId, level));
      end(step, { hasCome });
      return hasCome;
    },
    async assignHuman({ assignee = null, among = [], reason = null } = {}) {
      mayStep();
      hands.change(time.nowMs(), true);
      done('assignHuman', { ...(among.length === 0 ? { assignee } : { among: [...among] }), reason });
    },
    async release() {
      mayStep();
      hands.change(time.nowMs(), false);
      done('release');
    },
    sleep,
    async isOpen() {
      const step = begin('isOpen');
      const { isOpen } = await time.standing(lookAtHours(time.nowMs()));
      end(step, { isOpen });
      return isOpen;
    },
    async sleepUntilWorkingHours() {
      const step = begin('sleepUntilWorkingHours');
      const { isOpen, opensInMs } = await time.standing(lookAtHours(time.nowMs()));
      end(step, { isOpen, opensInMs });
      if (opensInMs !== null) await sleep(opensInMs);
    },
    async remember(text, { days } = {}) {
      done('remember', { text, says: words(text), days: days ?? null });
    },
    async label(label, { mode = 'add' } = {}) {
      mayStep();
      done('label', { label, mode });
    },
    async callWebhook(endpointId, data = {}) {
      call('callWebhook', endpointId, data);
    },
    async askWebhook(endpointId, answer, data = {}) {
      call('askWebhook', endpointId, data, { answer: task.answers?.[answer] ?? null });
      return answered(answer);
    },
    async askAi(answer) {
      mayStep();
      if (task.conversationId === null) throw new Stopped('conversation_gone');
      done('askAi', { answer: task.answers?.[answer] ?? null });
      return answered(answer);
    },
    async log(word, detail = {}) {
      requireLogWords(word, detail);
      done('log', { word, ...detail });
    },
    now: () => new Date(time.nowMs()),
  };
}
