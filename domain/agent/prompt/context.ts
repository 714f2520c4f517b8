import type { Direction } from '../../conversation.ts';

export interface ContextMedia {
  mimeType: string | null;
  fileName: string | null;
  /** The length of a voice message; null when the network does not tell it. */
  seconds: number | null;
  /** The file's address at the backend; null when the backend could not get the file. */
  url: string | null;
  /** The file's key in the engine's own store; null when the file is not there. */
  storedKey: string | null;
  /** The file's bytes, which `loadModelMedia` adds when the model takes such files. */
  bytes?: Uint8Array;
}

export interface ContextMessage {
  id: string;
  direction: Direction;
  kind: string;
  body: string;
  at: Date;
  media: ContextMedia | null;
  /** Content beside words and file, in words: a place or contact cards. */
  holds?: string | null;
}

export interface ContextMemory {
  id: string;
  fact: string;
  category: string;
  source: string;
  confidence: number | null;
}

/** Everything that a prompt may know, which is about one contact of one conversation only. */
export interface PromptContext {
  /** The messages are in the order of time, the oldest first. */
  messages: readonly ContextMessage[];
  memories: readonly ContextMemory[];
  tenantFacts: readonly ContextMemory[];
  contactName: string | null;
  now: Date;
  timeZone: string;
  /** The time that the contact has waited for the answer, if it is late. */
  lateByMs?: number | undefined;
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
  /** The memories that the prompt shows to the model. */
  memoryIds: string[];
  tenantFactIds: string[];
  messageIds: string[];
}
