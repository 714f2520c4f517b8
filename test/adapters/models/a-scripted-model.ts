import type { AnswerRequest, ExtractRequest, Models } from '../../../adapters/models/models.ts';
import { promptText } from '../../../domain/agent/prompt/prompt.ts';
import type { Prompt } from '../../../domain/agent/prompt/context.ts';
import type { TurnDecision } from '../../../domain/agent/turn-outcome.ts';

const USE = { model: 'scripted', inputTokens: 100, outputTokens: 10, costMicros: 5, ms: 1 };

/** A model that says what it is told to, and remembers every word that it was given. */
export function aScriptedModel(script: {
  decide?: (request: AnswerRequest) => TurnDecision | Promise<TurnDecision>;
  propose?: (request: { content: string }) => unknown;
}) {
  const prompts: Prompt[] = [];
  const seen: string[] = [];
  const models: Pick<Models, 'answer' | 'extract' | 'defaultId' | 'promptOptions'> = {
    defaultId: 'scripted',
    promptOptions: () => ({}),
    async answer(request) {
      prompts.push(request.prompt);
      seen.push(promptText(request.prompt));
      return { decision: (await script.decide?.(request)) ?? { outcome: 'silence' }, ...USE };
    },
    async extract<T>(request: ExtractRequest<T>) {
      const content = request.messages.map((message) => message.content).join('\n');
      seen.push(`${request.instructions}\n${content}`);
      return { value: request.schema.parse((await script.propose?.({ content })) ?? { facts: [] }), ...USE };
    },
  };
  return { models, prompts, seen };
}
