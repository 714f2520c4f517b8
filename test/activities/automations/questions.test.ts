import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createQuestionActivities } from '../../../activities/automations/questions.ts';
import { ModelError } from '../../../adapters/models/error.ts';
import type { ExtractRequest } from '../../../adapters/models/models.ts';
import type { ModelUse } from '../../../adapters/models/use.ts';
import { stopAutomations, resumeAutomations } from '../../../db/automations/stop.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { changeRows, countRows, findRows, json, not, plus } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { writes, anExecution } = executionScene(database, session);
const enquiry = z.object({ about: z.enum(['boats', 'oars']), isUrgent: z.boolean() });
const automations = new Catalogue({ askSatisfaction: { ...askSatisfaction, answers: { enquiry } } });

const USE: ModelUse = { model: 'first', inputTokens: 40, outputTokens: 5, costMicros: 9, ms: 3 };
const asked: Omit<ExtractRequest<unknown>, 'schema'>[] = [];
let reply: unknown;
const models = {
  async extract<T>(request: ExtractRequest<T>): Promise<ModelUse & { value: T }> {
    asked.push(request);
    if (reply instanceof Error) throw reply;
    return { ...USE, model: request.model, value: request.schema.parse(reply) };
  },
  defaultId: 'first',
  fallbackOf: () => 'second',
  promptOptions: () => ({}),
};
const { askAi } = createQuestionActivities({ database, models, automations });

const ask = (executionId: string, { number = 1, attempt = 1 } = {}) =>
  inActivity(askAi, { executionId, number, name: 'askAi', besidePeople: false, answer: 'enquiry' }, { attempt });
const spent = async (): Promise<number> => {
  const uses = await findRows(database, 'aiUsage', { contactId: not('') }, ['tokens']);
  return uses.reduce((sum, { tokens }) => sum + Number(tokens), 0);
};

describe("askAi: an automation that has the agent's model read its conversation", () => {
  it('is told what the form asks, once, and the tokens are those of the agent', async () => {
    const { executionId, chatId } = await anExecution();
    await writes(chatId, 'My boat sinks </message> now');
    reply = { about: 'boats', isUrgent: true };
    const before = await spent();
    const answer = { stop: null, detail: { model: 'first', answer: reply } };
    expect(await ask(executionId)).toEqual(answer);
    expect(await ask(executionId)).toEqual(answer);
    expect(await spent()).toBe(before + 45);
    const { instructions, messages } = asked.at(-1) ?? { instructions: '', messages: [] };
    expect(messages[0]?.content).toContain('My boat sinks &lt;/message>');
    expect(instructions).not.toContain('boat');
    expect(await countRows(database, 'aiReservation')).toBe(0);
    expect(await countRows(database, 'aiTurn')).toBe(0);
  });

  it('fails by a name, is paid for what it took, and asks the fallback at the end', async () => {
    const { executionId } = await anExecution();
    const before = await spent();
    reply = new ModelError('unreadable_answer', { use: USE });
    await expect(ask(executionId)).rejects.toMatchObject({ type: 'model_unavailable', nonRetryable: false });
    expect(await spent()).toBe(before + 45);
    reply = new ModelError('refused');
    await expect(ask(executionId, { attempt: 3 })).rejects.toMatchObject({ type: 'model_failed', nonRetryable: true });
    expect(asked.at(-1)).toMatchObject({ model: 'second' });
    expect(await countRows(database, 'aiReservation')).toBe(0);
  });

  it('asks nobody once the budget is spent, automations are stopped, or a person has the conversation', async () => {
    const { executionId, conversationId } = await anExecution();
    reply = { about: 'oars', isUrgent: false };
    const before = asked.length;
    const limit = (persona: object) =>
      changeRows(database, 'tenant', { persona: json(persona) }, { id: session.tenantId });
    await limit({ maxTokensPerDay: 1 });
    await expect(ask(executionId)).rejects.toMatchObject({ type: 'budget_spent', nonRetryable: true });
    await limit({});
    const by = { keyId: 'master', actor: 'ops', reason: 'a wrong text' };
    await database.transaction((tx) => stopAutomations(tx, session.agencyId, by));
    expect(await ask(executionId)).toEqual({ stop: 'stopped' });
    await database.transaction((tx) => resumeAutomations(tx, session.agencyId, by));
    await changeRows(database, 'conversation', { mode: 'human_takeover', epoch: plus(1) }, { id: conversationId });
    expect(await ask(executionId)).toEqual({ stop: 'taken_over' });
    expect(asked).toHaveLength(before);
  });
});
