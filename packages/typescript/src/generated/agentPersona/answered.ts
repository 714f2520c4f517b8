// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WorkingHours } from '../shared/given.ts';

/** The tenant's persona, defaults included. */
export interface PersonaView {
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant whose agent it is. */
  tenantId: string;
  /** The name that the agent uses for itself, in 1 to 100 characters. */
  agentName: string;
  /** The id of the model that answers first, one that the operator has configured (`LLM_MODELS`). */
  modelChoice: string;
  /** The agent's role and knowledge, up to 20,000 characters. It must leave space for the conversation. */
  systemPrompt: string;
  /** Sent before a person gets the conversation because no model answered or a budget is used up. If empty, nothing is sent. */
  fallbackMessage: string;
  /** The action if no model answers. `handoff`: `fallbackMessage` is sent, but not twice in a row, and a person gets the conversation (`conversation.assigned` with the cause `model_failed`). */
  onModelFailure: 'handoff' | 'retry';
  /** With `onModelFailure: retry`: how long after the first unanswered message arrived a model's answer may still be sent. */
  retryForMinutes: number;
  /** How freely the model chooses its words: 0 the most likely, 2 the freest. */
  temperature: number;
  /** The longest answer of the model, in tokens, 1 to 8,192. */
  maxTokens: number;
  /** Whether the persona is used. If not, the agent says nothing. */
  active: boolean;
  /** The maximum age in minutes, 0 to 1,440, of a recovered message that the agent answers. 0 means it answers none. */
  answerRecoveredWithinMinutes: number;
  /** Minutes from 1 to 1,440. The agent still answers a message so long after its arrival if the engine itself causes the delay; `maxWaitMs` is added. */
  answerWithinMinutes: number;
  /** How many milliseconds the contact must be still before the agent answers. Each message and each typing restarts the count. */
  quietPeriodMs: number;
  /** The longest time that the agent waits for this, in milliseconds. */
  maxWaitMs: number;
  /** When the agent answers, in the tenant's time zone. Null means always. */
  workingHours: WorkingHours[] | null;
  /** Sent once per contact and closed period instead of silence. If empty, nothing is sent. */
  outOfHoursMessage: string;
  /** The languages that the agent may answer in; the first one is used if the contact writes another language. If empty, any language. */
  languages: string[];
  /** Hosts that links in a reply may point to, including their subdomains. Other links are removed. */
  allowedLinks: string[];
  /** A longer reply is cut at the end of a sentence. */
  maxReplyCharacters: number;
  /** Whether long replies are sent as several messages, as people write. */
  splitReplies: boolean;
  /** After how many hours without human activity the agent gets back a conversation that a person took over. 0 means never. */
  autoReturnHours: number;
  /** Replies to one contact in an hour; above this number, a person gets the conversation. 0 means no limit. */
  maxRepliesPerContactPerHour: number;
  /** Tokens for one contact in a day. From four fifths of it on, the fallback model answers that contact, as with `maxTokensPerDay`. 0 means no limit. */
  maxTokensPerContactPerDay: number;
  /** The tenant's tokens a day. From four fifths, the fallback model answers; when all are used, a person takes over. */
  maxTokensPerDay: number;
  /** Whether the agent proposes facts about the contact after its turns. */
  extractMemories: boolean;
}

/** The persona, and what the agent may still send. */
export interface PersonaChanged {
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant whose agent it is. */
  tenantId: string;
  /** The name that the agent uses for itself, in 1 to 100 characters. */
  agentName: string;
  /** The id of the model that answers first, one that the operator has configured (`LLM_MODELS`). */
  modelChoice: string;
  /** The agent's role and knowledge, up to 20,000 characters. It must leave space for the conversation. */
  systemPrompt: string;
  /** Sent before a person gets the conversation because no model answered or a budget is used up. If empty, nothing is sent. */
  fallbackMessage: string;
  /** The action if no model answers. `handoff`: `fallbackMessage` is sent, but not twice in a row, and a person gets the conversation (`conversation.assigned` with the cause `model_failed`). */
  onModelFailure: 'handoff' | 'retry';
  /** With `onModelFailure: retry`: how long after the first unanswered message arrived a model's answer may still be sent. */
  retryForMinutes: number;
  /** How freely the model chooses its words: 0 the most likely, 2 the freest. */
  temperature: number;
  /** The longest answer of the model, in tokens, 1 to 8,192. */
  maxTokens: number;
  /** Whether the persona is used. If not, the agent says nothing. */
  active: boolean;
  /** The maximum age in minutes, 0 to 1,440, of a recovered message that the agent answers. 0 means it answers none. */
  answerRecoveredWithinMinutes: number;
  /** Minutes from 1 to 1,440. The agent still answers a message so long after its arrival if the engine itself causes the delay; `maxWaitMs` is added. */
  answerWithinMinutes: number;
  /** How many milliseconds the contact must be still before the agent answers. Each message and each typing restarts the count. */
  quietPeriodMs: number;
  /** The longest time that the agent waits for this, in milliseconds. */
  maxWaitMs: number;
  /** When the agent answers, in the tenant's time zone. Null means always. */
  workingHours: WorkingHours[] | null;
  /** Sent once per contact and closed period instead of silence. If empty, nothing is sent. */
  outOfHoursMessage: string;
  /** The languages that the agent may answer in; the first one is used if the contact writes another language. If empty, any language. */
  languages: string[];
  /** Hosts that links in a reply may point to, including their subdomains. Other links are removed. */
  allowedLinks: string[];
  /** A longer reply is cut at the end of a sentence. */
  maxReplyCharacters: number;
  /** Whether long replies are sent as several messages, as people write. */
  splitReplies: boolean;
  /** After how many hours without human activity the agent gets back a conversation that a person took over. 0 means never. */
  autoReturnHours: number;
  /** Replies to one contact in an hour; above this number, a person gets the conversation. 0 means no limit. */
  maxRepliesPerContactPerHour: number;
  /** Tokens for one contact in a day. From four fifths of it on, the fallback model answers that contact, as with `maxTokensPerDay`. 0 means no limit. */
  maxTokensPerContactPerDay: number;
  /** The tenant's tokens a day. From four fifths, the fallback model answers; when all are used, a person takes over. */
  maxTokensPerDay: number;
  /** Whether the agent proposes facts about the contact after its turns. */
  extractMemories: boolean;
  /** AI messages that were claimed before this request and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** The status: `sending`, or a later one. */
    status:
      | 'scheduled'
      | 'queued'
      | 'sending'
      | 'sent'
      | 'delivered'
      | 'read'
      | 'played'
      | 'failed'
      | 'uncertain'
      | 'cancelled';
  }[];
}
