// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The prompt of a conversation, and what it consists of. */
export interface InboxContext {
  /** For a model that takes one text: who the agent is and how it answers, then the facts and the conversation as quoted data. */
  systemPrompt: string;
  /** Only the first part of it, for a model that takes roles: what only the tenant and the engine say. */
  instructions: string;
  /** The rest of it, for such a model. */
  promptMessages: {
    /** The speaker: `user` is the contact, `assistant` is the account. */
    role: 'user' | 'assistant';
    /** The text. */
    content: string;
  }[];
  /** The facts in the prompt: those about the tenant (`contactId` null), then those about the contact. */
  memories: {
    /** The id of a memory. */
    id: string;
    /** The contact that it is about. Null for a fact about the tenant. */
    contactId: string | null;
    /** The fact, on one line. */
    fact: string;
    /** The kind of fact. */
    category: string;
    /** The source. */
    source: string;
    /** How certain it is, from 0 to 1. Null if not known. */
    confidence: number | null;
  }[];
  /** The messages in the prompt, oldest first. Files are named, not fetched. */
  messages: {
    /** The id of a message. */
    messageId: string;
    /** `in` if the contact wrote it, `out` if our side did. */
    direction: 'in' | 'out';
    /** The kind of message, such as `text` or `image`. */
    kind: string;
    /** The text of the message. */
    body: string;
    /** When the message was written, in Unix seconds. */
    timestamp: number;
    /** Its file, by name. Null if it has none. */
    media: {
      /** The media type of the file. */
      mimeType: string | null;
      /** The name of the file. */
      fileName: string | null;
    } | null;
  }[];
  /** The contact of the conversation. Null for groups. */
  contactId: string | null;
  /** The id of a conversation. */
  conversationId: string;
}
