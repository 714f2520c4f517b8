import { z } from 'zod';
import type { AnswerForms } from '../../domain/automations/answers.ts';
import { definitionOf } from '../../domain/automations/definition.ts';
import type { Definition, Texts } from '../../domain/automations/definition.ts';
import type { Trigger } from '../../domain/automations/trigger.ts';
import type { Context, PlainContext } from './context.ts';
import { requireValues } from './template.ts';
import type { TemplatesOf } from './template.ts';

/** An automation: what the API shows of it, and its code. */
export interface Automation extends Definition {
  /** True when it says what it has to say although a person has the conversation. */
  besidePeople: boolean;
  run(context: PlainContext, params: unknown): Promise<void>;
}

/** The context of a definition's code: it knows which of the texts are templates, and what is answered. */
type ContextOf<Said extends Texts, Answers extends AnswerForms> = Context<
  Exclude<keyof Said, keyof TemplatesOf<Said>> & string,
  Answers,
  TemplatesOf<Said>
>;

/**
 * Defines an automation. `params` is what a tenant sets when it switches the automation on, `texts` what it says, `on`
 * what starts it. `run` is the story: it must be deterministic, so it has no clock, chance or network but `context`.
 * Texts are named and not carried, because what people read and write never goes to Temporal.
 */
export function defineAutomation<
  Params extends z.ZodObject,
  const Said extends Texts,
  Answers extends AnswerForms = Record<never, never>,
>(automation: {
  title: string;
  description: string;
  version: number;
  params: Params;
  /** The input of a request for a run. A field `at` is a time, which texts show as `{date}` and `{time}`. */
  input?: z.ZodObject;
  texts: Said;
  /** The forms of what is answered to it: numbers, flags, times and words of lists, because they go to Temporal. */
  answers?: Answers;
  on: (params: z.output<Params>) => Trigger;
  besidePeople?: boolean;
  run: (context: ContextOf<Said, Answers>, params: z.output<Params>) => Promise<void>;
}): Automation {
  const { params, texts, answers, run, besidePeople = false } = automation;
  function formOf<Name extends keyof Answers>(name: Name): Answers[Name] {
    if (answers === undefined) throw new Error(`The definition has no answer ${String(name)}.`);
    return answers[name];
  }
  /** The types say it, too; code that was not checked would have its step tried for ever. */
  function requireTexts(...names: string[]): void {
    const unknown = names.find((name) => !Object.hasOwn(texts, name));
    if (unknown !== undefined) throw new Error(`The definition has no text ${unknown}.`);
  }
  /** Texts that are said as they are: a template without its values would have gaps. */
  function requirePlainTexts(...names: string[]): void {
    requireTexts(...names);
    for (const name of names) requireValues(name, texts[name], {});
  }
  return {
    ...definitionOf(automation),
    besidePeople,
    run: (context, given) =>
      run(
        {
          ...context,
          async send(text, how) {
            requirePlainTexts(text);
            return context.send(text, how);
          },
          async sendButtons(text, buttons, how) {
            requirePlainTexts(text, ...buttons);
            return context.sendButtons(text, buttons, how);
          },
          async sendTemplate(text, values, how) {
            requireTexts(text);
            requireValues(text, texts[text], values);
            return context.sendTemplate(text, values, how);
          },
          askAi: async (answer) => z.parse(formOf(answer), await context.askAi(answer)),
          askWebhook: async (endpointId, answer, data) =>
            z.parse(formOf(answer), await context.askWebhook(endpointId, answer, data)),
        },
        params.parse(given),
      ),
  };
}
