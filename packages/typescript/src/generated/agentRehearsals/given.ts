// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WorkingHours } from '../shared/given.ts';

/** A conversation, and the personas to rehearse on it. */
export interface Rehearse {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** An existing conversation, as it is now. */
  conversationId?: string | undefined;
  /** Or an invented conversation, oldest message first. */
  messages?:
    | {
        /** The person who says it. */
        from: 'contact' | 'agent';
        /** The text, 1 to 4,000 characters. */
        text: string;
      }[]
    | undefined;
  /** Facts about the contact for this rehearsal, in addition to the existing ones. */
  contactMemories?: string[] | undefined;
  /** The persona to rehearse. If omitted, the tenant's own. */
  persona?: PersonaTried | undefined;
  /** A second persona to rehearse next to it. */
  compareWith?: PersonaTried | undefined;
  /** How many times each persona is asked. Defaults to `1`. */
  repeat?: number | undefined;
  /** Whether each result shows what its model was sent. Defaults to `false`. */
  includePrompt?: boolean | undefined;
}

/** Omitted fields are those of the tenant's persona. Budgets are always the tenant's. */
export interface PersonaTried {
  /** The name that the agent uses for itself, in 1 to 100 characters. */
  agentName?: string | undefined;
  /** The id of the model that answers first, one that the operator has configured (`LLM_MODELS`). */
  modelChoice?: string | undefined;
  /** The agent's role and knowledge, up to 20,000 characters. It must leave space for the conversation. */
  systemPrompt?: string | undefined;
  /** Sent before a person gets the conversation because no model answered or a budget is used up. If empty, nothing is sent. */
  fallbackMessage?: string | undefined;
  /** The action if no model answers. `handoff`: `fallbackMessage` is sent, but not twice in a row, and a person gets the conversation (`conversation.assigned` with the cause `model_failed`). */
  onModelFailure?: 'handoff' | 'retry' | undefined;
  /** With `onModelFailure: retry`: how long after the first unanswered message arrived a model's answer may still be sent. */
  retryForMinutes?: number | undefined;
  /** How freely the model chooses its words: 0 the most likely, 2 the freest. */
  temperature?: number | undefined;
  /** The longest answer of the model, in tokens, 1 to 8,192. */
  maxTokens?: number | undefined;
  /** Whether the persona is used. If not, the agent says nothing. */
  active?: boolean | undefined;
  /** The maximum age in minutes, 0 to 1,440, of a recovered message that the agent answers. 0 means it answers none. */
  answerRecoveredWithinMinutes?: number | undefined;
  /** Minutes from 1 to 1,440. The agent still answers a message so long after its arrival if the engine itself causes the delay; `maxWaitMs` is added. */
  answerWithinMinutes?: number | undefined;
  /** How many milliseconds the contact must be still before the agent answers. Each message and each typing restarts the count. */
  quietPeriodMs?: number | undefined;
  /** The longest time that the agent waits for this, in milliseconds. */
  maxWaitMs?: number | undefined;
  /** When the agent answers, in the tenant's time zone. Null means always. */
  workingHours?: WorkingHours[] | null | undefined;
  /** Sent once per contact and closed period instead of silence. If empty, nothing is sent. */
  outOfHoursMessage?: string | undefined;
  /** The languages that the agent may answer in; the first one is used if the contact writes another language. If empty, any language. */
  languages?: string[] | undefined;
  /** Hosts that links in a reply may point to, including their subdomains. Other links are removed. */
  allowedLinks?: string[] | undefined;
  /** A longer reply is cut at the end of a sentence. */
  maxReplyCharacters?: number | undefined;
  /** Whether long replies are sent as several messages, as people write. */
  splitReplies?: boolean | undefined;
  /** After how many hours without human activity the agent gets back a conversation that a person took over. 0 means never. */
  autoReturnHours?: number | undefined;
  /** Replies to one contact in an hour; above this number, a person gets the conversation. 0 means no limit. */
  maxRepliesPerContactPerHour?: number | undefined;
  /** Tokens for one contact in a day. From four fifths of it on, the fallback model answers that contact, as with `maxTokensPerDay`. 0 means no limit. */
  maxTokensPerContactPerDay?: number | undefined;
  /** The tenant's tokens a day. From four fifths, the fallback model answers; when all are used, a person takes over. */
  maxTokensPerDay?: number | undefined;
  /** Whether the agent proposes facts about the contact after its turns. */
  extractMemories?: boolean | undefined;
}

export interface AgentRehearsalsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
