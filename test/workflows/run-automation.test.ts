import { describe, expect, it } from '@jest/globals';
import { UPDATES } from '../../domain/names.ts';
import { eventually } from '../support/eventually.ts';
import { DECISION, detailsOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene();

const facts = {
  executionId: 'exe_1',
  definition: 'ask-satisfaction',
  version: 2,
  params: { answerWithinHours: 24, badUpTo: 2 },
  conversationId: 'cnv_1',
  contactId: 'con_1',
  sessionId: 'ses_1',
  begun: { event: 'request' },
};
const sent = { stop: null, detail: { messageId: 'msg_1' } };

describe('runAutomation: a run of an automation', () => {
  it('waits a day for a reply in no time, and ends when none has come', async () => {
    scene.mock({
      beginExecution: () => Promise.resolve(facts),
      endExecution: async () => undefined,
      sendText: () => Promise.resolve(sent),
      lookForReply: ({ isOver }: { isOver: boolean }) =>
        Promise.resolve({ stop: null, messageId: null, choice: null, leftMs: isOver ? 0 : 86_400_000 }),
    });
    const execution = await scene.start('runAutomation', 'exe_1');
    expect(await execution.result()).toBe('completed');
    expect(scene.calls('endExecution')).toEqual([{ executionId: 'exe_1', status: 'completed', reason: null }]);
  });

  it('skipWait, handOver: a person ends its wait; who takes its conversation has a name or is left out', async () => {
    let isSkipped = false;
    const until = '2026-03-03T09:00:00.123Z';
    scene.mock({
      beginExecution: () => Promise.resolve(facts),
      endExecution: async () => undefined,
      sendText: () => Promise.resolve(sent),
      skipExecutionWait: async () => {
        isSkipped = true;
        return { status: 'running', reason: null };
      },
      lookForReply: () =>
        Promise.resolve({ stop: null, messageId: null, choice: null, leftMs: isSkipped ? 0 : 86_400_000, until }),
    });
    const execution = await scene.start('runAutomation', 'exe_1');
    // As the row says, which the API shows.
    await eventually(async () => (await detailsOf(execution)).includes(`Waits: for a reply, until ${until}`));
    const nobody = execution.executeUpdate(UPDATES.handOver, { args: [{ ...DECISION, assignee: '' }] });
    await expect(nobody).rejects.toThrow();
    const skipped = execution.executeUpdate(UPDATES.skipWait, { args: [DECISION] });
    expect(await skipped).toEqual({ status: 'running', reason: null });
    expect(await execution.result()).toBe('completed');
    expect(scene.calls('skipExecutionWait')).toEqual([{ executionId: 'exe_1', ...DECISION }]);
  });
});
