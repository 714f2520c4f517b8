import { z } from 'zod';
import { StoredPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { row } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { CONTEXT_MESSAGES, contextRules, LoadedRow, rulesJson, toContext } from './context.ts';
import type { LoadedContext } from './context.ts';
import { TURN_AT_WORK, TurnAtWork } from './turn.ts';

/** A turn reads all of its own messages, up to `MAX_MESSAGES`, and at least this many messages before them. */
const BEFORE_BATCH = 5;
const MAX_MESSAGES = 200;

const MaterialRow = z.object({ turn: TurnAtWork, persona: StoredPersona.nullable(), context: LoadedRow.nullable() });

/** The material of which a turn's prompt is made. */
export interface TurnMaterial {
  turn: TurnAtWork;
  /** The part of the persona that the tenant has set. */
  persona: Partial<Persona> | null;
  /** Null when the conversation or the tenant is gone. */
  context: LoadedContext | null;
}

/** Loads a turn's material in one statement; null when there is no such turn. */
export async function loadTurnMaterial(queries: Queries, turnId: string): Promise<TurnMaterial | null> {
  const found = await row(queries, MaterialRow)`
    select ${TURN_AT_WORK} as turn, t.persona,
      agent_context(r.agency_id, r.tenant_id, r.session_id, r.conversation_id, r.inbound_message_ids, ${queries.now},
        jsonb_set(${rulesJson(contextRules(CONTEXT_MESSAGES))}::jsonb, '{messages}',
          to_jsonb(least(${MAX_MESSAGES}::integer, greatest(${CONTEXT_MESSAGES}::integer,
            cardinality(r.inbound_message_ids) + ${BEFORE_BATCH}::integer))))) as context
    from ai_turn r left join tenant t on t.agency_id = r.agency_id and t.id = r.tenant_id where r.id = ${turnId}`;
  return found ? { ...found, context: found.context && toContext(found.context, queries.now) } : null;
}
