import { cancellationSignal } from '@temporalio/activity';
import { recordUsage, returnReservation } from '../../db/agent/usage.ts';
import { CONTEXT_MESSAGES, loadContext, loadTenantContext } from '../../db/agent/context.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Queries } from '../../db/engine/tx.ts';
import { endRehearsal, findRehearsal } from '../../db/agent/rehearsal.ts';
import type { Rehearsal } from '../../db/agent/rehearsal.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import { mostTokens } from '../../domain/agent/budget.ts';
import { cut } from '../../domain/cut.ts';
import { MAX_FACT } from '../../domain/agent/memory.ts';
import { buildPrompt, promptText } from '../../domain/agent/prompt/prompt.ts';
import type { PromptContext } from '../../domain/agent/prompt/context.ts';
import { rehearsalErrorText } from '../../domain/agent/rehearsal.ts';
import type { PersonaTried, RehearsalResult } from '../../domain/agent/rehearsal.ts';
import { applyReplyRules } from '../../domain/agent/reply/rules.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { splitReply } from '../../domain/agent/reply/split.ts';
import type { TurnDecision } from '../../domain/agent/turn-outcome.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { loadModelMedia } from '../../adapters/models/media.ts';
import { ModelError } from '../../adapters/models/error.ts';
import type { ModelUse } from '../../adapters/models/use.ts';
import type { Models } from '../../adapters/models/models.ts';
import { reserveTokens } from './reserve-tokens.ts';
import { filesOfSession } from './session-files.ts';

export type RehearsalActivities = ReturnType<typeof createRehearsalActivities>;

export interface Rehearsing {
  database: Database;
  models: Pick<Models, 'answer' | 'defaultId' | 'promptOptions'>;
  /** Loads the files of the session that the model takes, as for a turn. */
  withMedia: (context: PromptContext, model: string, sessionId: string | null) => Promise<PromptContext>;
}

export function createRehearsalActivities(
  deps: Pick<ActivityDependencies, 'database' | 'models' | 'backends' | 'media'>,
) {
  const { database, models } = deps;

  /**
   * Asks every persona and keeps what each would answer. Safe to repeat: it sends nothing, and the first recorded end
   * stands.
   * Rows: rehearsal, ai_usage, ai_reservation.
   */
  async function runRehearsal({ rehearsalId }: { rehearsalId: string }): Promise<void> {
    const signal = cancellationSignal();
    const withMedia = (context: PromptContext, model: string, sessionId: string | null): Promise<PromptContext> =>
      loadModelMedia(context, {
        model,
        of: unanswered(context),
        models,
        backend: filesOfSession(deps, sessionId),
        store: deps.media.store,
        signal,
      });
    await beating(() => rehearseAll({ database, models, withMedia }, rehearsalId, signal));
  }

  /** Ends a rehearsal that nobody could run. Safe to repeat: the first end stands. Rows: rehearsal. */
  async function failRehearsal({ rehearsalId }: { rehearsalId: string }): Promise<void> {
    await database.transaction((tx) => endRehearsal(tx, rehearsalId, { errorCode: 'internal' }));
  }

  return { runRehearsal, failRehearsal };
}

interface Trial {
  variant: RehearsalResult['variant'];
  run: number;
  persona: Persona;
}

/** Tries both personas at the same time, each as often as the request asks. */
export async function rehearseAll(deps: Rehearsing, rehearsalId: string, signal: AbortSignal): Promise<void> {
  const { database } = deps;
  const rehearsal = await database.read((queries) => findRehearsal(queries, rehearsalId));
  if (rehearsal?.status !== 'running') return;
  const tenant = await database.read((queries) => findTenant(queries, rehearsal));
  const context = await database.read((queries) => contextOf(queries, rehearsal));
  if (!tenant || context.messages.length === 0) {
    await database.transaction((tx) => endRehearsal(tx, rehearsalId, { errorCode: 'nothing_said' }));
    return;
  }
  const own = { ...defaultPersona(deps.models.defaultId), ...tenant.persona };
  const attempts = trials(own, rehearsal).map((trial) => attempt(deps, rehearsal, own, context, trial, signal));
  const results = await Promise.all(attempts);
  // A run that is given up or lost records nothing, so that another worker can do it.
  signal.throwIfAborted();
  await database.transaction((tx) => endRehearsal(tx, rehearsalId, { results }));
}

/** Returns the messages that the agent would answer: those since it last said something. */
function unanswered({ messages }: PromptContext): ReadonlySet<string> {
  const from = messages.findLastIndex(({ direction }) => direction === 'out') + 1;
  return new Set(messages.slice(from).map(({ id }) => id));
}

/** Lists the trials in pairs: each run of one persona stands beside that of the other. */
function trials(own: Persona, { request: { persona, compareWith, repeat } }: Rehearsal): Trial[] {
  const variants: { variant: Trial['variant']; change: PersonaTried | undefined }[] = [
    { variant: 'persona', change: persona },
    ...(compareWith === undefined ? [] : [{ variant: 'compareWith' as const, change: compareWith }]),
  ];
  return Array.from({ length: repeat }, (_, index) =>
    variants.map(({ variant, change }) => ({ variant, run: index + 1, persona: withChange(own, change) })),
  ).flat();
}

function withChange(own: Persona, change: PersonaTried = {}): Persona {
  return { ...own, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
}

/**
 * Returns the context that the agent would have: that of a real conversation, or the messages that the request made up.
 */
async function contextOf(queries: Queries, { request, ...row }: Rehearsal): Promise<PromptContext> {
  const { agencyId, tenantId, sessionId } = row;
  const { conversationId, messages = [], contactMemories = [] } = request;
  const given = contactMemories.map((fact, index) => ({
    id: `given_${index + 1}`,
    fact: cut(fact, MAX_FACT),
    category: 'context',
    source: 'rehearsal',
    confidence: null,
  }));
  const known =
    conversationId === undefined || sessionId === null
      ? null
      : await loadContext(queries, { agencyId, tenantId, sessionId, conversationId }, CONTEXT_MESSAGES);
  if (known) return { ...known, memories: [...given, ...known.memories] };
  return {
    messages: messages.map(({ from, text }, index) => ({
      id: `given_${index + 1}`,
      direction: from === 'contact' ? 'in' : 'out',
      kind: 'text',
      body: text,
      at: queries.now,
      media: null,
    })),
    memories: given,
    ...(await loadTenantContext(queries, row)),
    contactName: null,
    now: queries.now,
  };
}

async function attempt(
  { database, models, withMedia }: Rehearsing,
  { id, agencyId, tenantId, sessionId, request }: Rehearsal,
  own: Persona,
  context: PromptContext,
  { variant, run, persona }: Trial,
  signal: AbortSignal,
): Promise<RehearsalResult> {
  const { modelChoice: model, temperature, maxTokens } = persona;
  const options = models.promptOptions(model, maxTokens);
  const prompt = buildPrompt(persona, await withMedia(context, model, sessionId), options);
  const files = prompt.messages.flatMap(({ media }) => media);
  const told = promptText(prompt);
  const base = {
    variant,
    run,
    persona: { name: persona.agentName, model },
    ...(request.includePrompt ? { prompt: told } : {}),
  };
  // Only the tenant's budget pays: a rehearsal takes nothing from a contact's budget.
  const spender = { agencyId, tenantId, contactId: null };
  const reservation = { id: `rehearse/${id}/${variant}/${run}`, tokens: mostTokens([told], maxTokens, files) };
  const took = async ({ inputTokens, outputTokens, costMicros }: ModelUse): Promise<void> => {
    const usage = { replies: 0, tokens: (inputTokens ?? 0) + (outputTokens ?? 0), costMicros: costMicros ?? 0 };
    await database.statement((tx) => recordUsage(tx, spender, usage, reservation.id));
  };
  try {
    const budget = await reserveTokens(database, spender, reservation, own, signal);
    if (budget === 'spent') return { ...base, ...NOTHING, error: errorOf('budget') };
    const answer = await models.answer({ model, prompt, temperature, maxTokens, signal });
    const { inputTokens, outputTokens, costMicros, ms } = answer;
    await took(answer);
    return {
      ...base,
      ...outgoing(answer.decision, persona),
      model: answer.model,
      tokens: { input: inputTokens, output: outputTokens },
      costMicros,
      ms,
    };
  } catch (error) {
    // A trial that fails must not take the other trials' results with it.
    const failure = error instanceof ModelError ? error : new ModelError('internal');
    if (failure.use) await took(failure.use);
    else await database.statement((tx) => returnReservation(tx, reservation.id));
    return { ...base, ...NOTHING, error: errorOf(failure.code) };
  }
}

const NOTHING = {
  decision: null,
  handoffReason: null,
  reply: null,
  parts: [],
  notes: [],
  model: null,
  tokens: { input: null, output: null },
  costMicros: null,
  ms: null,
};

function errorOf(code: string): { code: string; message: string } {
  return { code, message: rehearsalErrorText(code) };
}

/** Returns what a turn would send for the decision, after the reply rules and in parts. */
function outgoing(
  decision: TurnDecision,
  persona: Persona,
): Pick<RehearsalResult, 'decision' | 'handoffReason' | 'reply' | 'parts' | 'notes'> {
  const said = decision.outcome === 'silence' ? null : decision.text;
  const { text, notes } = said === null ? { text: '', notes: [] } : applyReplyRules(said, persona);
  return {
    decision: decision.outcome,
    handoffReason: decision.outcome === 'handoff' ? decision.reason : null,
    reply: text === '' ? null : text,
    parts: text === '' ? [] : persona.splitReplies ? splitReply(text) : [text],
    notes,
  };
}
