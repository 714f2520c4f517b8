import { settleOwedChats } from '../../db/agent/settle-owed.ts';
import { recordChange } from '../../db/audit.ts';
import { findAgentState } from '../../db/tenants/tenant.ts';
import { OwedSettled, SettleOwed } from '../../domain/agent/owed.ts';
import { FIRST_AGENT_STATE } from '../../domain/agent/sales-agent.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';

const USUAL_COUNT = 100;

export const settleOwedRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/chats/owed',
    auth: 'tenant',
    cost: 20,
    scope: 'send',
    takesUnknownTenant: true,
    operationId: 'conversations.settleOwed',
    summary: 'Answer all owed chats, or hand them over',
    description:
      'Settles chats whose contact waits for an answer that the engine will not give (`waitingSince`). ' +
      'Other chats stay unchanged.\n\nThe agent was too late, was kept from answering, or its reply failed. ' +
      'Chats stay unchanged if the agent decided to say nothing or works on them, a person took them, or ' +
      'the contact opted out. `answer` asks again about the same words once, so a repeated request does ' +
      'nothing twice. While the agent is off, only chats that it handed over before are given to an ' +
      '`assignee`.',
    body: SettleOwed,
    reply: OwedSettled,
    async handle({ scope, body, caller }, { database }) {
      const { action, limit = USUAL_COUNT, assignee, reason } = body;
      const actor = actingAs(caller, body.actor);
      const state = await database.read((queries) => findAgentState(queries, scope));
      const { silence } = state ?? FIRST_AGENT_STATE;
      if (state === undefined || (action === 'answer' && silence !== null)) {
        return { action, conversationIds: [], moreOwed: false, silence: action === 'answer' ? silence : null };
      }
      const { keyId } = caller;
      const by = { action, assignee, actor, reason, keyId, limit };
      const { error, ...settled } = await settleOwedChats(database, scope, by);
      const count = settled.conversationIds.length;
      if (count > 0) {
        await database.transaction((tx) =>
          recordChange(
            tx,
            {
              of: scope,
              object: 'agent_state',
              objectId: scope.tenantId,
              action: action === 'answer' ? 'asked_again' : 'handed_over',
              detail: { conversations: count },
            },
            { keyId, actor, reason },
          ),
        );
      }
      // The settled chats are on record by now.
      if (error !== undefined) throw error;
      return { action, ...settled, silence: null };
    },
  }),
];
