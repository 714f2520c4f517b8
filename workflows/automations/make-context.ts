import { condition, proxyLocalActivities } from '@temporalio/workflow';
import type { Looked, StepActivities } from '../../activities/automations/steps.ts';
import { LEVELS } from '../../domain/automations/acks.ts';
import type { ExecutionFacts } from '../../domain/automations/execution.ts';
import type { PlainContext } from './context.ts';
import { requireLogWords } from './log-words.ts';
import { createOutside, detailOf } from './outside.ts';
import { Stopped } from './stopped.ts';
import type { ExecutionStory } from './execution-story.ts';
import { toldValues } from './template.ts';
import { requireWaitTime } from './wait-time.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';

/** Steps are a few statements. The database is away at times, so they are tried until it is back. */
const { sendText, changeHandsFor, lookForReply, lookForAck, noteSleep, lookAtHours, rememberText, noteWord } =
  proxyLocalActivities<StepActivities>({
    startToCloseTimeout: LOCAL_WITHIN,
    retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
  });

interface Making {
  facts: ExecutionFacts;
  besidePeople: boolean;
  story: ExecutionStory;
  /** True once when somebody has said that something may have changed. */
  takeHint: () => boolean;
  hasHint: () => boolean;
}

export function createContext({ facts, besidePeople, story, takeHint, hasHint }: Making): PlainContext {
  let number = 0;
  const begin = (name: string) => {
    number += 1;
    story.step(number, name);
    return { executionId: facts.executionId, number, name };
  };

  /** Waits until `look` finds what is waited for, or the time is over. */
  async function wait(
    look: (isOver: boolean) => Promise<Looked>,
    name: string,
  ): Promise<Extract<Looked, { stop: null }>> {
    let isOver = false;
    for (;;) {
      takeHint();
      const found = await look(isOver);
      if (found.stop !== null) throw new Stopped(found.stop);
      if (found.leftMs <= 0) return found;
      story.waits(name, found);
      isOver = !(await condition(hasHint, found.leftMs, { summary: name }));
    }
  }

  const sleep = async (forMs: number): Promise<void> => {
    requireWaitTime('sleep', forMs);
    const step = begin('sleep');
    await wait((isOver) => noteSleep({ ...step, besidePeople, forMs, isOver }), 'sleeps');
  };

  return {
    facts,
    // Executions that began before it was told have the first.
    version: facts.version ?? 1,
    input: facts.input ?? {},
    async send(text, { transactional = false } = {}) {
      const how = transactional ? { transactional } : {};
      const { messageId } = detailOf(await sendText({ ...begin('send'), besidePeople, text, ...how }));
      if (typeof messageId !== 'string') throw new Stopped('conversation_gone');
      return messageId;
    },
    async sendTemplate(text, values, { transactional = false } = {}) {
      const how = { text, values: toldValues(text, values), ...(transactional ? { transactional } : {}) };
      const { messageId } = detailOf(await sendText({ ...begin('sendTemplate'), besidePeople, ...how }));
      if (typeof messageId !== 'string') throw new Stopped('conversation_gone');
      return messageId;
    },
    async waitForReply({ timeoutMs, choices = [], ownsForMs }) {
      requireWaitTime('waitForReply', timeoutMs);
      const step = begin('waitForReply');
      const owns = ownsForMs === undefined ? {} : { ownsForMs };
      const asked = { ...step, besidePeople, timeoutMs, choices, ...owns };
      const found = await wait((isOver) => lookForReply({ ...asked, isOver }), 'for a reply');
      return found.messageId === null ? null : { messageId: found.messageId, choice: found.choice };
    },
    async sendButtons(text, buttons, { transactional = false } = {}) {
      const how = { text, buttons, ...(transactional ? { transactional } : {}) };
      const { messageId } = detailOf(await sendText({ ...begin('sendButtons'), besidePeople, ...how }));
      if (typeof messageId !== 'string') throw new Stopped('conversation_gone');
      return messageId;
    },
    async waitForAck(messageId, { level, timeoutMs }) {
      requireWaitTime('waitForAck', timeoutMs);
      const step = { ...begin('waitForAck'), besidePeople, messageId, level: LEVELS[level], timeoutMs };
      const found = await wait((isOver) => lookForAck({ ...step, isOver }), 'for an ack');
      return found.choice !== null && found.choice !== 'failed' && found.choice !== 'cancelled';
    },
    async assignHuman({ assignee = null, among = [], reason = null }: Assignment = {}) {
      const whom = among.length === 0 ? { assignee } : { assignee, among };
      detailOf(await changeHandsFor({ ...begin('assignHuman'), besidePeople, to: 'person', ...whom, reason }));
    },
    async release() {
      const step = begin('release');
      detailOf(await changeHandsFor({ ...step, besidePeople, to: 'agent', assignee: null, reason: null }));
    },
    sleep,
    async isOpen() {
      return detailOf(await lookAtHours(begin('isOpen')))['isOpen'] === true;
    },
    async sleepUntilWorkingHours() {
      const { opensInMs } = detailOf(await lookAtHours(begin('sleepUntilWorkingHours')));
      if (typeof opensInMs === 'number') await sleep(opensInMs);
    },
    async remember(text, { days } = {}) {
      detailOf(await rememberText({ ...begin('remember'), text, days: days ?? null }));
    },
    ...createOutside(begin, besidePeople),
    async log(word, detail = {}) {
      requireLogWords(word, detail);
      detailOf(await noteWord({ ...begin('log'), detail: { word, ...detail } }));
    },
    now: () => new Date(),
  };
}

interface Assignment {
  assignee?: string | null;
  among?: readonly string[];
  reason?: string | null;
}
