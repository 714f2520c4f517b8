import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { CONTEXT_MESSAGES, loadContext } from '../../db/agent/context.ts';
import { recordUsage, returnReservation } from '../../db/agent/usage.ts';
import type { ExecutionStanding } from '../../db/automations/execution.ts';
import type { StepDetail } from '../../db/automations/steps.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import { mostTokens } from '../../domain/agent/budget.ts';
import { buildPrompt } from '../../domain/agent/prompt/prompt.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import { readAnswer } from '../../domain/automations/answers.ts';
import { questionOf } from '../../domain/automations/question.ts';
import { EngineError } from '../../domain/error.ts';
import { reserveTokens } from '../agent/reserve-tokens.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';
import { ModelError } from '../../adapters/models/error.ts';
import { failureOf } from '../../adapters/models/failure.ts';
import type { ModelUse } from '../../adapters/models/use.ts';
import { takeOutside } from './take-step.ts';
import type { Taken, TakenStep } from './take-step.ts';

export type QuestionActivities = ReturnType<typeof createQuestionActivities>;

interface QuestionDependencies extends Pick<ActivityDependencies, 'database' | 'automations'> {
  models: Pick<ActivityDependencies['models'], 'extract' | 'defaultId' | 'fallbackOf' | 'promptOptions'>;
}

/** An answer of a few words and numbers in JSON fits into this many tokens, also where the model thinks before it. */
const ANSWER_TOKENS = 1_000;
/** From this attempt on the fallback is asked, as for the agent's own turns. */
const FALLBACK_FROM = 3;

/** Creates the activity by which automations have the agent's model read their conversation. */
export function createQuestionActivities({ database, models, automations }: QuestionDependencies) {
  /**
   * Asks the persona's model about the execution's conversation, in one of the forms of its definition. It is paid from
   * the budgets of the agent. Safe to repeat: it changes nothing but what was spent.
   * Rows: automation_step, message, memory, ai_usage, ai_reservation.
   */
  async function askAi({ answer, ...step }: TakenStep & { answer: string }): Promise<Taken> {
    const id = `ask/${step.executionId}/${step.number}`;
    return takeOutside(database, step, (standing) => beating(() => ask(standing, { id, answer })));
  }

  async function ask(standing: ExecutionStanding, { id, answer }: { id: string; answer: string }): Promise<StepDetail> {
    const { agencyId, tenantId, sessionId, conversationId, definition } = standing;
    const form = automations.find(definition)?.answers[answer];
    if (!form) throw new Error(`The definition has no answer ${answer}.`);
    if (sessionId === null || conversationId === null) return { refused: 'no_conversation' };
    const scope = { agencyId, tenantId, sessionId, conversationId };
    const { context, tenant } = await database.read(async (queries) => ({
      context: await loadContext(queries, scope, CONTEXT_MESSAGES),
      tenant: await findTenant(queries, { agencyId, tenantId }),
    }));
    if (!context) return { refused: 'no_conversation' };
    const persona = { ...defaultPersona(models.defaultId), ...tenant?.persona };
    const { modelChoice: first } = persona;
    const fallback = models.fallbackOf(first) ?? first;
    const prompt = buildPrompt(persona, context, models.promptOptions(first, ANSWER_TOKENS));
    const { instructions, content } = questionOf(prompt);
    const spender = { agencyId, tenantId, contactId: context.contactId };
    const request = { id, tokens: mostTokens([instructions, content], ANSWER_TOKENS) };
    const signal = cancellationSignal();
    const budget = await reserveTokens(database, spender, request, persona, signal);
    if (budget === 'spent') throw new EngineError('budget_spent', "The agent's token budget for the day is used up.");
    const model = budget === 'step_down' || activityInfo().attempt >= FALLBACK_FROM ? fallback : first;

    const took = async ({ inputTokens, outputTokens, costMicros }: ModelUse): Promise<void> => {
      const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
      const usage = { replies: 0, tokens, costMicros: costMicros ?? 0 };
      await database.statement((tx) => recordUsage(tx, spender, usage, id));
    };
    const messages = [{ role: 'user' as const, content, media: [] }];
    const asked = { model, instructions, messages, schema: form, maxTokens: ANSWER_TOKENS, signal };
    const answered = await models.extract(asked).catch(async (error: unknown) => {
      if (error instanceof ModelError && error.use) await took(error.use);
      else await database.statement((tx) => returnReservation(tx, id));
      throw error instanceof ModelError ? failureOf(error) : error;
    });
    await took(answered);
    const read = readAnswer(form, answered.value, '');
    if ('wrong' in read) throw new EngineError('model_failed', 'unreadable_answer');
    return { model: answered.model, answer: read.answer };
  }

  return { askAi };
}
