import { z } from 'zod';
import { ConversationMode } from '../conversation.ts';
import { ExternalId } from '../scope.ts';

const tenantFields = { agencyId: ExternalId.optional(), tenantId: ExternalId.optional() };

export const ReadAgent = z.object(tenantFields).meta({ id: 'ReadAgent' });

export const AgentState = z.object({ enabled: z.boolean(), mode: ConversationMode }).meta({ id: 'AgentState' });
export type AgentState = z.infer<typeof AgentState>;

export const UpdateAgentState = z
  .object({ ...tenantFields, enabled: z.boolean().optional(), mode: ConversationMode.optional() })
  .refine(({ enabled, mode }) => enabled !== undefined || mode !== undefined, 'must name enabled or mode')
  .meta({ id: 'UpdateAgentState' });

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time like 09:00');

/** One opening on one day of the week; a day may have several. */
const WorkingHours = z
  .strictObject({
    day: z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']),
    from: TimeOfDay,
    to: TimeOfDay,
  })
  .refine(({ from, to }) => from < to, { message: 'must be after from', path: ['to'] })
  .meta({ id: 'WorkingHours' });
export type WorkingHours = z.infer<typeof WorkingHours>;

/** Models are retried no longer than this, because the agent does not answer older messages at all. */
const RETRY_MOST_MINUTES = 15;

const LinkHost = z
  .string()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'must be a host name in lower case like example.com');

const personaFields = {
  agentName: z.string().min(1).max(100),
  modelChoice: z.string().min(1).max(100),
  systemPrompt: z.string().max(20_000),
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
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).max(8_192),
  active: z.boolean(),
  quietPeriodMs: z.int().min(0).max(60_000).meta({
    description:
      'How long the contact must have been still before the agent answers; each message and typing begins it anew.',
  }),
  maxWaitMs: z.int().min(0).max(120_000).meta({ description: 'The longest that it waits for that.' }),
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
  maxRepliesPerContactPerHour: z.int().min(0).max(1_000).meta({ description: '0 is no limit.' }),
  maxTokensPerContactPerDay: z.int().min(0).meta({
    description:
      'From four fifths of it on the fallback model answers that contact, as with `maxTokensPerDay`. 0 is no limit.',
  }),
  maxTokensPerDay: z.int().min(0).meta({
    description:
      'Of the tenant; from four fifths of it on the fallback model answers, from all of it on a person gets each conversation, once a day with the fallback message. 0 is no limit.',
  }),
  extractMemories: z.boolean().meta({ description: 'Proposes facts about the contact after its turns.' }),
};

export const Persona = z.object(personaFields).meta({ id: 'Persona' });
export type Persona = z.infer<typeof Persona>;

/** Tells that each field present is set, which is always so, because JSON has no undefined. */
function isSet(fields: { [Field in keyof Persona]?: Persona[Field] | undefined }): fields is Partial<Persona> {
  return Object.values(fields).every((field) => field !== undefined);
}

/** The fields of a persona that somebody has set, as they are stored. */
export const StoredPersona = Persona.partial().refine(isSet);

export const UpdatePersona = z
  .object({ ...tenantFields, ...z.object(personaFields).partial().shape })
  .meta({ id: 'UpdatePersona' });

export const PersonaView = z.object({ agencyId: z.string(), tenantId: z.string(), ...personaFields }).meta({
  id: 'PersonaView',
});

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

/** The reasons for which the agent says nothing. Every reason has its test. */
export const SILENCE_TEXTS = {
  paused: 'The agent is switched off for the tenant, its persona is not active, or the dashboard is suspended.',
  human: 'A person has the conversation, or the tenant.',
  hours: "It was outside the persona's working hours.",
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
