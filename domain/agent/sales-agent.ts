import { z } from 'zod';
import { ConversationMode } from '../conversation.ts';
import { explained } from '../explained.ts';
import { Target } from '../scope.ts';

export const ReadAgent = z
  .strictObject(Target)
  .meta({ id: 'ReadAgent', description: 'The tenant whose agent is read.' });

const Enabled = z.boolean().meta({ description: 'Whether the agent is switched on for the tenant.' });

const Switches = z.object({
  enabled: Enabled,
  mode: ConversationMode.meta({
    description: 'Who answers in all conversations of the tenant: `bot_active` the agent, `human_takeover` people.',
  }),
});

export const AgentState = Switches.extend({
  silence: z
    .enum(['paused', 'human'])
    .nullable()
    .meta({
      description:
        "Why it answers nobody now, in the words of a turn's silence: `paused`, because it is not enabled or its persona " +
        'is not `active`, or `human`, because people have all conversations. Null while it answers.',
    }),
}).meta({ id: 'AgentState', description: "The agent's switches, which hold for all sessions of the tenant." });
export type AgentState = z.infer<typeof AgentState>;

/** The state of the agent of a new tenant, which the columns of the tenant's row begin with, too. */
export const FIRST_AGENT_STATE: AgentState = { enabled: false, mode: 'bot_active', silence: 'paused' };

export const UpdateAgentState = z
  .strictObject({ ...Target, ...Switches.partial().shape })
  .refine(({ enabled, mode }) => enabled !== undefined || mode !== undefined, 'must name enabled or mode')
  .meta({ id: 'UpdateAgentState', description: 'At least one of the two; what is left out stays as it is.' });

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
  .meta({ id: 'WorkingHours', description: 'One opening on one day of the week; a day may have several.' });
export type WorkingHours = z.infer<typeof WorkingHours>;

/** Models are retried no longer than this, because the agent does not answer older messages at all. */
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
    description: 'The model that answers first: the id of one that the operator has configured (`LLM_MODELS`).',
  }),
  systemPrompt: z.string().max(20_000).meta({
    description:
      'What the agent is to be and to know, in 20,000 characters at most. It must leave room for the conversation.',
  }),
  fallbackMessage: z.string().max(4_000).meta({
    description: 'Said before a person gets the conversation for want of a model or of budget; empty says nothing.',
  }),
  onModelFailure: z.enum(['handoff', 'retry']).meta({
    description:
      'What happens when no model answers. `handoff`: `fallbackMessage` goes out, not twice in a row, and a person gets the ' +
      'conversation (`conversation.assigned` with the cause `model_failed`). `retry`: nothing is said, the models are asked ' +
      'again until `retryForMinutes` are over, and then it is handed over in the same way.',
  }),
  retryForMinutes: z.int().min(1).max(RETRY_MOST_MINUTES).meta({
    description:
      "How long after the first unanswered message was received a model's answer may still come with `onModelFailure: retry`.",
  }),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .meta({ description: 'How freely the model chooses its words: 0 the likeliest, 2 the freest.' }),
  maxTokens: z.int().min(1).max(8_192).meta({ description: 'The longest answer of the model, in tokens, 1 to 8,192.' }),
  active: z.boolean().meta({ description: 'Whether the persona is used. The agent says nothing while it is not.' }),
  answerRecoveredWithinMinutes: z
    .int()
    .min(0)
    .max(24 * 60)
    .meta({
      description:
        'How old a message may be that was missed and fetched later (`recovered`), in minutes, 0 to 1,440, for the agent to answer it; 0 answers none. Any other message is answered until it is 15 minutes old.',
    }),
  quietPeriodMs: z.int().min(0).max(60_000).meta({
    description:
      'Milliseconds that the contact must have been still before the agent answers; each message and typing begins them anew.',
  }),
  maxWaitMs: z.int().min(0).max(120_000).meta({ description: 'The longest that it waits for that, in milliseconds.' }),
  /** The hours are in the tenant's time zone. */
  workingHours: z.array(WorkingHours).max(50).nullable().meta({
    description:
      "When the agent answers, in the tenant's time zone; null is always. Outside it is silent with the code `hours`.",
  }),
  outOfHoursMessage: z.string().max(4_000).meta({
    description: 'Sent once per contact and closed period instead of silence; empty sends nothing.',
  }),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag like de or pt-BR'))
    .max(20)
    .meta({
      description: 'Languages that it may answer in, the first where the contact writes another; empty is any.',
    }),
  allowedLinks: z.array(LinkHost).max(100).meta({
    description: 'Hosts whose links may be in a reply, their subdomains included; others are removed.',
  }),
  maxReplyCharacters: z.int().min(50).max(4_000).meta({ description: 'A longer reply is cut at a sentence.' }),
  splitReplies: z.boolean().meta({ description: 'Long replies go out as several messages, as people write.' }),
  autoReturnHours: z.number().min(0).max(720).meta({
    description:
      "Hours without human activity after which a conversation that a person took over is the agent's again; 0 is never.",
  }),
  maxRepliesPerContactPerHour: z.int().min(0).max(1_000).meta({
    description: 'Replies to one contact in an hour; 0 is no limit. Above it a person gets the conversation.',
  }),
  maxTokensPerContactPerDay: z.int().min(0).meta({
    description:
      'Tokens of one contact in a day. From four fifths of it on the fallback model answers that contact, as with `maxTokensPerDay`. 0 is no limit.',
  }),
  maxTokensPerDay: z.int().min(0).meta({
    description:
      'Tokens of the tenant in a day; from four fifths of it on the fallback model answers, from all of it on a person gets each conversation, once a day with the fallback message. 0 is no limit.',
  }),
  extractMemories: z.boolean().meta({ description: 'Proposes facts about the contact after its turns.' }),
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
  .meta({ id: 'UpdatePersona', description: 'Fields that are left out stay as they are.' });

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
  reply: 'The agent has answered.',
  fallback: 'The fallback message without a handoff; on record from earlier releases only.',
  handoff: 'A person has the conversation, for `handoffReason`.',
  silence: 'The agent has said nothing, for the reason in `silence`.',
};

/** The reasons for which the agent says nothing. Every reason has its test. */
export const SILENCE_TEXTS = {
  paused: 'The agent is switched off for the tenant, or its persona is not active.',
  human: 'A person has the conversation, or the tenant.',
  hours: "It was outside the persona's working hours.",
  opted_out: 'The contact wants no more messages.',
  budget: 'A budget of the persona is used up.',
  duplicate: 'The contact had sent the same long text within two minutes before, and it was answered.',
  newer_message: 'Newer messages came before anything was sent: their turn answers these, too.',
  group: 'Several people talk there, and none of them to us alone.',
  revoked: 'Its sender took it back before it was answered.',
  stale: 'It is too old to be answered: it arrived late, or the agent was away.',
  loop: 'The other side seems to be a program that answers by itself.',
  model_failed: 'No model answered: a person has the conversation.',
  model_retry: 'No model answered: its messages stay owed, and a model is asked again at `retryAt`.',
  nothing_to_answer: 'The model decided that nothing needs an answer.',
  taken_over: 'A person took the conversation over while the agent was at it.',
  reply_refused: 'Nothing was left of the reply after its rules.',
} as const;
export type SilenceCode = keyof typeof SILENCE_TEXTS;
export const SilenceCodeField = z.string().meta({
  enum: Object.keys(SILENCE_TEXTS),
  description: explained('Why it said nothing.', SILENCE_TEXTS),
});
