import { sql } from 'kysely';
import { workflowId } from '../../domain/names.ts';
import { call } from '../support/client.ts';
import { rowsOf, untilRows } from '../support/rows.ts';
import { anAgency, ended } from './a-story-scene.ts';
import type { Story } from './a-story-scene.ts';
import { CANARY } from './canary.ts';
import { findExecution } from './wait.ts';

export const ERASURE_STORIES: readonly Story[] = [
  {
    name: 'erase-contact-done',
    async tell(engine) {
      const { session, dashboardKey } = await anAgency(engine, 'forgotten');
      const from = `${CANARY.phone}6543@c.us`;
      const said = { from, text: CANARY.text, pushName: CANARY.name };
      await engine.control('POST', `/sessions/${session.name}/inbound`, said);
      await untilRows(
        engine.database,
        sql`message m join conversation c on c.id = m.conversation_id
        where c.chat_id = ${from}`,
      );
      const [alias] = await rowsOf(
        engine.database,
        sql<{ id: string }>`select contact_id as id from contact_alias where chat_id = ${from}`,
      );
      const asked = await call(engine, 'POST', `/api/v1/contacts/${alias?.id}/erase`, { key: dashboardKey, body: {} });
      const id = workflowId('eraseContact', String(asked.body['id']));
      return ended(await findExecution(engine, `WorkflowId = '${id}'`));
    },
  },
  {
    name: 'export-tenant-done',
    async tell(engine) {
      const { session, tenantId, dashboardKey } = await anAgency(engine, 'leaving');
      const from = `${CANARY.phone}6544@c.us`;
      await engine.control('POST', `/sessions/${session.name}/inbound`, { from, text: CANARY.text });
      await untilRows(engine.database, sql`conversation where chat_id = ${from} and last_message_at is not null`);
      const path = `/api/v1/tenants/${tenantId}/exports`;
      const asked = await call(engine, 'POST', path, { key: dashboardKey, body: {} });
      const id = workflowId('exportTenant', String(asked.body['id']));
      return ended(await findExecution(engine, `WorkflowId = '${id}'`));
    },
  },
];
