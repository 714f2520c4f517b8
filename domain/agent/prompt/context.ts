import type { Direction } from '../../conversation.ts';

export interface ContextMedia {
  mimeType: string | null;
  fileName: string | null;
  /** The length of a voice message, where the network tells it. */
  seconds: number | null;
  /** Where the backend keeps the file; null when it could not be had. */
  url: string | null;
  /** The key in our own store, where we have the file. */
  storedKey: string | null;
  /** `loadModelMedia` puts it there, where the model takes such files. */
  bytes?: Uint8Array;
}

export interface ContextMessage {
  id: string;
  direction: Direction;
  kind: string;
  body: string;
  at: Date;
  media: ContextMedia | null;
}

export interface ContextMemory {
  id: string;
  fact: string;
  category: string;
  source: string;
  confidence: number | null;
}

/** Everything that a prompt may know, of one contact of one conversation. */
export interface PromptContext {
  /** Oldest first. */
  messages: readonly ContextMessage[];
  memories: readonly ContextMemory[];
  tenantFacts: readonly ContextMemory[];
  contactName: string | null;
  now: Date;
  timeZone: string;
}

export interface PromptOptions {
  /** Limits the whole prompt; the oldest messages are left out first. */
  maxPromptTokens?: number;
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: string;
  media: { mimeType: string; bytes: Uint8Array }[];
}

export interface Prompt {
  instructions: string;
  messages: PromptMessage[];
  /** The memories of the context that the model is shown. */
  memoryIds: string[];
  tenantFactIds: string[];
  messageIds: string[];
}
