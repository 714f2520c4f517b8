import type { Backends } from '../../adapters/backend/backends.ts';
import { adoptOwnMessages } from '../../db/network/adopt-own-messages.ts';
import { learnPhone } from '../../db/network/hidden-id.ts';
import { readPersonHas } from '../../db/agent/who-has.ts';
import type { PersonHas } from '../../db/agent/who-has.ts';
import { hasNote, readAgentDesk, stepTurns } from '../../db/agent/desk.ts';
import type { AgentDesk, TurnSteps } from '../../db/agent/desk.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/engine/database.ts';
import { newId } from '../../db/engine/new-id.ts';
import type { Queries, Tx } from '../../db/engine/tx.ts';
import { handOver } from '../../db/agent/handover.ts';
import { endTurn } from '../../db/agent/turn-end.ts';
import { findTurnAtWork } from '../../db/agent/turn.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona, SilenceCode } from '../../domain/agent/sales-agent.ts';
import { closedPeriod } from '../../domain/agent/working-hours.ts';
import { spentConclusion } from './budget-spent.ts';
import { acceptTurnMessages, concludeTurn, LATE } from './conclude-turn.ts';
import { handedOver } from './model-failed.ts';
import type { Models } from '../../adapters/models/models.ts';
import type { PresenceWatch } from './presence-watch.ts';
import { planTurn } from './turn-plan.ts';
import type { ModelRetry, TurnPlan } from './turn-plan.ts';

/** Says what the workflow does next. */
export type TurnStep =
  /**
   * Every owed message has its turn. With `more`, that holds only for the messages that were looked at. `silent` says
   * why the last of them is not answered, and `person` that a person has the conversation.
   */
  | { state: 'none'; more?: true; silent?: SilenceCode; person?: PersonHas }
  /**
   * The turn must wait: the contact is still writing, somebody may be writing on the phone, or a model is asked again
   * later.
   */
  | { state: 'wait'; waitMs: number; gaveUp: string | null; retries?: ModelRetry }
  | { state: 'begun'; turnId: string; gaveUp: string | null; more?: true }
  /** The running turn goes out first, because no message is newer or the turn has been begun again often enough. */
  | { state: 'busy' };

export interface BeginTurn {
  conversationId: string;
  /** The turn that the workflow works on. Any other running turn was left by a workflow that is gone. */
  running: string | null;
  /** Counts the waits of the workflow until the contact finishes these messages. */
  waits?: number;
}

/** A desk, and what is to be done about it. */
interface Look {
  desk: AgentDesk;
  persona: Persona;
  plan: TurnPlan;
  person: PersonHas | null;
}

const OUT_OF_HOURS = 'out_of_hours';

export function createBeginTurn(
  {
    database,
    models,
    backends,
  }: {
    database: Database;
    models: Pick<Models, 'defaultId' | 'fallbackOf'>;
    backends: Pick<Backends, 'findPhone'>;
  },
  presence: PresenceWatch,
) {
  /**
   * Looks for owed messages. Begins a turn for them when the contact has finished writing, or records why the agent
   * stays silent. Safe to repeat: a turn that a lost attempt began is removed and begun again.
   * Rows: ai_turn, conversation, handover.
   */
  return async function beginTurn(begin: BeginTurn): Promise<TurnStep> {
    const look = await lookOf(begin);
    if (!look) return { state: 'none' };
    const step = (await atOnce(look)) ?? (await underLock(begin));
    const { desk } = look;
    if (step.state === 'wait') {
      presence.watch({ backend: desk.backend, session: desk.sessionName, chatId: desk.chatId });
      // Other processes that adopt may be down or busy, so this one does it too; adoptOwnMessages records a failure in
      // the row.
      if (desk.phoneWaitMs !== null)
        await adoptOwnMessages(database, backends.findPhone, { conversationId: desk.conversationId });
    }
    return step;
  };

  async function lookOf(begin: BeginTurn): Promise<Look | null> {
    const look = await database.read((queries) => lookAt(queries, begin));
    if (look?.desk.isHidden !== true) return look;
    // A contact known by a hidden id may also have a conversation under a phone number, which a person has taken over.
    const learned = await learnPhone(database, backends.findPhone, begin.conversationId);
    return learned === 'asked' ? database.read((queries) => lookAt(queries, begin)) : look;
  }

  async function lookAt(queries: Queries, { conversationId, running, waits = 0 }: BeginTurn): Promise<Look | null> {
    const usual = defaultPersona(models.defaultId);
    const desk = await readAgentDesk(queries, conversationId, { running, budgets: usual });
    if (!desk) return null;
    const persona = { ...usual, ...desk.persona };
    const fallback = models.fallbackOf(persona.modelChoice);
    const plan = planTurn(desk, persona, { running, waits, now: queries.now, fallback });
    const person = desk.silence === 'human' ? await readPersonHas(queries, desk, desk.conversationId) : null;
    return { desk, persona, plan, person };
  }

  /**
   * Does what was planned by a look without locks, in one statement or in none. Null when the desk has changed since, or
   * when there is more to do than one statement does.
   */
  async function atOnce({ desk, plan, person }: Look): Promise<TurnStep | null> {
    if (plan.next.kind === 'hand_over' || plan.next.kind === 'stay_silent') return null;
    const { steps, turnId } = stepsOf(plan);
    const isNothing = !steps.abandons && !steps.givesUp && steps.turns.length === 0;
    if (!isNothing && !(await database.statement((tx) => stepTurns(tx, desk, steps)))) return null;
    return answerOf(plan, turnId, person);
  }

  /** Looks again under the conversation's lock, so that the desk stays as it is until all is done. */
  async function underLock(begin: BeginTurn): Promise<TurnStep> {
    return database.transaction(async (tx) => {
      await lockConversation(tx, begin.conversationId);
      const look = await lookAt(tx, begin);
      if (!look) return { state: 'none' };
      const { desk, persona, plan } = look;
      const { steps, turnId } = stepsOf(plan);
      if (!(await stepTurns(tx, desk, steps))) throw new Error('The desk has changed under the lock.');
      if (plan.next.kind === 'hand_over') {
        const turn = await findTurnAtWork(tx, turnId);
        const isLate = plan.next.why === 'agent_late';
        if (turn) await concludeTurn(tx, turn, isLate ? LATE : await handedOver(tx, turn, persona), null);
      }
      if (plan.next.kind === 'stay_silent') await staySilent(tx, desk, persona, turnId, plan.next.code);
      // The step itself may have handed the conversation over.
      return answerOf(plan, turnId, await readPersonHas(tx, desk, desk.conversationId));
    });
  }
}

/** The steps of a plan in the rows, and the id of the turn that begins with them, if one does. */
function stepsOf({ current, abandons, givesUp, silences, next }: TurnPlan): { steps: TurnSteps; turnId: string } {
  const begun = 'turn' in next ? [next.turn] : [];
  const turns = [...silences, ...begun].map((turn) => ({ id: newId('trn'), ...turn }));
  return { steps: { current, abandons, givesUp, turns }, turnId: turns.at(-1)?.id ?? '' };
}

function answerOf(
  { next, gaveUp, hasMore, silences }: TurnPlan,
  turnId: string,
  personHas: PersonHas | null,
): TurnStep {
  const more = hasMore ? ({ more: true } as const) : {};
  const person = personHas ? { person: personHas } : {};
  switch (next.kind) {
    case 'busy':
      return { state: 'busy' };
    case 'wait':
      return { state: 'wait', waitMs: next.waitMs, gaveUp, ...(next.retries ? { retries: next.retries } : {}) };
    case 'begin':
      return { state: 'begun', turnId, gaveUp, ...more };
    case 'hand_over':
      return { state: 'none', ...more, ...person };
    case 'none':
    case 'stay_silent': {
      const silent = next.kind === 'stay_silent' ? next.code : silences.at(-1)?.turn.silence;
      return { state: 'none', ...(silent ? { silent } : {}), ...more, ...person };
    }
  }
}

/**
 * Ends the turn in silence, except that a persona may speak outside its hours or once its budget is used up. After a
 * loop a person gets the conversation and sees that a program writes on the other side.
 */
async function staySilent(tx: Tx, desk: AgentDesk, persona: Persona, turnId: string, code: SilenceCode): Promise<void> {
  const scope = { agencyId: desk.agencyId, tenantId: desk.tenantId, sessionId: null };
  if (code === 'loop') {
    await endTurn(tx, turnId, { outcome: 'silence', code });
    const to = { mode: 'human_takeover', cause: 'agent', reason: 'loop' } as const;
    await handOver(tx, scope, desk.conversationId, to);
    return;
  }
  if (code === 'budget') {
    const turn = await findTurnAtWork(tx, turnId);
    if (turn) await concludeTurn(tx, turn, await spentConclusion(tx, turn, persona), null);
    return;
  }
  const closed = code === 'hours' ? closedPeriod(persona.workingHours, desk.timeZone, tx.now) : null;
  const note = `${OUT_OF_HOURS}:${closed}`;
  const speaks = closed !== null && persona.outOfHoursMessage.trim() !== '';
  if (!speaks || (await hasNote(tx, desk.conversationId, note))) {
    await endTurn(tx, turnId, { outcome: 'silence', code });
    return;
  }
  const turn = await findTurnAtWork(tx, turnId);
  const messageIds = (turn && (await acceptTurnMessages(tx, turn, [persona.outOfHoursMessage]))) ?? [];
  await endTurn(tx, turnId, { outcome: 'reply', messageIds, notes: [note], silence: code });
}
