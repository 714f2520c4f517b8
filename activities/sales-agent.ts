import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { acceptSend } from '../db/accept.ts';
import { findConversationById } from '../db/conversation.ts';
import type { Conversation } from '../db/conversation.ts';
import { findTenant } from '../db/tenant.ts';
import type { Tenant } from '../db/tenant.ts';
import {
  abandonTurns,
  endTurn,
  findPreviousOutcome,
  findTurnById,
  findUnanswered,
  insertTurn,
  listContext,
  recordReply,
} from '../db/turn.ts';
import type { Turn } from '../db/turn.ts';
import { chatKind } from '../domain/chat-id.ts';
import { EXPIRES_AFTER_MS } from '../domain/message-state.ts';
import { buildPrompt } from '../domain/prompt.ts';
import { defaultPersona } from '../domain/sales-agent.ts';
import type { Persona, SilenceCode } from '../domain/sales-agent.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { ModelError } from './models.ts';

export type TurnBegun = { state: 'begun'; turnId: string } | { state: 'silent' } | { state: 'none' };

export type SalesAgentActivities = ReturnType<typeof createSalesAgentActivities>;

const HEARTBEAT_EVERY_MS = 4_000;
const CONTEXT_MESSAGES = 20;

export function createSalesAgentActivities(deps: ActivityDependencies) {
  const { database, models } = deps;

  /** How long the agent listens before it answers. Safe to repeat: it only reads. */
  async function readPatience({ conversationId }: { conversationId: string }) {
    const { persona } = await load(conversationId);
    return { quietPeriodMs: persona.quietPeriodMs, maxWaitMs: persona.maxWaitMs };
  }

  /**
   * Begins the turn for what is unanswered, or records why the agent stays silent about it. Safe to repeat: a turn that
   * was begun and not ended is given up first, and it covers the same messages again.
   */
  async function beginTurn({ conversationId }: { conversationId: string }): Promise<TurnBegun> {
    const { conversation, tenant, persona } = await load(conversationId);
    return database.transaction(async (tx) => {
      await abandonTurns(tx, conversationId);
      const unanswered = await findUnanswered(tx, conversationId);
      if (!unanswered) return { state: 'none' };
      const turnId = await insertTurn(tx, conversationId, unanswered);
      const code = silence(conversation, tenant, persona);
      if (code === null) return { state: 'begun', turnId };
      await endTurn(tx, turnId, { outcome: 'silence', code });
      return { state: 'silent' };
    });
  }

  /** Asks the model and keeps its answer with the turn. Safe to repeat: an answer that is there is not asked for again. */
  async function answerTurn({ turnId }: { turnId: string }): Promise<void> {
    const turn = await database.read((queries) => findTurnById(queries, turnId));
    if (!turn || turn.reply || turn.outcome !== 'running') return;
    const { persona } = await load(turn.conversationId);
    const context = await database.read((queries) => listContext(queries, turn.conversationId, CONTEXT_MESSAGES));
    const beat = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
    try {
      const answer = await models.generate({
        model: persona.modelChoice,
        ...buildPrompt(persona, context),
        temperature: persona.temperature,
        maxTokens: persona.maxTokens,
        signal: cancellationSignal(),
      });
      await database.transaction((tx) => recordReply(tx, turnId, { ...answer, errorCode: null }));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw ApplicationFailure.create({
        type: 'model_failed',
        message: error.code,
        nonRetryable: !error.retryable,
        ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
      });
    } finally {
      clearInterval(beat);
    }
  }

  /** Hands the answer to the conversation's queue under the turn's epochs. Safe to repeat: one message per turn. */
  async function sendReply({ turnId }: { turnId: string }): Promise<void> {
    const turn = await database.read((queries) => findTurnById(queries, turnId));
    if (turn?.outcome === 'running' && turn.reply) await send(turn, turn.reply, 'reply');
  }

  /** The model failed for good: the persona's fallback goes out, once; a second failure in a row stays silent on record. */
  async function fallBack({ turnId }: { turnId: string }): Promise<void> {
    const turn = await database.read((queries) => findTurnById(queries, turnId));
    if (turn?.outcome !== 'running') return;
    const { persona } = await load(turn.conversationId);
    const previous = await database.read((queries) => findPreviousOutcome(queries, turn));
    if (previous !== 'fallback' && persona.fallbackMessage !== '') {
      await send(turn, persona.fallbackMessage, 'fallback');
      return;
    }
    await database.transaction((tx) => endTurn(tx, turnId, { outcome: 'silence', code: 'model_failed' }));
  }

  async function send(turn: Turn, text: string, outcome: 'reply' | 'fallback'): Promise<void> {
    const { id: turnId, conversationEpoch, tenantEpoch, conversationId, sessionId } = turn;
    const scope = { agencyId: turn.agencyId, tenantId: turn.tenantId, sessionId };
    await database.transaction(async (tx) => {
      const accepted = await acceptSend(tx, scope, {
        recipient: { conversationId },
        parts: [{ kind: 'text', body: text }],
        origin: 'ai',
        expires: { afterMs: EXPIRES_AFTER_MS.ai },
        fence: { conversationEpoch, tenantEpoch, turnId },
      });
      if (accepted.outcome === 'accepted') await endTurn(tx, turnId, { outcome, messageId: accepted.messageId });
    });
  }

  async function load(
    conversationId: string,
  ): Promise<{ conversation: Conversation; tenant: Tenant; persona: Persona }> {
    return database.read(async (queries) => {
      const conversation = await findConversationById(queries, conversationId);
      const tenant =
        conversation &&
        (await findTenant(queries, { agencyId: conversation.agencyId, tenantId: conversation.tenantId }));
      if (!conversation || !tenant) throw ApplicationFailure.nonRetryable('The conversation is gone.', 'not_found');
      return { conversation, tenant, persona: { ...defaultPersona(models.defaultId), ...tenant.persona } };
    });
  }

  return { readPatience, beginTurn, answerTurn, sendReply, fallBack };
}

function silence(conversation: Conversation, tenant: Tenant, persona: Persona): SilenceCode | null {
  // Several people talk there, and none of them to us alone.
  if (chatKind(conversation.chatId) === 'group') return 'group';
  if (conversation.mode === 'human_takeover' || tenant.aiMode === 'human_takeover') return 'human';
  return tenant.aiEnabled && persona.active ? null : 'paused';
}
