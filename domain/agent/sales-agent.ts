import { z } from 'zod';
import { ConversationMode } from '../conversation.ts';
import { explained } from '../explained.ts';
import { Target } from '../scope.ts';

export const ReadAgent = z
  .strictObject(Target)
  .meta({ id: 'ReadAgent', description: 'The tenant whose agent to read.' });

const Enabled = z.boolean().meta({ description: 'Whether the agent is switched on for the tenant.' });

const Switches = z.object({
  enabled: Enabled,
  mode: ConversationMode.meta({
    description:
      'The side that answers in all conversations of the tenant: the agent (`bot_active`) or people ' +
      '(`human_takeover`).',
  }),
});

export const AgentState = Switches.extend({
  silence: z
    .enum(['paused', 'human'])
    .nullable()
    .meta({
      description:
        'Why the agent answers nobody now: `paused` or `human`. Null while it answers.\n\n`paused`: it is not ' +
        'enabled, or its persona is not `active`. `human`: people have all conversations.',
    }),
}).meta({ id: 'AgentState', description: "The agent's switches, which apply to all sessions of the tenant." });
export type AgentState = z.infer<typeof AgentState>;

/** The state of the agent of a new tenant, which the columns of the tenant's row begin with, too. */
export const FIRST_AGENT_STATE: AgentState = { enabled: false, mode: 'bot_active', silence: 'paused' };

export const UpdateAgentState = z
  .strictObject({ ...Target, ...Switches.partial().shape })
  .refine(({ enabled, mode }) => enabled !== undefined || mode !== undefined, 'must contain enabled or mode')
  .meta({ id: 'UpdateAgentState', description: 'At least one of the two. Omitted fields stay unchanged.' });

const timeOfDay = (what: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time like 09:00')
    .meta({ description: `${what}, as hours and minutes such as 09:00.` });

/** One opening on one day of the week; a day may have several. */
const WorkingHours = z
  .strictObject({
    day: z
      .enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
      .meta({ description: 'The day of the week.' }),
    from: timeOfDay('When it opens'),
    to: timeOfDay('When it closes, at most 24:00'),
  })
  .refine(({ from, to }) => from < to, { message: 'must be after from', path: ['to'] })
  .meta({ id: 'WorkingHours', description: 'An opening on one day of the week; a day can have several.' });
export type WorkingHours = z.infer<typeof WorkingHours>;

/** Models are retried no longer than this, because an answer that comes later surprises the contact. */
const RETRY_MOST_MINUTES = 15;

const LinkHost = z
  .string()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'must be a host name in lower case like example.com');

const personaFields = {
  agentName: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'The name that the agent uses for itself, in 1 to 100 characters.' }),
  modelChoice: z.string().min(1).max(100).meta({
    description: 'The id of the model that answers first, one that the operator has configured (`LLM_MODELS`).',
  }),
  systemPrompt: z.string().max(20_000).meta({
    description: "The agent's role and knowledge, up to 20,000 characters. It must leave space for the conversation.",
  }),
  fallbackMessage: z.string().max(4_000).meta({
    description:
      'Sent before a person gets the conversation because no model answered or a budget is used up. If empty, nothing is sent.',
  }),
  onModelFailure: z.enum(['handoff', 'retry']).meta({
    description:
      'The action if no model answers. `handoff`: `fallbackMessage` is sent, but not twice in a row, and a ' +
      'person gets the conversation (`conversation.assigned` with the cause `model_failed`).\n\n`retry`: ' +
      'nothing is sent, the models are asked again until `retryForMinutes` have passed, and then the ' +
      'conversation is handed over in the same way.',
  }),
  retryForMinutes: z.int().min(1).max(RETRY_MOST_MINUTES).meta({
    description:
      "With `onModelFailure: retry`: how long after the first unanswered message arrived a model's answer may still be sent.",
  }),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .meta({ description: 'How freely the model chooses its words: 0 the most likely, 2 the freest.' }),
  maxTokens: z.int().min(1).max(8_192).meta({ description: 'The longest answer of the model, in tokens, 1 to 8,192.' }),
  active: z.boolean().meta({ description: 'Whether the persona is used. If not, the agent says nothing.' }),
  answerRecoveredWithinMinutes: z
    .int()
    .min(0)
    .max(24 * 60)
    .meta({
      description:
        'The maximum age in minutes, 0 to 1,440, of a recovered message that the agent answers. 0 means it ' +
        'answers none.\n\nA recovered message was missed and fetched later. Any other message is answered if ' +
        'it arrives within 15 minutes.',
    }),
  answerWithinMinutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .meta({
      description:
        'Minutes from 1 to 1,440. The agent still answers a message so long after its arrival if the engine ' +
        'itself causes the delay; `maxWaitMs` is added.\n\nAfter that a person gets the conversation ' +
        '(`conversation.assigned` with the cause `agent_late`).',
    }),
  quietPeriodMs: z.int().min(0).max(60_000).meta({
    description:
      'How many milliseconds the contact must be still before the agent answers. Each message and each typing restarts the count.',
  }),
  maxWaitMs: z
    .int()
    .min(0)
    .max(120_000)
    .meta({ description: 'The longest time that the agent waits for this, in milliseconds.' }),
  /** The hours are in the tenant's time zone. */
  workingHours: z
    .array(WorkingHours)
    .max(50)
    .nullable()
    .meta({
      description:
        "When the agent answers, in the tenant's time zone. Null means always.\n\nAt other times it is silent " +
        'with the code `hours`.',
    }),
  outOfHoursMessage: z.string().max(4_000).meta({
    description: 'Sent once per contact and closed period instead of silence. If empty, nothing is sent.',
  }),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag like de or pt-BR'))
    .max(20)
    .meta({
      description:
        'The languages that the agent may answer in; the first one is used if the contact writes another language. If empty, any language.',
    }),
  allowedLinks: z.array(LinkHost).max(100).meta({
    description: 'Hosts that links in a reply may point to, including their subdomains. Other links are removed.',
  }),
  maxReplyCharacters: z
    .int()
    .min(50)
    .max(4_000)
    .meta({ description: 'A longer reply is cut at the end of a sentence.' }),
  splitReplies: z
    .boolean()
    .meta({ description: 'Whether long replies are sent as several messages, as people write.' }),
  autoReturnHours: z.number().min(0).max(720).meta({
    description:
      'After how many hours without human activity the agent gets back a conversation that a person took over. 0 means never.',
  }),
  maxRepliesPerContactPerHour: z.int().min(0).max(1_000).meta({
    description:
      'Replies to one contact in an hour; above this number, a person gets the conversation. 0 means no limit.',
  }),
  maxTokensPerContactPerDay: z.int().min(0).meta({
    description:
      'Tokens for one contact in a day. From four fifths of it on, the fallback model answers that contact, as with `maxTokensPerDay`. 0 means no limit.',
  }),
  maxTokensPerDay: z
    .int()
    .min(0)
    .meta({
      description:
        "The tenant's tokens a day. From four fifths, the fallback model answers; when all are used, a " +
        'person takes over.\n\nThe contact gets the fallback message once a day. 0 means no limit.',
    }),
  extractMemories: z
    .boolean()
    .meta({ description: 'Whether the agent proposes facts about the contact after its turns.' }),
};

export const Persona = z
  .object(personaFields)
  .meta({ id: 'Persona', description: 'How the agent speaks and when it hands over.' });
export type Persona = z.infer<typeof Persona>;

/** Tells that each field present is set, which is always so, because JSON has no undefined. */
function isSet(fields: { [Field in keyof Persona]?: Persona[Field] | undefined }): fields is Partial<Persona> {
  return Object.values(fields).every((field) => field !== undefined);
}

/** The fields of a persona that somebody has set, as they are stored. */
export const StoredPersona = Persona.partial().refine(isSet);

export const UpdatePersona = z
  .strictObject({ ...Target, ...z.object(personaFields).partial().shape })
  .meta({ id: 'UpdatePersona', description: 'Omitted fields stay unchanged.' });

export const PersonaView = z
  .object({
    agencyId: z.string().meta({ description: 'The agency of the tenant.' }),
    tenantId: z.string().meta({ description: 'The tenant whose agent it is.' }),
    ...personaFields,
  })
  .meta({ id: 'PersonaView', description: "The tenant's persona, defaults included." });

/**
 * Makes the persona that a tenant's agent has before anybody sets it up. `modelChoice` is the first configured model.
 */
export function defaultPersona(modelChoice: string): Persona {
  return {
    agentName: 'Assistant',
    modelChoice,
    systemPrompt: 'You are a friendly and honest sales assistant. Answer briefly and ask when something is unclear.',
    fallbackMessage: 'Thank you for your message. A colleague will get back to you shortly.',
    onModelFailure: 'handoff',
    retryForMinutes: 10,
    temperature: 0.7,
    maxTokens: 500,
    active: true,
    answerRecoveredWithinMinutes: 15,
    answerWithinMinutes: 60,
    quietPeriodMs: 3_000,
    maxWaitMs: 12_000,
    workingHours: null,
    outOfHoursMessage: '',
    languages: [],
    allowedLinks: [],
    maxReplyCharacters: 1_500,
    splitReplies: true,
    autoReturnHours: 0,
    maxRepliesPerContactPerHour: 30,
    maxTokensPerContactPerDay: 200_000,
    maxTokensPerDay: 2_000_000,
    extractMemories: true,
  };
}

/** The ways in which a turn ends; a turn that stays silent also has a reason. */
export const TURN_OUTCOMES = ['running', 'reply', 'fallback', 'handoff', 'silence'] as const;

export const TURN_OUTCOME_TEXTS: Readonly<Record<(typeof TURN_OUTCOMES)[number], string>> = {
  running: 'It has not ended yet.',
  reply: 'The agent answered.',
  fallback: 'The fallback message was sent without a handoff; only in records from earlier releases.',
  handoff: 'A person has the conversation; the reason is in `handoffReason`.',
  silence: 'The agent said nothing; the reason is in `silence`.',
};

/** The reasons for which the agent says nothing. Every reason has its test. */
export const SILENCE_TEXTS = {
  paused: 'The agent is switched off for the tenant, or its persona is not active.',
  human: "A person has the conversation, or people have the tenant's conversations.",
  hours: "It was outside the persona's working hours.",
  automation: 'A run of an automation waits for the answer to its own question.',
  opted_out: 'The contact wants no more messages.',
  budget: 'A budget of the persona is used up.',
  duplicate: 'The contact had sent the same long text within the two minutes before, and it was answered.',
  newer_message: 'Newer messages arrived before anything was sent: their turn also answers these.',
  group: 'Several people talk in the chat, and none of them to us alone.',
  revoked: 'Its sender revoked it before it was answered.',
  stale: 'It was too old to be answered: it arrived late, or while the agency was suspended.',
  agent_late:
    "The engine could not answer it within the persona's `answerWithinMinutes`: a person has the conversation.",
  loop: 'The other side seems to be a program that answers by itself.',
  model_failed: 'No model answered: a person has the conversation.',
  model_retry: 'No model answered: the messages stay unanswered for now, and a model is asked again at `retryAt`.',
  content_missing: 'The network has not delivered its content. If the content comes, the agent answers it.',
  nothing_said: 'Nobody said anything in it: it has no words and no file, or the network itself wrote it.',
  network_account: 'It is from the account of WhatsApp itself, which reads no answers.',
  unknown_address: 'It is from a kind of address that the engine does not know. Answer it on the phone.',
  nothing_to_answer: 'The model decided that nothing needs an answer.',
  taken_over: 'A person took the conversation over while the agent was working on the answer.',
  reply_refused: 'The rules left nothing of the reply.',
} as const;
export type SilenceCode = keyof typeof SILENCE_TEXTS;
export const SilenceCodeField = z.string().meta({
  enum: Object.keys(SILENCE_TEXTS),
  description: explained('Why the agent said nothing.', SILENCE_TEXTS),
});
