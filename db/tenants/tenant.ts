import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { z } from 'zod';
import { CONVERSATION_MODES } from '../../domain/conversation.ts';
import type { ConversationMode } from '../../domain/conversation.ts';
import { AgentState } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { followDefaults } from '../automations/agency-default.ts';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

export const Tenant = defineEntity({
  name: 'Tenant',
  tableName: 'tenant',
  properties: {
    agencyId: p.string().primary(),
    id: p.string().primary(),
    aiEnabled: p.boolean(),
    aiMode: p.enum(CONVERSATION_MODES),
    aiEpoch: p.integer(),
    persona: p.json<Partial<Persona>>().nullable(),
    createdAt: p.datetime(),
  },
});
export type Tenant = InferEntity<typeof Tenant>;

export async function findTenant(queries: Queries, scope: TenantScope): Promise<Tenant | null> {
  return queries.em.findOne(Tenant, { agencyId: scope.agencyId, id: scope.tenantId });
}

const NumberContextRow = z.object({ country: z.string().nullable(), isKnown: z.boolean() });

/**
 * Reads what is needed to understand a number without a country code: the tenant's own country, as an ISO 3166 code,
 * and whether the tenant has a contact under this chat id already.
 */
export async function findNumberContext(
  queries: Queries,
  scope: TenantScope,
  chatId: string,
): Promise<{ country: string | null; isKnown: boolean }> {
  const found = await row(queries, NumberContextRow)`
    select settings->>'country' as country, exists (select 1 from contact_alias a
      where a.agency_id = t.agency_id and a.tenant_id = t.id and a.chat_id = ${chatId}) as "isKnown"
    from tenant t where agency_id = ${scope.agencyId} and id = ${scope.tenantId}`;
  return found ?? { country: null, isKnown: false };
}

const KnownRow = z.object({ chatId: z.string() });

/**
 * Finds the chat id under which the tenant knows the person behind one of these; null when it knows none. Someone who
 * has written counts before the others, and a number that the network does not have counts last.
 */
export async function findKnownChatId(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  chatIds: readonly string[],
): Promise<string | null> {
  const found = await row(queries, KnownRow)`
    select a.chat_id as "chatId" from contact_alias a join contact k on k.id = a.contact_id
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = any(${[...chatIds]}::text[])
    -- With exists, the planner may read all conversations; with a limit it cannot.
    order by (select true from conversation c
        where c.contact_id = k.id and c.last_inbound_at is not null limit 1) is true desc,
      k.on_network is not false desc, array_position(${[...chatIds]}::text[], a.chat_id)
    limit 1`;
  return found?.chatId ?? null;
}

const RoomRow = z.object({ isThere: z.boolean(), hasRoom: z.boolean() });

/**
 * Inserts the tenant if it is not there; this happens with its first session or setting. False when the agency has as
 * many tenants as it may.
 */
export async function ensureTenant(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<boolean> {
  const found = await row(tx, RoomRow)`
    select exists (select 1 from tenant where agency_id = ${agencyId} and id = ${tenantId}) as "isThere",
      c.tenants = 0 or c.tenants > (select count(*) from tenant where agency_id = ${agencyId}) as "hasRoom"
    from ceilings_of(${agencyId}) c`;
  if (found?.isThere === true) return true;
  if (found?.hasRoom === false) return false;
  const made = await run(tx)`
    insert into tenant (agency_id, id) values (${agencyId}, ${tenantId}) on conflict do nothing`;
  if (made > 0) await followDefaults(tx, { agencyId, tenantId });
  return true;
}

/** Reads the switches of the agent, and what follows from them; undefined where there is no such tenant. */
export async function findAgentState(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
): Promise<AgentState | undefined> {
  return row(queries, AgentState)`
    select ai_enabled as enabled, ai_mode as mode, tenant_silence(t) as silence
    from tenant t where agency_id = ${agencyId} and id = ${tenantId}`;
}

const StateRow = AgentState.extend({ hasChanged: z.boolean() });

/**
 * Writes the agent's state. Every change raises the epoch, so that no AI message written before it can be claimed after
 * it commits, even when the state is changed back at once. Writing the state that holds already changes nothing.
 */
export async function updateAgentState(
  tx: Tx,
  scope: TenantScope,
  change: { enabled?: boolean | undefined; mode?: ConversationMode | undefined },
): Promise<AgentState & { hasChanged: boolean }> {
  const found = await row(tx, StateRow)`
    update tenant t set ai_enabled = coalesce(${change.enabled ?? null}, was.ai_enabled),
      ai_mode = coalesce(${change.mode ?? null}, was.ai_mode), ai_epoch = was.ai_epoch + was.moved::integer
    from (select *, (${change.enabled ?? null}::boolean <> ai_enabled) is true
      or (${change.mode ?? null}::text <> ai_mode) is true as moved
      from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId} for no key update) was
    where t.agency_id = was.agency_id and t.id = was.id
    returning t.ai_enabled as enabled, t.ai_mode as mode, tenant_silence(t) as silence, was.moved as "hasChanged"`;
  if (!found) throw new Error('The tenant of a state change must exist.');
  return found;
}

const PersonaChangeRow = z.object({ active: z.boolean(), autoReturnHours: z.boolean() });

/**
 * Merges the given fields into the persona; switching it on or off raises the epoch, like a change of state. Answers
 * whether it was switched and whether the hours until the agent's return changed, because both concern more than the
 * next turn.
 */
export async function updatePersona(
  tx: Tx,
  scope: TenantScope,
  change: Partial<Persona>,
): Promise<{ active: boolean; autoReturnHours: boolean }> {
  const found = await row(tx, PersonaChangeRow)`
    update tenant t set persona = coalesce(was.persona, '{}'::jsonb) || ${JSON.stringify(change)}::jsonb,
      ai_epoch = was.ai_epoch + was.switched::integer
    from (select *,
        (${change.active ?? null}::boolean
          <> coalesce(stored_flag(persona->'active'), persona->'active' is null)) is true as switched,
        (${change.autoReturnHours ?? null}::float8
          <> coalesce(stored_number(persona->'autoReturnHours', 0), 0)) is true as hours
      from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId} for no key update) was
    where t.agency_id = was.agency_id and t.id = was.id
    returning was.switched as active, was.hours as "autoReturnHours"`;
  return found ?? { active: false, autoReturnHours: false };
}
