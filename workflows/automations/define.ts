import type { z } from 'zod';
import { definitionOf } from '../../domain/automations/definition.ts';
import type { Definition, Texts } from '../../domain/automations/definition.ts';
import type { Trigger } from '../../domain/automations/trigger.ts';
import type { Context } from './context.ts';

/** An automation: what the API shows of it, and its code. */
export interface Automation extends Definition {
  /** True when it says what it has to say although a person has the conversation. */
  besidePeople: boolean;
  run(context: Context, params: unknown): Promise<void>;
}

/**
 * Defines an automation. `params` is what a tenant sets when it switches the automation on, `texts` what it says, `on`
 * what starts it. `run` is the story: it must be deterministic, so it has no clock, chance or network but `context`.
 * Texts are named and not carried, because what people read and write never goes to Temporal.
 */
export function defineAutomation<Params extends z.ZodObject, Said extends Texts>(automation: {
  title: string;
  description: string;
  version: number;
  params: Params;
  /** What a request for a run says. A field `at` is a time, which texts show as `{date}` and `{time}`. */
  input?: z.ZodObject;
  texts: Said;
  on: (params: z.output<Params>) => Trigger;
  besidePeople?: boolean;
  run: (context: Context<keyof Said & string>, params: z.output<Params>) => Promise<void>;
}): Automation {
  const { params, run, besidePeople = false } = automation;
  return {
    ...definitionOf(automation),
    besidePeople,
    run: (context, given) => run(context, params.parse(given)),
  };
}
