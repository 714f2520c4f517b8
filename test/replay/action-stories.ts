import type { WorkflowHandle } from '@temporalio/client';
import { workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import type { TestEngine } from '../support/engine.ts';
import { send as sendText, untilStatus } from '../support/sends.ts';
import { anAgency, ended, ORDINARY } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { findExecution, untilTimer } from './wait.ts';

async function aSentText(engine: TestEngine, agency: Agency): Promise<string> {
  const { messageId } = await sendText(engine, agency, `${CANARY.phone}${ORDINARY}`, CANARY.text);
  await untilStatus(engine, agency, messageId, 'sent');
  return messageId;
}

/** Asks for it to be done; its execution, once it has begun. */
async function act(
  engine: TestEngine,
  { scopedKey }: Agency,
  { messageId, what, body }: { messageId: string; what: string; body: object },
): Promise<WorkflowHandle> {
  await call(engine, 'POST', `/api/v1/inbox/messages/${messageId}/${what}`, { key: scopedKey, body });
  return findExecution(engine, `WorkflowId = '${workflowId('actOnMessage', messageId)}'`);
}

export const ACTION_STORIES: readonly Story[] = [
  {
    name: 'act-on-message-edited',
    async tell(engine) {
      const agency = await anAgency(engine, 'edited');
      const messageId = await aSentText(engine, agency);
      return ended(await act(engine, agency, { messageId, what: 'edit', body: { text: `${CANARY.text}!` } }));
    },
  },
  {
    name: 'act-on-message-tried-again',
    async tell(engine) {
      const agency = await anAgency(engine, 'reacted');
      const messageId = await aSentText(engine, agency);
      await engine.control('POST', '/faults', { route: 'reaction', kind: 'status500', count: 2 });
      const handle = await act(engine, agency, { messageId, what: 'reaction', body: { emoji: '👍' } });
      await untilTimer(handle, 'wait until the message allows it');
      await engine.control('DELETE', '/faults');
      return ended(handle);
    },
  },
];
