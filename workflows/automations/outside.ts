import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { CallActivities } from '../../activities/automations/calls.ts';
import type { LabelActivities } from '../../activities/automations/labels.ts';
import type { QuestionActivities } from '../../activities/automations/questions.ts';
import type { StepActivities, Taken } from '../../activities/automations/steps.ts';
import { isStepFailure, stepFailureOf } from '../../domain/automations/step-failure.ts';
import { TASK_QUEUES } from '../../domain/names.ts';
import { failureTypeOf } from '../failure-type.ts';
import type { PlainContext } from './context.ts';
import { requireLogWords } from './log-words.ts';
import { StepFailed } from './step-failed.ts';
import { Stopped } from './stopped.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import { whenFree } from '../when-free.ts';

/** An account that was away for minutes is waited for; then the code decides what that means. */
const { labelChat } = proxyActivities<LabelActivities>({
  taskQueue: TASK_QUEUES.delivery,
  startToCloseTimeout: '1 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 m', maximumAttempts: 12 },
  summary: 'label the chat',
});

/** Six attempts in two minutes: an endpoint that is down for longer makes the execution fail, to be repeated later. */
const { callWebhook } = proxyActivities<CallActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '45 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 3, maximumInterval: '5 m', maximumAttempts: 6 },
  summary: "call the tenant's endpoint",
});

/** Two attempts for the model, two for its fallback. Requests of a lost worker are made again. */
const { askAi } = proxyActivities<QuestionActivities>({
  taskQueue: TASK_QUEUES.ai,
  startToCloseTimeout: '3 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '20 s', maximumAttempts: 4 },
  summary: 'ask the model about the conversation',
});

const { noteFailure } = proxyLocalActivities<StepActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

interface Begun {
  executionId: string;
  number: number;
  name: string;
}

type Detail = Extract<Taken, { stop: null }>['detail'];

/** Makes what an automation does beyond the rows: at the network's account, and with what its tenant has built. */
export function createOutside(
  begin: (name: string) => Begun,
  besidePeople: boolean,
): Pick<PlainContext, 'label' | 'callWebhook' | 'askWebhook' | 'askAi'> {
  /** Takes a step, and notes in its row that it could not be done, so that the same holds when the code runs anew. */
  async function take(
    name: string,
    work: (step: Begun & { besidePeople: boolean }) => Promise<Taken>,
  ): Promise<Detail> {
    const step = begin(name);
    const detail = detailOf(
      await work({ ...step, besidePeople }).catch(async (error: unknown) => {
        const type = failureTypeOf(error);
        if (type === null) throw error;
        const reason = stepFailureOf(type);
        await noteFailure({ ...step, reason });
        throw new StepFailed(reason);
      }),
    );
    const { failed } = detail;
    if (isStepFailure(failed)) throw new StepFailed(failed);
    return detail;
  }

  return {
    async label(label, { mode = 'add' } = {}) {
      await take('label', (step) => labelChat({ ...step, label, mode }));
    },
    async callWebhook(endpointId, data = {}) {
      requireLogWords('callWebhook', data);
      await take('callWebhook', (step) => whenFree(() => callWebhook({ ...step, endpointId, data, answer: null })));
    },
    async askWebhook(endpointId, answer, data = {}) {
      requireLogWords(answer, data);
      const detail = await take('askWebhook', (step) =>
        whenFree(() => callWebhook({ ...step, endpointId, data, answer })),
      );
      return detail['answer'];
    },
    async askAi(answer) {
      const detail = await take('askAi', (step) => askAi({ ...step, answer }));
      if (detail['refused'] !== undefined) throw new Stopped('conversation_gone');
      return detail['answer'];
    },
  };
}

/** Answers what came of a step, or ends the execution where it must not go on. */
export function detailOf(taken: Taken): Detail {
  if (taken.stop !== null) throw new Stopped(taken.stop);
  return taken.detail;
}
