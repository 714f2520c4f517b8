import { setTimeout } from 'node:timers/promises';
import { SIGNALS, workflowId } from '../../domain/names.ts';
import { RECONCILE } from '../../domain/workflows.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { startFileServer } from '../support/file-server.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import {
  ORDINARY,
  PNG,
  WEBHOOK_SECRET,
  aConversation,
  agent,
  anAgency,
  anAgencyWithAgent,
  attached,
  deleted,
  ended,
  forgetSession,
  hideTable,
  idle,
  loseStatus,
  send,
  supervisor,
  write,
} from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { NEXT_RUN_STORIES } from './next-run-stories.ts';
import { findExecution, setStatus, untilContinued, untilPending, untilTimer } from './wait.ts';

const DECISION = { actor: 'operator', reason: 'decided' };

export const STORIES: readonly Story[] = [
  ...NEXT_RUN_STORIES,
  {
    name: 'deliver-message-delivered',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'delivered'), ORDINARY)),
  },
  {
    name: 'deliver-message-never-acked',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'unacked'), '0002')),
  },
  {
    name: 'deliver-message-restricted',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'restricted'), '0007')),
  },
  {
    name: 'deliver-message-settled-after-drop',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'dropped'), '0005')),
  },
  {
    name: 'deliver-message-sent-again',
    async tell(engine) {
      const agency = await anAgency(engine, 'again');
      // A send known to have gone out is what proves that another did not.
      await ended(await send(engine, agency, ORDINARY));
      await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session: agency.session.name });
      return ended(await send(engine, agency, ORDINARY));
    },
  },
  {
    name: 'deliver-message-session-away-and-back',
    async tell(engine) {
      const agency = await anAgency(engine, 'away');
      await loseStatus(engine, agency, 'FAILED');
      const message = await send(engine, agency, ORDINARY);
      await untilTimer(message, 'again soon');
      await setStatus(engine, agency, 'FAILED');
      await untilTimer(message, 'until it is worthless');
      await setStatus(engine, agency, 'WORKING');
      return ended(message);
    },
  },
  {
    name: 'deliver-message-held-and-released',
    async tell(engine) {
      const agency = await anAgency(engine, 'held');
      const pace = { perMinute: 6_000, burst: 100 };
      await call(engine, 'PUT', `/api/v1/tenants/${agency.tenantId}/settings`, {
        key: agency.dashboardKey,
        body: { pace },
      });
      await loseStatus(engine, agency, 'FAILED');
      const message = await send(engine, agency, ORDINARY);
      await untilTimer(message, 'until it is worthless');
      await loseStatus(engine, agency, 'WORKING');
      return ended(message);
    },
  },
  {
    name: 'deliver-message-cancelled',
    async tell(engine) {
      const agency = await anAgency(engine, 'cancelled');
      await loseStatus(engine, agency, 'FAILED');
      const message = await send(engine, agency, ORDINARY);
      await untilTimer(message, 'again soon');
      await message.executeUpdate('cancel', { args: [DECISION] });
      return ended(message);
    },
  },
  {
    name: 'deliver-message-bulk',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'bulk'), '0002', { priority: 'bulk' })),
  },
  {
    name: 'deliver-message-media',
    async tell(engine) {
      const files = await startFileServer({ '/': (response) => void response.end(PNG) });
      const message = await send(engine, await anAgency(engine, 'media'), ORDINARY, attached(files.url));
      await message.result();
      await files.close();
      return message;
    },
  },
  {
    name: 'deliver-message-file-unavailable',
    async tell(engine) {
      const files = await startFileServer({});
      const message = await send(engine, await anAgency(engine, 'unavailable'), ORDINARY, attached(files.url));
      await message.result();
      await files.close();
      return message;
    },
  },
  {
    name: 'deliver-message-not-on-network',
    tell: async (engine) => ended(await send(engine, await anAgency(engine, 'nobody'), '0010')),
  },
  {
    name: 'deliver-message-uncertain-then-resolved',
    async tell(engine) {
      // A session that has never shown one of its sends proves nothing.
      const agency = await anAgency(engine, 'uncertain');
      await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session: agency.session.name });
      const message = await send(engine, agency, ORDINARY);
      await untilPending(message, 'settleMessage');
      let aheadMs = 0;
      await eventually(async () => {
        engine.database.clock.advance(60_000);
        aheadMs += 60_000;
        const { phase } = await message.query<{ phase: string }>('state');
        return phase === 'uncertain';
      });
      // For the stories after this one everything that is said would be stale.
      engine.database.clock.advance(-aheadMs);
      await message.executeUpdate('resolve', { args: [{ outcome: 'failed', ...DECISION }] });
      return ended(message);
    },
  },
  {
    name: 'ai-conversation-replied',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'replied');
      await write(engine, agency);
      return idle(await agent(engine, 'a-replied'));
    },
  },
  {
    name: 'ai-conversation-asked-again',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'asked');
      await engine.control('POST', '/llm/script', { replies: [{ hangMs: 30_000 }] });
      await write(engine, agency);
      const conversation = await agent(engine, 'a-asked');
      await untilPending(conversation, 'answerTurn');
      await write(engine, agency);
      return idle(conversation);
    },
  },
  {
    name: 'rehearse-answered',
    async tell(engine) {
      const { scopedKey: key } = await anAgency(engine, 'rehearsed');
      const body = { messages: [{ from: 'contact', text: CANARY.text }], contactMemories: [CANARY.name] };
      const answered = await call(engine, 'POST', '/api/v1/ai/rehearse', { key, body });
      return ended(engine.temporal.workflow.getHandle(workflowId('rehearse', String(answered.body['id']))));
    },
  },
  {
    name: 'ai-conversation-burst',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'burst');
      for (let message = 0; message < 5; message += 1) await write(engine, agency);
      return idle(await agent(engine, 'a-burst'));
    },
  },
  {
    name: 'ai-conversation-slow-writer',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'slow');
      // Six messages, each within the quiet period of the one before.
      for (let message = 0; message < 6; message += 1) {
        if (message > 0) await setTimeout(700);
        await write(engine, agency);
      }
      return idle(await agent(engine, 'a-slow'));
    },
  },
  {
    name: 'ai-conversation-stepped-down',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'stepped');
      await engine.control('POST', '/llm/script', { replies: [{ status: 401 }] });
      await write(engine, agency);
      return idle(await agent(engine, 'a-stepped'));
    },
  },
  {
    name: 'ai-conversation-retried',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'model-back');
      const body = { onModelFailure: 'retry' };
      await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', { key: agency.scopedKey, body });
      await engine.control('POST', '/llm/script', { replies: [{ status: 401 }] });
      await write(engine, agency);
      const conversation = await untilTimer(await agent(engine, 'a-model-back'), 'until a model is asked again');
      engine.database.clock.advance(20_000);
      await conversation.signal('messageReceived');
      return idle(conversation);
    },
  },
  {
    name: 'ai-conversation-taken-over',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'taken');
      await write(engine, agency);
      const conversation = await idle(await agent(engine, 'a-taken'));
      await conversation.executeUpdate('takeOver', { args: [DECISION] });
      await conversation.executeUpdate('release', { args: [DECISION] });
      await write(engine, agency);
      // The same words again so soon are a repetition: a turn that says nothing.
      return idle(conversation);
    },
  },
  {
    name: 'ai-conversation-continued',
    async tell(engine) {
      const agency = await anAgencyWithAgent(engine, 'talkative');
      await write(engine, agency);
      const conversation = await idle(await agent(engine, 'a-talkative'));
      return untilContinued(engine, conversation, () => write(engine, agency));
    },
  },
  {
    name: 'deliver-webhooks-continued',
    async tell(engine) {
      await anAgency(engine, 'busy');
      const endpoint = await findExecution(engine, `WorkflowType = 'deliverWebhooks' and AgencyId = 'a-busy'`);
      return untilContinued(engine, endpoint, () => endpoint.signal(SIGNALS.changed));
    },
  },
  {
    name: 'deliver-webhooks-retried',
    async tell(engine) {
      const receiver = await aWebhookReceiver(WEBHOOK_SECRET, (_event, tries) => (tries <= 2 ? 500 : 204));
      const agency = await anAgency(engine, 'retried', receiver.url);
      await write(engine, agency);
      // The first attempt is made by the worker that heard of the event; what it left is drained by the workflow.
      const drain = await findExecution(engine, `WorkflowType = 'deliverWebhooks' and AgencyId = 'a-retried'`);
      await untilTimer(drain, 'until the next attempt is due');
      await eventually(() => {
        // Who makes the second attempt, the workflow or a worker, decides when the third is due.
        engine.database.clock.advance(5_000);
        return receiver.taken('message').length === 1;
      });
      return deleted(engine, drain, () => receiver.close());
    },
  },
  {
    name: 'deliver-webhooks-decided',
    async tell(engine) {
      const receiver = await aWebhookReceiver(WEBHOOK_SECRET);
      const agency = await anAgency(engine, 'decided', receiver.url);
      const endpoint = await findExecution(engine, `WorkflowType = 'deliverWebhooks' and AgencyId = 'a-decided'`);
      await endpoint.executeUpdate('pause', { args: [DECISION] });
      await write(engine, agency);
      await endpoint.executeUpdate('resume', { args: [DECISION] });
      await eventually(() => receiver.taken('message').length === 1);
      await endpoint.executeUpdate('retryNow', { args: [DECISION] });
      await endpoint.executeUpdate('replaySince', { args: [{ ...DECISION, since: '2026-01-01T00:00:00Z' }] });
      await eventually(() => receiver.taken('message').length === 2);
      return deleted(engine, endpoint, () => receiver.close());
    },
  },
  {
    name: 'supervise-session-working',
    tell: async (engine) => supervisor(engine, await anAgency(engine, 'working')),
  },
  {
    name: 'supervise-session-lost-and-back',
    async tell(engine) {
      const agency = await anAgency(engine, 'lost');
      const session = supervisor(engine, agency);
      await setStatus(engine, agency, 'FAILED');
      await untilTimer(session, 'FAILED');
      await setStatus(engine, agency, 'WORKING');
      return untilTimer(session, 'WORKING');
    },
  },
  {
    name: 'supervise-session-gone',
    async tell(engine) {
      const agency = await anAgency(engine, 'gone');
      const session = supervisor(engine, agency);
      await forgetSession(engine, agency);
      await session.signal(SIGNALS.statusChanged);
      return ended(session);
    },
  },
  {
    name: 'sync-history-conversation',
    async tell(engine) {
      const agency = await anAgency(engine, 'scrolled');
      await write(engine, agency);
      const conversationId = await aConversation(engine, agency);
      await call(engine, 'GET', `/api/v1/inbox/conversations/${conversationId}/messages?limit=50`, {
        key: agency.scopedKey,
      });
      const id = workflowId('syncHistory', `${agency.session.id}/${conversationId}`);
      return ended(await findExecution(engine, `WorkflowId = '${id}'`));
    },
  },
  {
    name: 'sync-history-first',
    async tell(engine) {
      const { session } = await anAgency(engine, 'synced');
      return ended(await findExecution(engine, `WorkflowId = '${workflowId('syncHistory', session.id)}'`));
    },
  },
  {
    name: 'reconcile-scheduled',
    async tell(engine) {
      await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).trigger();
      return ended(await findExecution(engine, `WorkflowType = 'reconcile' and ExecutionStatus = 'Completed'`));
    },
  },
  {
    name: 'reconcile-failed',
    async tell(engine) {
      await hideTable(engine, 'conversation', true);
      try {
        await engine.temporal.schedule.getHandle(RECONCILE.scheduleId).trigger();
        return await findExecution(engine, `WorkflowType = 'reconcile' and ExecutionStatus = 'Failed'`);
      } finally {
        await hideTable(engine, 'conversation', false);
      }
    },
  },
];
