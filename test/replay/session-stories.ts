import { SIGNALS, UPDATES, workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import {
  aConversation,
  anAgency,
  DECISION,
  ended,
  forgetSession,
  ORDINARY,
  send,
  supervisor,
  write,
} from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { findExecution, setStatus, untilTimer } from './wait.ts';

export const SESSION_STORIES: readonly Story[] = [
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
    name: 'sync-contacts-list',
    async tell(engine) {
      const { session, scopedKey: key } = await anAgency(engine, 'listed');
      await call(engine, 'GET', '/api/v1/sessions/contacts', { key });
      return ended(await findExecution(engine, `WorkflowId = '${workflowId('syncContacts', session.id)}'`));
    },
  },
  {
    name: 'sync-contacts-picture',
    async tell(engine) {
      const agency = await anAgency(engine, 'pictured');
      await write(engine, agency);
      await aConversation(engine, agency);
      const ref = `${CANARY.phone}${ORDINARY}`;
      const key = agency.scopedKey;
      const { body } = await call(engine, 'GET', `/api/v1/contacts/${ref}?fetchPicture=true`, { key });
      const id = workflowId('syncContacts', `${agency.session.id}/${String(body['contactId'])}`);
      return ended(await findExecution(engine, `WorkflowId = '${id}'`));
    },
  },
  {
    name: 'supervise-session-stopped',
    async tell(engine) {
      const agency = await anAgency(engine, 'stopped');
      const session = supervisor(engine, agency);
      await session.executeUpdate(UPDATES.stop, { args: [DECISION] });
      return untilTimer(session, 'STOPPED');
    },
  },
  {
    name: 'supervise-session-brought-back',
    async tell(engine) {
      const agency = await anAgency(engine, 'down');
      const session = supervisor(engine, agency);
      await setStatus(engine, agency, 'FAILED');
      await untilTimer(session, 'FAILED');
      // Its pause is over.
      engine.database.clock.advance(20_000);
      await session.signal(SIGNALS.statusChanged);
      return untilTimer(session, 'WORKING');
    },
  },
  {
    name: 'supervise-session-drained-and-deleted',
    async tell(engine) {
      const agency = await anAgency(engine, 'deleted');
      const session = supervisor(engine, agency);
      await engine.control('POST', '/faults', {
        route: 'sendText',
        kind: 'slow',
        delayMs: 6_000,
        session: agency.session.name,
      });
      await send(engine, agency, ORDINARY);
      const path = `/api/v1/sessions/${agency.session.id}?tenantId=${agency.tenantId}`;
      await call(engine, 'DELETE', path, { key: agency.dashboardKey });
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
];
