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
  /** The model that answers first: the id of one that the operator has configured (`LLM_MODELS`). */
  modelChoice: string;
  /** What the agent is to be and to know, in 20,000 characters at most. It must leave room for the conversation. */
  systemPrompt: string;
  /** Said before a person gets the conversation for want of a model or of budget; empty says nothing. */
  fallbackMessage: string;
  /** What happens when no model answers. `handoff`: `fallbackMessage` goes out, not twice in a row, and a person gets the conversation (`conversation.assigned` with the cause `model_failed`). `retry`: nothing is said, the models are asked again until `retryForMinutes` are over, and then it is handed over in the same way. */
  onModelFailure: 'handoff' | 'retry';
  /** How long after the first unanswered message was received a model's answer may still come with `onModelFailure: retry`. */
  retryForMinutes: number;
  /** How freely the model chooses its words: 0 the likeliest, 2 the freest. */
  temperature: number;
  /** The longest answer of the model, in tokens, 1 to 8,192. */
  maxTokens: number;
  /** Whether the persona is used. The agent says nothing while it is not. */
  active: boolean;
  /** How old a message may be that was missed and fetched later (`recovered`), in minutes, 0 to 1,440, for the agent to answer it; 0 answers none. Any other message is answered until it is 15 minutes old. */
  answerRecoveredWithinMinutes: number;
  /** Milliseconds that the contact must have been still before the agent answers; each message and typing begins them anew. */
  quietPeriodMs: number;
  /** The longest that it waits for that, in milliseconds. */
  maxWaitMs: number;
  /** When the agent answers, in the tenant's time zone; null is always. Outside it is silent with the code `hours`. */
  workingHours: WorkingHours[] | null;
  /** Sent once per contact and closed period instead of silence; empty sends nothing. */
  outOfHoursMessage: string;
  /** Languages that it may answer in, the first where the contact writes another; empty is any. */
  languages: string[];
  /** Hosts whose links may be in a reply, their subdomains included; others are removed. */
  allowedLinks: string[];
  /** A longer reply is cut at a sentence. */
  maxReplyCharacters: number;
  /** Long replies go out as several messages, as people write. */
  splitReplies: boolean;
  /** Hours without human activity after which a conversation that a person took over is the agent's again; 0 is never. */
  autoReturnHours: number;
  /** Replies to one contact in an hour; 0 is no limit. Above it a person gets the conversation. */
  maxRepliesPerContactPerHour: number;
  /** Tokens of one contact in a day. From four fifths of it on the fallback model answers that contact, as with `maxTokensPerDay`. 0 is no limit. */
  maxTokensPerContactPerDay: number;
  /** Tokens of the tenant in a day; from four fifths of it on the fallback model answers, from all of it on a person gets each conversation, once a day with the fallback message. 0 is no limit. */
  maxTokensPerDay: number;
  /** Proposes facts about the contact after its turns. */
  extractMemories: boolean;
}

/** The persona, and what the agent may still say. */
export interface PersonaChanged {
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant whose agent it is. */
  tenantId: string;
  /** The name that the agent uses for itself, in 1 to 100 characters. */
  agentName: string;
  /** The model that answers first: the id of one that the operator has configured (`LLM_MODELS`). */
  modelChoice: string;
  /** What the agent is to be and to know, in 20,000 characters at most. It must leave room for the conversation. */
  systemPrompt: string;
  /** Said before a person gets the conversation for want of a model or of budget; empty says nothing. */
  fallbackMessage: string;
  /** What happens when no model answers. `handoff`: `fallbackMessage` goes out, not twice in a row, and a person gets the conversation (`conversation.assigned` with the cause `model_failed`). `retry`: nothing is said, the models are asked again until `retryForMinutes` are over, and then it is handed over in the same way. */
  onModelFailure: 'handoff' | 'retry';
  /** How long after the first unanswered message was received a model's answer may still come with `onModelFailure: retry`. */
  retryForMinutes: number;
  /** How freely the model chooses its words: 0 the likeliest, 2 the freest. */
  temperature: number;
  /** The longest answer of the model, in tokens, 1 to 8,192. */
  maxTokens: number;
  /** Whether the persona is used. The agent says nothing while it is not. */
  active: boolean;
  /** How old a message may be that was missed and fetched later (`recovered`), in minutes, 0 to 1,440, for the agent to answer it; 0 answers none. Any other message is answered until it is 15 minutes old. */
  answerRecoveredWithinMinutes: number;
  /** Milliseconds that the contact must have been still before the agent answers; each message and typing begins them anew. */
  quietPeriodMs: number;
  /** The longest that it waits for that, in milliseconds. */
  maxWaitMs: number;
  /** When the agent answers, in the tenant's time zone; null is always. Outside it is silent with the code `hours`. */
  workingHours: WorkingHours[] | null;
  /** Sent once per contact and closed period instead of silence; empty sends nothing. */
  outOfHoursMessage: string;
  /** Languages that it may answer in, the first where the contact writes another; empty is any. */
  languages: string[];
  /** Hosts whose links may be in a reply, their subdomains included; others are removed. */
  allowedLinks: string[];
  /** A longer reply is cut at a sentence. */
  maxReplyCharacters: number;
  /** Long replies go out as several messages, as people write. */
  splitReplies: boolean;
  /** Hours without human activity after which a conversation that a person took over is the agent's again; 0 is never. */
  autoReturnHours: number;
  /** Replies to one contact in an hour; 0 is no limit. Above it a person gets the conversation. */
  maxRepliesPerContactPerHour: number;
  /** Tokens of one contact in a day. From four fifths of it on the fallback model answers that contact, as with `maxTokensPerDay`. 0 is no limit. */
  maxTokensPerContactPerDay: number;
  /** Tokens of the tenant in a day; from four fifths of it on the fallback model answers, from all of it on a person gets each conversation, once a day with the fallback message. 0 is no limit. */
  maxTokensPerDay: number;
  /** Proposes facts about the contact after its turns. */
  extractMemories: boolean;
  /** AI messages that were claimed before this request and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** Where it stands: `sending`, or what it has become since. */
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
