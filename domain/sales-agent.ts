import { z } from 'zod';
import { ConversationMode } from './conversation.ts';
import { ExternalId } from './scope.ts';

const tenantFields = { agencyId: ExternalId.optional(), tenantId: ExternalId.optional() };

export const ReadAgent = z.object(tenantFields).meta({ id: 'ReadAgent' });

export const AgentState = z.object({ enabled: z.boolean(), mode: ConversationMode }).meta({ id: 'AgentState' });
export type AgentState = z.infer<typeof AgentState>;

export const UpdateAgentState = z
  .object({ ...tenantFields, enabled: z.boolean().optional(), mode: ConversationMode.optional() })
  .refine(({ enabled, mode }) => enabled !== undefined || mode !== undefined, 'must name enabled or mode')
  .meta({ id: 'UpdateAgentState' });

const personaFields = {
  agentName: z.string().min(1).max(100),
  modelChoice: z.string().min(1).max(100),
  systemPrompt: z.string().max(20_000),
  fallbackMessage: z.string().max(4_000),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).max(8_192),
  active: z.boolean(),
  quietPeriodMs: z.int().min(0).max(60_000),
  maxWaitMs: z.int().min(0).max(120_000),
};

export const Persona = z.object(personaFields).meta({ id: 'Persona' });
export type Persona = z.infer<typeof Persona>;

export const UpdatePersona = z
  .object({ ...tenantFields, ...z.object(personaFields).partial().shape })
  .meta({ id: 'UpdatePersona' });

export const PersonaView = z.object({ agencyId: z.string(), tenantId: z.string(), ...personaFields }).meta({
  id: 'PersonaView',
});

/** What a tenant's agent is before anybody has set it up. `modelChoice` is the first configured model. */
export function defaultPersona(modelChoice: string): Persona {
  return {
    agentName: 'Assistant',
    modelChoice,
    systemPrompt: 'You are a friendly and honest sales assistant. Answer briefly and ask when something is unclear.',
    fallbackMessage: 'Thank you for your message. A colleague will get back to you shortly.',
    temperature: 0.7,
    maxTokens: 500,
    active: true,
    quietPeriodMs: 3_000,
    maxWaitMs: 12_000,
  };
}

/** How a turn ended; a turn that stays silent says why. */
export const TURN_OUTCOMES = ['running', 'reply', 'fallback', 'silence'] as const;

export const SILENCE_CODES = [
  'paused',
  'human',
  'newer_message',
  'stale',
  'model_failed',
  'nothing_to_answer',
  'group',
] as const;
export type SilenceCode = (typeof SILENCE_CODES)[number];
