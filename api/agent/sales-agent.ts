import { InFlight } from '../../domain/sending/message.ts';
import { invalid } from '../../domain/error.ts';
import { instructionsFor } from '../../domain/agent/prompt/instructions.ts';
import { approximateTokens } from '../../domain/agent/prompt/limits.ts';
import {
  AgentState,
  FIRST_AGENT_STATE,
  PersonaView,
  ReadAgent,
  UpdateAgentState,
  UpdatePersona,
} from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { rescheduleReturns } from '../../db/agent/handover.ts';
import { stopTenantAi } from '../../db/agent/takeover.ts';
import { fieldsOf, recordChange } from '../../db/audit.ts';
import { findAgentState, updateAgentState, updatePersona } from '../../db/tenants/tenant.ts';
import { requireTenant } from '../require-tenant.ts';
import { defineRoute } from '../deps.ts';
import { requireKeyScope } from '../route/key-scope.ts';
import type { ApiDeps } from '../deps.ts';
import { findPersona, refuseUnknownModel } from './persona.ts';

const INSTRUCTIONS_SHARE = 0.8;

export const salesAgentRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/ai-sales-agent/state',
    auth: 'tenant',
    scope: 'read',
    takesUnknownTenant: true,
    operationId: 'agentState.read',
    summary: "Read the agent's state",
    description: 'A tenant without a session or a setting has the state that every tenant begins with.',
    body: ReadAgent,
    reply: AgentState,
    async handle({ scope }, { database }) {
      return (await database.read((queries) => findAgentState(queries, scope))) ?? FIRST_AGENT_STATE;
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/ai-sales-agent/state',
    auth: 'tenant',
    scope: 'ai:admin',
    takesUnknownTenant: true,
    goesFirst: true,
    operationId: 'agentState.update',
    summary: "Update the agent's state",
    description:
      "Applies to all sessions of the tenant, so a session's key needs the scope `ai:admin`. A tenant that does not " +
      'exist yet is created.\n\nEvery change cancels ' +
      'what the agent had waiting, in all sessions of the tenant; `inFlight` names what may still reach the ' +
      'network. Setting the same values again cancels nothing.\n\n`enabled: false` switches the agent off for the ' +
      "tenant: its turns end with the code `paused`, and a person's reply does not take the conversation over. " +
      '`mode: human_takeover` gives every conversation of the tenant to people: turns end with the code `human`, ' +
      "the conversations' own modes stay unchanged, and `bot_active` ends it. Messages that arrive in the meantime " +
      'are not answered afterwards. The agent answers if it is enabled, the persona is `active`, and tenant and ' +
      'conversation are both `bot_active`.',
    body: UpdateAgentState,
    reply: AgentState.extend({ inFlight: InFlight }).meta({
      id: 'AgentStateChanged',
      description: 'The switches, and what the agent may still send.',
    }),
    errors: ['forbidden', 'tenant_limit'],
    async handle({ scope, body, caller }, { database }) {
      requireKeyScope(caller, 'ai:admin');
      const { hasChanged, ...state } = await database.transaction(async (tx) => {
        await requireTenant(tx, scope);
        const { enabled, mode } = body;
        const detail = { enabled, mode };
        const change = {
          of: scope,
          object: 'agent_state',
          objectId: scope.tenantId,
          action: 'changed',
          detail,
        } as const;
        await recordChange(tx, change, caller);
        return updateAgentState(tx, scope, body);
      });
      // A repeated request to switch the agent off stops what is in flight, too: the caller may have lost the first
      // answer.
      const stops = hasChanged || !state.enabled || state.mode === 'human_takeover';
      return { ...state, inFlight: stops ? await stopTenantAi(database, scope) : [] };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/ai-sales-agent/persona',
    auth: 'tenant',
    scope: 'read',
    takesUnknownTenant: true,
    operationId: 'agentPersona.read',
    summary: "Read the agent's persona",
    description: 'A tenant without a session or a setting has the persona that every tenant begins with.',
    body: ReadAgent,
    reply: PersonaView,
    async handle({ scope }, deps) {
      return viewPersona(scope, deps);
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/ai-sales-agent/persona',
    auth: 'tenant',
    scope: 'ai:admin',
    takesUnknownTenant: true,
    operationId: 'agentPersona.update',
    summary: "Update the agent's persona",
    description:
      "Applies to all sessions of the tenant, so a session's key needs the scope `ai:admin`. A tenant that " +
      'does not exist yet is created.\n\nOmitted fields stay unchanged. `active: false` has the same effect ' +
      'as `enabled: false` of the state: turns end with the code `paused`, and waiting messages of the ' +
      'agent are cancelled. `inFlight` names messages that may still reach the network. Setting the same ' +
      'value again cancels nothing. Other settings apply from the next turn on. `autoReturnHours` counts ' +
      'from the last human activity, also in conversations that a person has now.',
    body: UpdatePersona,
    reply: PersonaView.extend({ inFlight: InFlight }).meta({
      id: 'PersonaChanged',
      description: 'The persona, and what the agent may still send.',
    }),
    errors: ['forbidden', 'tenant_limit'],
    async handle({ scope, body, caller }, deps) {
      requireKeyScope(caller, 'ai:admin');
      const { agencyId: _agency, tenantId: _tenant, ...given } = body;
      refuseUnknownModel(deps.modelIds, given.modelChoice, '/modelChoice');
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const { database } = deps;
      const changed = await database.transaction(async (tx) => {
        await requireTenant(tx, scope);
        const persona = { ...(await findPersona(tx, scope, deps.modelIds)), ...change };
        if (given.systemPrompt !== undefined || given.modelChoice !== undefined) refuseLong(persona, deps);
        const detail = { fields: fieldsOf(change) };
        const recorded = { of: scope, object: 'persona', objectId: scope.tenantId, action: 'changed', detail } as const;
        await recordChange(tx, recorded, caller);
        return updatePersona(tx, scope, change);
      });
      // This runs after the transaction, because it locks conversations, and a transaction that holds the tenant's row
      // must not wait for conversations.
      if (changed.autoReturnHours) await rescheduleReturns(database, scope);
      const inFlight = changed.active || given.active === false ? await stopTenantAi(database, scope) : [];
      return { ...(await viewPersona(scope, deps)), inFlight };
    },
  }),
];

/** Refuses instructions that leave no room for the conversation in the model's prompt. */
function refuseLong(persona: Persona, { promptOptions }: ApiDeps): void {
  const { maxPromptTokens = 0 } = promptOptions(persona.modelChoice, persona.maxTokens);
  if (approximateTokens(instructionsFor(persona)) <= maxPromptTokens * INSTRUCTIONS_SHARE) return;
  const wrong = {
    pointer: '/systemPrompt',
    message: "leaves no room for the conversation within the model's input limit",
  };
  throw invalid(wrong, 'Shorten systemPrompt, or choose a model with a larger window.');
}

async function viewPersona({ agencyId, tenantId }: TenantScope, { database, modelIds }: ApiDeps) {
  const persona = await database.read((queries) => findPersona(queries, { agencyId, tenantId }, modelIds));
  return { agencyId, tenantId, ...persona };
}
