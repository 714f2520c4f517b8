import { createContext } from '../../../workflows/automations/make-context.ts';
import { executionStory } from '../../../workflows/automations/execution-story.ts';

const facts = {
  executionId: 'exe_1',
  definition: 'tried',
  version: 1,
  conversationId: 'cnv_1',
  contactId: 'con_1',
  sessionId: 'ses_1',
  begun: { event: 'request' },
  params: {},
};

/** Takes each step of an automation's context once, and answers what the code gets of it. */
export async function takeEachStep(): Promise<Record<string, unknown>> {
  const context = createContext({
    facts,
    besidePeople: false,
    story: executionStory(),
    takeHint: () => false,
    hasHint: () => false,
  });
  const beganAt = context.now().getTime();
  const sent = await context.sendButtons('question', ['yes', 'no'], { transactional: true });
  const isRead = await context.waitForAck(sent, { level: 'read', timeoutMs: 86_400_000 });
  const reply = await context.waitForReply({ timeoutMs: 86_400_000, choices: ['yes'] });
  await context.assignHuman({ among: ['anna', 'bert'] });
  await context.release();
  await context.remember('thanks', { days: 30 });
  await context.log('score', { of: 3 });
  await context.sleepUntilWorkingHours();
  await context.sleep(86_400_000);
  const never = await context.waitForReply({ timeoutMs: Infinity }).catch((error: Error) => error.message);
  const failed = await context.label('VIP').catch((error: Error) => error.message);
  await context.callWebhook('whe_1', { order: 17 });
  return { sent, isRead, reply, never, failed, days: Math.round((context.now().getTime() - beganAt) / 86_400_000) };
}
