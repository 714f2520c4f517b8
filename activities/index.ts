import { createAckWatchdog } from './sending/ack-watchdog.ts';
import { createCallActivities } from './automations/calls.ts';
import { createExecutionDecisions } from './automations/decisions.ts';
import { createExecutionActivities } from './automations/executions.ts';
import { createLabelActivities } from './automations/labels.ts';
import { createQuestionActivities } from './automations/questions.ts';
import { createStepActivities } from './automations/steps.ts';
import { createFlowCallActivities, createFlowLabelActivities } from './flows/calls.ts';
import { createFlowStepActivities } from './flows/steps.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createContactActivities } from './sessions/contacts.ts';
import { createHistoryActivities } from './sessions/history.ts';
import { createErasureActivities } from './personal-data/erase.ts';
import { createExportActivities } from './personal-data/export.ts';
import { createHistoryRuns } from './sessions/history-run.ts';
import { createSyncDecisions } from './sessions/sync-decisions.ts';
import { createInboundMediaActivities } from './network/media.ts';
import { createMessageActionActivities } from './sending/actions.ts';
import { createMessageActivities } from './sending/messages.ts';
import { createPhoneActivities } from './network/phones.ts';
import { createReconcileActivities } from './reconcile.ts';
import { createPictureActivities } from './sessions/pictures.ts';
import { createRehearsalActivities } from './agent/rehearsal.ts';
import { createSalesAgentActivities } from './agent/sales-agent.ts';
import { createSessionActivities } from './sessions/sessions.ts';
import { createWebhookActivities } from './webhooks/webhooks.ts';

/** Says which activities each task queue serves. Local activities run on the worker of their workflow. */
export function createActivities(deps: ActivityDependencies) {
  const { finishCalls, ...messages } = createMessageActivities(deps);
  const agent = createSalesAgentActivities(deps);
  const rehearsal = createRehearsalActivities(deps);
  const steps = createStepActivities(deps);
  const labels = createLabelActivities(deps);
  const calls = createCallActivities(deps);
  return {
    queues: {
      engine: {
        ...messages,
        ...agent,
        ...rehearsal,
        ...createExecutionActivities(deps),
        ...createExecutionDecisions(deps),
        ...steps,
        ...createFlowStepActivities(deps, steps),
      },
      people: messages,
      delivery: {
        ...messages,
        ...createMessageActionActivities(deps),
        ...labels,
        ...createFlowLabelActivities(deps, labels),
        ...createInboundMediaActivities(deps),
        ...createSessionActivities(deps),
        ...createReconcileActivities(deps),
        ...createAckWatchdog(deps),
      },
      webhooks: { ...createWebhookActivities(deps), ...calls, ...createFlowCallActivities(deps, calls) },
      ai: { ...agent, ...rehearsal, ...createQuestionActivities(deps) },
      sync: {
        ...createHistoryActivities(deps),
        ...createHistoryRuns(deps),
        ...createSyncDecisions(deps),
        ...createContactActivities(deps),
        ...createPictureActivities(deps),
        ...createPhoneActivities(deps),
        ...createErasureActivities(deps),
        ...createExportActivities(deps),
      },
    },
    /** Waits for a while until every call to the backend is recorded. */
    finishCalls,
  };
}
