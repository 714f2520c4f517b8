import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createBeginTurn } from '../../../activities/agent/begin-turn.ts';
import { concludeTurn } from '../../../activities/agent/conclude-turn.ts';
import type { Conclusion } from '../../../activities/agent/conclude-turn.ts';
import { createStepDown } from '../../../activities/agent/step-down.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import type { Database } from '../../../db/engine/database.ts';
import { handOver, listDueReturns } from '../../../db/agent/handover.ts';
import { returnToAgent } from '../../../db/agent/settle-owed.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { listAiInFlight } from '../../../db/agent/takeover.ts';
import { updateAgentState, updatePersona } from '../../../db/tenants/tenant.ts';
import { findTurnAtWork } from '../../../db/agent/turn.ts';
import { rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { AgentSends } from './agent-sends.ts';
import type { Step } from './agent-steps.ts';
import { asOwnMessage } from '../sending/simulated-network.ts';
import { Oracle } from './takeover/oracle.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';

const MODELS = { defaultId: 'model', fallbackOf: () => null };
const NOBODY_IN_PARTICULAR = { ...SCOPE, sessionId: null };
const HOUR_MS = 3_600_000;
const MAX_ROUNDS = 50;

let worlds = 0;

/** One conversation over the real rows; the workflow, the model, the network and the time are played. */
export class AgentWorld {
  readonly oracle = new Oracle();
  readonly faults: string[] = [];
  readonly #database: Database;
  readonly #sessionId: string;
  readonly conversationId: string;
  readonly #sends: AgentSends;
  readonly #chatId: string;
  readonly #beginTurn: ReturnType<typeof createBeginTurn>;
  readonly #stepDown: ReturnType<typeof createStepDown>;
  readonly #began = new Map<string, number>();
  readonly #saidByLook = new Set<string>();
  /** The turn that the workflow is at. */
  #running: string | null = null;
  /** Something is owed, and the workflow looks again. */
  #waits = false;
  #epoch = 0;
  #written = 0;

  private constructor(database: Database, sessionId: string, chat: { id: string; chatId: string }) {
    this.#database = database;
    this.#sessionId = sessionId;
    this.conversationId = chat.id;
    this.#chatId = chat.chatId;
    this.#sends = new AgentSends(database, chat.id, this.oracle);
    this.#beginTurn = createBeginTurn(
      { database, models: MODELS, backends: { findPhone: nobodyKnows } },
      { watch: () => undefined },
    );
    this.#stepDown = createStepDown({ database, models: MODELS });
  }

  static async make(database: Database, sessionId: string): Promise<AgentWorld> {
    worlds += 1;
    const chatId = `1555${5_000_000 + worlds}@c.us`;
    const { id } = await database.transaction(async (tx) => {
      // Many worlds move the clock beyond the days for which the calendar has made partitions.
      await sql`select maintain_partitions(${tx.now}::date)`.execute(tx.sql);
      await updatePersona(tx, SCOPE, {
        active: true,
        quietPeriodMs: 0,
        autoReturnHours: 1,
        splitReplies: false,
        onModelFailure: 'handoff',
      });
      await updateAgentState(tx, SCOPE, { enabled: true, mode: 'bot_active' });
      return ensureConversation(tx, { ...SCOPE, sessionId }, { chatId });
    });
    return new AgentWorld(database, sessionId, { id, chatId });
  }

  async take(step: Step): Promise<void> {
    await this.#act(step);
    const [row] = await rowsOf(
      this.#database,
      sql<{ epoch: number }>`select epoch from conversation where id = ${this.conversationId}`,
    );
    if ((row?.epoch ?? 0) < this.#epoch) this.faults.push('an epoch fell');
    this.#epoch = row?.epoch ?? 0;
  }

  /** The agent is on, and everything goes on until nothing is left to do. */
  async rest(): Promise<void> {
    await this.#act('the tenant comes back');
    await this.#act('the persona is switched on');
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.#act('the agent looks');
      if (this.#running !== null) {
        await this.#act('the model replies');
        continue;
      }
      if (this.#waits) continue;
      for (const step of ['the call is made', 'the call is recorded', 'a message is claimed'] as const)
        await this.#act(step);
      if (await this.#sends.areDone()) return;
    }
    this.faults.push('it never comes to rest');
  }

  async #act(step: Step): Promise<void> {
    const database = this.#database;
    switch (step) {
      case 'the contact writes':
        return this.#contactWrites();
      case 'the agent looks': {
        const began = this.oracle.now();
        const found = await this.#beginTurn({ conversationId: this.conversationId, running: this.#running });
        this.#waits = found.state === 'wait';
        if (found.state === 'wait' && found.retries) database.clock.advance(found.waitMs);
        if (found.state === 'begun') this.#began.set(found.turnId, this.oracle.now());
        if (found.state === 'begun') this.#running = found.turnId;
        if (found.state === 'none') {
          this.#running = null;
          await this.#noteSaidByLook(began);
        }
        return;
      }
      case 'the model replies':
        return this.#conclude({ outcome: 'reply', parts: ['An answer'], notes: [] });
      case 'the model replies in two messages':
        return this.#conclude({ outcome: 'reply', parts: ['An answer', 'and more'], notes: [] });
      case 'the model says nothing':
        return this.#conclude({ outcome: 'silence', code: 'nothing_to_answer' });
      case 'the model hands off':
        return this.#conclude({
          outcome: 'handoff',
          cause: 'agent',
          reason: 'asked for a person',
          parts: ['One moment'],
          notes: [],
        });
      case 'the model fails':
        if (this.#running !== null) await this.#stepDown({ turnId: this.#running });
        await this.#noteMessages();
        this.#running = null;
        return;
      case 'the persona asks failing models again':
        await database.transaction((tx) => updatePersona(tx, SCOPE, { onModelFailure: 'retry' }));
        return;
      case 'a message is claimed':
        return this.#sends.claim();
      case 'the call is made':
        this.#sends.call();
        return;
      case 'the call is recorded':
        return this.#sends.answer(true);
      case 'the call was not made':
        return this.#sends.answer(false);
      case 'a person takes over':
        return this.#takeOver();
      case 'a person gives it back':
        await database.transaction((tx) =>
          handOver(tx, NOBODY_IN_PARTICULAR, this.conversationId, { mode: 'bot_active', cause: 'release' }),
        );
        this.oracle.releases.push({ of: 'conversation', order: this.oracle.now() });
        return;
      case 'the owner writes on the phone':
        return this.#ownerWrites();
      case 'the tenant goes to a person':
        return this.#changeTenant({ mode: 'human_takeover' });
      case 'the tenant comes back':
        return this.#changeTenant({ mode: 'bot_active' });
      case 'the persona is switched off':
        return this.#changeTenant({ active: false });
      case 'the persona is switched on':
        return this.#changeTenant({ active: true });
      case 'hours pass':
        return this.#hoursPass();
      case 'the workflow is lost':
        this.#running = null;
    }
  }

  async #contactWrites(): Promise<void> {
    const database = this.#database;
    // Nobody types as evenly as a program.
    this.#written += 1;
    database.clock.advance(5_000 + ((this.#written * 7_919) % 50_000));
    const networkId = `IN${randomUUID()}`;
    const sending = { chatId: this.#chatId, kind: 'text', messageId: '', body: `Question ${this.#written}`, networkId };
    const message = { ...asOwnMessage({ ...sending, at: database.clock.now() }), fromMe: false };
    const session = await database.read((queries) => findSessionById(queries, this.#sessionId));
    if (!session) throw new Error('The session is not there.');
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
  }

  async #conclude(conclusion: Conclusion): Promise<void> {
    const turnId = this.#running;
    const turn = turnId === null ? null : await this.#database.read((queries) => findTurnAtWork(queries, turnId));
    if (!turn) return;
    await this.#database.transaction((tx) => concludeTurn(tx, turn, conclusion, null));
    await this.#noteMessages();
    this.#running = null;
  }

  async #noteMessages(): Promise<void> {
    const began = this.#began.get(this.#running ?? '') ?? 0;
    const rows = await rowsOf(
      this.#database,
      sql<{ id: string }>`select id from message where turn_id = ${this.#running} and origin = 'ai'`,
    );
    this.oracle.wrote(
      rows.map(({ id }) => id),
      began,
    );
  }

  /** A look that finds that no model came back in time says the last words by itself. */
  async #noteSaidByLook(began: number): Promise<void> {
    const rows = await rowsOf(
      this.#database,
      sql<{ id: string }>`select m.id from message m join ai_turn t on t.id = m.turn_id and m.direction = 'out'
        where t.conversation_id = ${this.conversationId} and t.silence_code = 'model_failed' and t.model_calls = '[]'`,
    );
    const ids = rows.map(({ id }) => id).filter((id) => !this.#saidByLook.has(id));
    for (const id of ids) this.#saidByLook.add(id);
    this.oracle.wrote(ids, began);
  }

  async #takeOver(): Promise<void> {
    const { oracle } = this;
    const id = this.conversationId;
    const to = { mode: 'human_takeover', cause: 'assign', assignee: 'ada' } as const;
    await this.#database.transaction((tx) => handOver(tx, NOBODY_IN_PARTICULAR, id, to));
    await this.#answered('conversation', 'assign', oracle.now());
  }

  async #changeTenant(change: { mode: 'bot_active' | 'human_takeover' } | { active: boolean }): Promise<void> {
    await this.#database.transaction(async (tx) => {
      if ('mode' in change) await updateAgentState(tx, SCOPE, change);
      else await updatePersona(tx, SCOPE, change);
    });
    const isOn = 'mode' in change ? change.mode === 'bot_active' : change.active;
    const order = this.oracle.now();
    if (isOn) this.oracle.releases.push({ of: 'tenant', order });
    else await this.#answered('tenant', 'state', order);
  }

  async #answered(of: 'conversation' | 'tenant', by: string, committed: number): Promise<void> {
    const id = this.conversationId;
    const rows = await this.#database.read((queries) => listAiInFlight(queries, NOBODY_IN_PARTICULAR, id));
    const inFlight = rows.map(({ messageId }) => messageId);
    this.oracle.takeovers.push({ of, by, committed, answered: this.oracle.now(), inFlight, conversations: [id] });
  }

  async #ownerWrites(): Promise<void> {
    const networkId = `PHONE${randomUUID()}`;
    await this.#database.transaction(async (tx) => {
      const sending = {
        messageId: '',
        kind: 'text',
        body: 'on the phone',
        chatId: this.#chatId,
        networkId,
        at: tx.now,
      };
      await sql`
        insert into parked_own_message (session_id, network_id, conversation_id, message, parked_at)
        values (${this.#sessionId}, ${networkId}, ${this.conversationId}, ${JSON.stringify(asOwnMessage(sending))}::jsonb,
          clock_timestamp() - interval '1 minute')`.execute(tx.sql);
    });
    await adoptOwnMessages(this.#database, nobodyKnows);
  }

  async #hoursPass(): Promise<void> {
    this.#database.clock.advance(2 * HOUR_MS);
    const due = await this.#database.transaction((tx) => listDueReturns(tx, 100));
    for (const id of due) {
      const returned = await this.#database.transaction((tx) => returnToAgent(tx, id));
      if (returned && id === this.conversationId) {
        this.oracle.releases.push({ of: 'conversation', order: this.oracle.now() });
      }
    }
  }
}
