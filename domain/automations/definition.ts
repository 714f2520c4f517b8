import { z } from 'zod';
import type { FieldError } from '../errors/entry.ts';
import { requireUnsaid } from './answers.ts';
import type { AnswerForms } from './answers.ts';
import { definitionName } from './name.ts';
import { placeholdersOf, requireFilled, textWith } from './texts.ts';
import { Trigger } from './trigger.ts';

/**
 * Holds the stored settings of a tenant, and the trigger that they give. Texts are separate, because they never go to
 * Temporal.
 */
export interface Configured {
  params: Record<string, unknown> & { texts: Record<string, string> };
  trigger: Trigger;
}

/** Describes an automation without running it. */
export interface Definition {
  title: string;
  description: string;
  /** Grows with each change that executions under way would notice. */
  version: number;
  /** The schema of what a tenant sets. */
  schema: z.ZodObject;
  /** The schema of what a request for a run says; null where it says nothing. */
  input: z.ZodObject | null;
  /** The words that go out unless a tenant writes others, by the names of the texts. */
  usual: Readonly<Record<string, string>>;
  /** The forms of what the outside answers to it, by their names. */
  answers: AnswerForms;
  /** Reads what a tenant has set, or says what is wrong with it. */
  configure(params: unknown): Configured | { wrong: FieldError[] };
  /** Reads what a request says, or says what is wrong with it. */
  readInput(input: unknown): { input: Record<string, unknown> | null } | { wrong: FieldError[] };
}

/**
 * The texts that a definition sends, each with its description and the words that go out unless a tenant writes others.
 * A text with `values` is a template: the code says what stands in for them, in braces, each time it is sent.
 */
export type Texts = Readonly<Record<string, { description: string; usual: string; values?: readonly string[] }>>;

/** Makes what the API and the database know of a definition. */
export function definitionOf<Params extends z.ZodObject>({
  params,
  input = null,
  texts,
  answers = {},
  on,
  ...rest
}: Pick<Definition, 'title' | 'description' | 'version'> & {
  params: Params;
  input?: z.ZodObject | null | undefined;
  texts: Texts;
  answers?: AnswerForms;
  on: (params: z.output<Params>) => Trigger;
}): Definition {
  requireUnsaid(answers);
  const ofInput = placeholdersOf(input);
  for (const [name, text] of Object.entries(texts)) requireFilled(name, text, ofInput);
  const usual = params.safeParse({});
  const [wrongAtFirst] = usual.success
    ? wrongOf(
        '/on',
        triggerOf(() => on(usual.data)),
      )
    : [];
  if (wrongAtFirst) throw new Error(`\`on\` must return a trigger: ${saidOf(wrongAtFirst)}.`);
  const words = z
    .strictObject(
      Object.fromEntries(
        Object.entries(texts).map(([name, { description, usual, values = [] }]) => [
          name,
          textWith([...ofInput, ...values])
            .default(usual)
            .meta({ description: describedBy(description, values) }),
        ]),
      ),
    )
    .prefault({});
  return {
    ...rest,
    usual: Object.fromEntries(Object.entries(texts).map(([name, { usual }]) => [name, usual])),
    input,
    answers,
    schema: z.strictObject({ ...params.shape, texts: words.meta({ description: 'The texts that it sends.' }) }),
    readInput(given) {
      if (input === null) {
        return given === undefined
          ? { input: null }
          : { wrong: [{ pointer: '/input', message: 'is not accepted by this automation' }] };
      }
      const read = z.strictObject(input.shape).safeParse(given ?? {});
      return read.success ? { input: read.data } : { wrong: wrongOf('/input', read) };
    },
    configure(given) {
      const { texts: said, ...set } = z.record(z.string(), z.unknown()).catch({}).parse(given);
      const read = params.safeParse(set);
      const spoken = words.safeParse(said);
      const unknown = Object.keys(set).filter((name) => !Object.hasOwn(params.shape, name));
      if (read.success && spoken.success && unknown.length === 0) {
        // Every event of the tenant reads what is kept here, so a trigger that cannot be read would hold all of them up.
        const trigger = triggerOf(() => on(read.data));
        if (trigger.success) return { params: { ...read.data, texts: spoken.data }, trigger: trigger.data };
        const [first] = wrongOf('/on', trigger);
        const message = `make a trigger that is not valid: ${first ? saidOf(first) : 'see `on` of the automation'}`;
        return { wrong: [{ pointer: '/params', message }] };
      }
      const surplus = unknown.map((name) => ({
        pointer: `/params/${name}`,
        message: 'is not a parameter of this automation',
      }));
      return { wrong: [...surplus, ...wrongOf('/params', read), ...wrongOf('/params/texts', spoken)] };
    },
  };
}

/** Reads what `on` returns. Code that throws for the parameters of one tenant must not answer that tenant with a 500. */
function triggerOf(on: () => Trigger): z.ZodSafeParseResult<Trigger> {
  let returned: unknown;
  try {
    returned = on();
  } catch {
    return Trigger.safeParse(undefined);
  }
  return Trigger.safeParse(returned);
}

/** Tells tenants which placeholders a template has besides those of every text. */
function describedBy(description: string, values: readonly string[]): string {
  if (values.length === 0) return description;
  return `${description} It can contain ${values.map((value) => `{${value}}`).join(' and ')}.`;
}

function wrongOf(at: string, { error }: { error?: z.ZodError | undefined }): FieldError[] {
  return (error?.issues ?? []).map(({ path, message }) => ({ pointer: [at, ...path].join('/'), message }));
}

const saidOf = ({ pointer, message }: FieldError): string => `${pointer} (${message})`;

/** The automations of this release, by their names. */
export class Catalogue {
  readonly #definitions: ReadonlyMap<string, Definition>;

  constructor(definitions: Readonly<Record<string, Definition>>) {
    this.#definitions = new Map(Object.entries(definitions).map(([name, each]) => [definitionName(name), each]));
  }

  list(): { name: string; definition: Definition }[] {
    return [...this.#definitions].map(([name, definition]) => ({ name, definition }));
  }

  find(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }
}
