import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import { UPDATES, workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { aConversation, anAgency, DECISION, ended, ORDINARY, write } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';

const Waiting = z.object({ waitsFor: z.string().nullable() });

/** It has asked for a score, and waits for it. */
async function anAskedContact(engine: TestEngine, agency: Agency): Promise<WorkflowHandle> {
  const { tenantId, dashboardKey: key } = agency;
  const set = { tenantId, enabled: true, params: { texts: { question: CANARY.text } } };
  await call(engine, 'PUT', '/api/v1/automations/ask-satisfaction', { key, body: set });
  await write(engine, agency);
  const body = { tenantId, automation: 'ask-satisfaction', conversationId: await aConversation(engine, agency) };
  const id = String((await call(engine, 'POST', '/api/v1/automation-executions', { key, body })).body['id']);
  await eventually(async () => {
    const read = await call(engine, 'GET', `/api/v1/automation-executions/${id}`, { key });
    return Waiting.parse(read.body).waitsFor === 'reply';
  });
  return engine.temporal.workflow.getHandle(workflowId('runAutomation', id));
}

export const AUTOMATION_STORIES: readonly Story[] = [
  {
    name: 'run-automation-bad-score',
    async tell(engine) {
      const agency = await anAgency(engine, 'automated');
      const execution = await anAskedContact(engine, agency);
      await engine.control('POST', `/sessions/${agency.session.name}/inbound`, {
        from: `${CANARY.phone}${ORDINARY}`,
        text: '1',
      });
      return ended(execution);
    },
  },
  {
    name: 'run-automation-wait-skipped',
    async tell(engine) {
      const execution = await anAskedContact(engine, await anAgency(engine, 'unwaited'));
      await eventually(() => execution.executeUpdate(UPDATES.skipWait, { args: [DECISION] }).catch(() => undefined));
      return ended(execution);
    },
  },
  {
    name: 'run-automation-handed-over',
    async tell(engine) {
      const execution = await anAskedContact(engine, await anAgency(engine, 'handed'));
      await execution.executeUpdate(UPDATES.handOver, { args: [DECISION] });
      return ended(execution);
    },
  },
];
