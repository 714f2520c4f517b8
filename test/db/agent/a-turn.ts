import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { askModel } from '../../../activities/agent/ask-model.ts';
import type { Asking } from '../../../activities/agent/ask-model.ts';
import { createBeginTurn } from '../../../activities/agent/begin-turn.ts';
import type { TurnStep } from '../../../activities/agent/begin-turn.ts';
import { ModelError } from '../../../adapters/models/error.ts';
import type { ModelErrorCode } from '../../../adapters/models/error.ts';
import { createStepDown } from '../../../activities/agent/step-down.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import type { Database } from '../../../db/engine/database.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { handOver } from '../../../db/agent/handover.ts';
import { importMessages } from '../../../db/network/history.ts';
import { aRevoke, anEdit } from '../network/message-change.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { applyChange } from '../../../db/network/changes/change.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { updatePersona } from '../../../db/tenants/tenant.ts';
import { listTurns } from '../../../db/agent/turn.ts';
import type { Turn } from '../../../db/agent/turn.ts';
import type { FindPhone } from '../../../db/network/hidden-id.ts';
import type { ConversationMode } from '../../../domain/conversation.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import type { Prompt } from '../../../domain/agent/prompt/context.ts';
import type { Persona } from '../../../domain/agent/sales-agent.ts';
import type { TurnDecision } from '../../../domain/agent/turn-outcome.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { UNCLEANED } from '../../support/uncleaned.ts';

/** The model's scripted response: a decision or a failure. */
export type Scripted = TurnDecision | { fails: ModelErrorCode } | (() => Promise<TurnDecision>);

/** The agent's activities on a database, without Temporal and with a model that does what it is told. */
export function anAgent(database: Database, sessionId: string) {
  const script: Scripted[] = [];
  /** The backend's content for any file. */
  const files: { next?: Buffer } = {};
  const asked: string[] = [];
  const prompts: Prompt[] = [];
  const watched: string[] = [];
  let networkIds = 0;
  let people = 0;

  /** The network's response about hidden ids: a phone, null if it knows none, an error without a response. */
  let whoIs: FindPhone = nobodyKnows;

  const deps: Asking & { backends: { findPhone: FindPhone } } = {
    database,
    models: {
      defaultId: 'first',
      fallbackOf: (id) => (id === 'first' ? 'second' : null),
      promptOptions: () => ({}),
      takes: (_model, kindOrType) => kindOrType.startsWith('image'),
      async answer({ model, prompt }) {
        asked.push(model);
        prompts.push(prompt);
        const next = script.shift() ?? { outcome: 'reply', text: 'Yes.' };
        if ('fails' in next) throw new ModelError(next.fails);
        const decision = typeof next === 'function' ? await next() : next;
        return { decision, model, inputTokens: 90, outputTokens: 10, costMicros: 5, ms: 3 };
      },
    },
    backends: { ...everywhere({ getFile: async () => files.next ?? null }), findPhone: (hidden) => whoIs(hidden) },
    media: { store: { ...UNCLEANED, put: fail, get: fail } },
  };
  const begin = createBeginTurn(deps, { watch: ({ chatId }) => void watched.push(chatId) });
  const stepDown = createStepDown(deps);

  function aMessage(chatId: string, body: string, over: Partial<NetworkMessage>): NetworkMessage {
    networkIds += 1;
    return aNetworkMessage({
      networkId: `IN${networkIds}`,
      chatId,
      source: 'unknown',
      body,
      timestamp: Math.floor(database.clock.now().getTime() / 1_000),
      ...over,
    });
  }

  /** A live message; returns its conversation. */
  async function write(chatId: string, body: string, over: Partial<NetworkMessage> = {}): Promise<string> {
    const message = aMessage(chatId, body, over);
    await database.transaction(async (tx) => {
      const session = await findSessionById(tx, sessionId);
      if (session) await applyNetworkEvent(tx, session, { kind: 'message', key: message.networkId, message });
    });
    const [row] = await rowsOf(
      database,
      sql<{ id: string }>`select conversation_id as id from message where network_id = ${message.networkId}`,
    );
    return row?.id ?? '';
  }

  /** As the workflow goes on, except that the quiet period is over at once. */
  async function next(conversationId: string, running: string | null = null): Promise<TurnStep> {
    for (;;) {
      const step = await begin({ conversationId, running });
      if (step.state !== 'wait') return step;
      database.clock.advance(step.waitMs);
    }
  }

  async function begun(conversationId: string): Promise<string> {
    const step = await next(conversationId);
    if (step.state !== 'begun') throw new Error(`The turn did not begin: ${step.state}.`);
    return step.turnId;
  }

  /** As Temporal and the workflow go on, but without its pauses: so many attempts, then the next fallback. */
  async function answerAsTemporal(turnId: string, mostAttempts = 6): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await askModel(deps, turnId, AbortSignal.timeout(10_000));
        return;
      } catch (error) {
        if (attempt < mostAttempts && !(error instanceof ModelError && !error.retryable)) continue;
        attempt = 0;
        if (!(await stepDown({ turnId })).ask) return;
      }
    }
  }

  async function answer(turnId: string): Promise<void> {
    for (;;) {
      try {
        await askModel(deps, turnId, AbortSignal.timeout(10_000));
        return;
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        if (!(await stepDown({ turnId })).ask) return;
      }
    }
  }

  return {
    asked,
    networkTells: (findPhone: FindPhone) => void (whoIs = findPhone),
    /** As it is before each test: the agent on, nothing used, a model that says yes. */
    async startOver(): Promise<void> {
      script.length = 0;
      asked.length = 0;
      whoIs = nobodyKnows;
      await rowsOf(database, sql<object>`update tenant set ai_enabled = true, ai_mode = 'bot_active', persona = null`);
      await rowsOf(database, sql<object>`delete from ai_usage`);
    },
    persona: (change: Partial<Persona>) => database.transaction((tx) => updatePersona(tx, SCOPE, change)),
    hands: (id: string, mode: ConversationMode) =>
      database.transaction((tx) => handOver(tx, { ...SCOPE, sessionId: null }, id, { mode, cause: 'assign' })),
    wakes: () => countOf(database, sql`dispatch where workflow_type = 'aiConversation'`),
    begun,
    prompts,
    files,
    answerAsTemporal,
    watched,
    begin,
    next,
    answer,
    write,
    script: (...replies: Scripted[]) => void script.splice(0, script.length, ...replies),
    person: () => `1555${String(3_000_000 + ++people)}@c.us`,
    async settle(conversationId: string): Promise<void> {
      const step = await next(conversationId);
      if (step.state === 'begun') await answer(step.turnId);
    },
    /** Reads a chat's messages at the backend, oldest first. */
    readHistory: (chatId: string, messages: (Partial<NetworkMessage> & { body: string })[]) =>
      database.transaction(async (tx) => {
        const session = await findSessionById(tx, sessionId);
        if (!session) throw new Error('The session is not there.');
        const chat = await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId });
        const page = messages.map((message) => aMessage(chatId, message.body, message));
        await importMessages(tx, session, chat, { messages: page.toReversed() });
      }),
    revoke: (networkId: string) =>
      database.transaction((tx) => applyChange(tx, sessionId, { change: aRevoke(networkId), tells: true })),
    edit: (networkId: string, body: string) =>
      database.transaction((tx) => applyChange(tx, sessionId, { change: anEdit(networkId, body), tells: true })),
    type: (chatId: string, isTyping: boolean) =>
      database.transaction(async (tx) => {
        const session = await findSessionById(tx, sessionId);
        if (session) await applyNetworkEvent(tx, session, { kind: 'typing', key: 'typing', chatId, isTyping });
      }),
    /** Returns the result of a worker that claims the agent's last message there. */
    async claimIn(conversationId: string): Promise<string> {
      const [last] = await rowsOf(
        database,
        sql<{
          id: string;
        }>`select id from message where conversation_id = ${conversationId} and origin = 'ai' order by chat_seq desc limit 1`,
      );
      const claim = { token: randomUUID(), owner: '1', chosenNetworkId: null };
      return (await database.transaction((tx) => claimMessage(tx, last?.id ?? '', claim))).claim;
    },
    /** Newest first. */
    turnsOf: (id: string): Promise<Turn[]> =>
      database.read((queries) => listTurns(queries, { id, ...SCOPE }, { limit: 50, after: null })),
    sentIn: (conversationId: string) =>
      rowsOf(
        database,
        sql<{ body: string; status: string; reason: string | null }>`
          select body, status, error_code as reason from message where conversation_id = ${conversationId} and origin = 'ai' order by chat_seq`,
      ),
  };
}

async function fail(): Promise<never> {
  throw new Error('No file is kept here.');
}
