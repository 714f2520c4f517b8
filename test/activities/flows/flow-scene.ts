import { createStepActivities } from '../../../activities/automations/steps.ts';
import { createFlowStepActivities } from '../../../activities/flows/steps.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { beginExecutions } from '../../../db/automations/start.ts';
import type { Database } from '../../../db/engine/database.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { createFlow } from '../../../db/flows/flow.ts';
import type { Session } from '../../../db/sessions/session.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { automationOfFlow } from '../../../domain/automations/name.ts';
import { executionScene } from '../automations/execution-scene.ts';

const NO_TEXTS = { params: { texts: {} }, trigger: { event: 'request' as const } };

/** Runs of stored workflows, and the activity that takes their steps. */
export function flowScene(database: Database, session: Session) {
  const scene = executionScene(database, session);
  const steps = createStepActivities({ database, automations: new Catalogue({}) });
  const { takeFlowStep } = createFlowStepActivities({ database }, steps);

  /** A run of these tasks in a conversation of its own. */
  async function aRun(tasks: readonly object[], more: object = {}) {
    const { conversationId, chatId } = await scene.anExecution();
    const source = JSON.stringify({
      document: { dsl: '1.0.0', namespace: 'shop', name: 'tried', version: '1.0.0' },
      evaluate: { language: 'cel' },
      ...more,
      do: tasks,
    });
    const executionId = newId('exe');
    const flowId = await database.transaction(async (tx) => {
      const flow = await createFlow(tx, session.agencyId, { title: 'Tried', form: 'json', source, keyId: 'key_test' });
      const definition = automationOfFlow(flow?.id ?? '');
      const automation = { definition, enabled: true, keyId: 'key_test', ...NO_TEXTS };
      const { id: automationId } = await setAutomation(tx, session, automation);
      const where = { conversationId, sessionId: session.id };
      const start = { id: executionId, automationId, begun: { event: 'request' }, key: executionId, isFirst: false };
      await beginExecutions(tx, session.agencyId, [{ ...start, ...where }]);
      return flow?.id ?? '';
    });
    return { executionId, conversationId, chatId, flowId };
  }

  const step = (executionId: string, over: number | null = null) => takeFlowStep({ executionId, over });

  return { ...scene, steps, aRun, step };
}
