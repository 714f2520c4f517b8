// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Personas tried on a conversation, without anything being sent. */
export interface Rehearsal {
  /** The id of a rehearsal. */
  id: string;
  /** How it is. */
  status: 'running' | 'done' | 'failed';
  /** Each persona beside the other, run by run. */
  results: RehearsalResult[];
  /** Why there is no result. Missing where there is one. */
  error?: {
    /** The machine word for why; others are those of the attempts of models. */
    code: string;
    /** The reason as a sentence for people. */
    message: string;
  };
  /** When it was asked for. */
  createdAt: string;
  /** When it ended. Null while it runs. */
  endedAt: string | null;
}

/** What one persona would do in one run. */
export interface RehearsalResult {
  /** Which of the two personas of the request it is. */
  variant: 'persona' | 'compareWith';
  /** From 1 to `repeat`. */
  run: number;
  /** The persona that was tried. */
  persona: {
    /** Its `agentName`. */
    name: string;
    /** Its `modelChoice`. */
    model: string;
  };
  /** Null with `error`. */
  decision: 'reply' | 'silence' | 'handoff' | null;
  /** Why a person would get the conversation. Null where none would. */
  handoffReason: string | null;
  /** What would go out after the rules of the persona; null where nothing would. */
  reply: string | null;
  /** The messages that the reply would be sent as. */
  parts: string[];
  /** What the rules did to it. */
  notes: string[];
  /** The model that answered. */
  model: string | null;
  /** What it used of the tenant's budget. */
  tokens: {
    /** Tokens of the prompt, where the provider told. */
    input: number | null;
    /** Tokens of the answer, where the provider told. */
    output: number | null;
  };
  /** Millionths of the currency of `LLM_MODELS`. */
  costMicros: number | null;
  /** How long it took, in milliseconds. */
  ms: number | null;
  /** Why there is no result. Missing where there is one. */
  error?: {
    /** The machine word for why; others are those of the attempts of models. */
    code: string;
    /** The reason as a sentence for people. */
    message: string;
  };
  /** What the model was told. Only with `includePrompt`. */
  prompt?: string;
}
