// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The prompt of a conversation, and what it is made of. */
export interface InboxContext {
  /** For a model that takes one text: who the agent is and how it answers, then what is known and what was said, as quoted data. */
  systemPrompt: string;
  /** The first part of it alone, for a model that takes roles: what only the tenant and the engine say. */
  instructions: string;
  /** The rest of it, for such a model. */
  promptMessages: {
    /** Who speaks: `user` the contact, `assistant` our side. */
    role: 'user' | 'assistant';
    /** What is said. */
    content: string;
  }[];
  /** Those that the prompt tells: facts of the tenant (`contactId` null), then those of the contact. */
  memories: {
    /** The id of a memory. */
    id: string;
    /** Whom it is about. Null for a fact about the tenant. */
    contactId: string | null;
    /** The fact, in one line. */
    fact: string;
    /** What sort of fact it is. */
    category: string;
    /** Where it comes from. */
    source: string;
    /** How sure it is, from 0 to 1. Null where that is not known. */
    confidence: number | null;
  }[];
  /** Those that the prompt shows, oldest first. Files are named, not fetched. */
  messages: {
    /** The id of a message. */
    messageId: string;
    /** `in` from the contact, `out` from our side. */
    direction: 'in' | 'out';
    /** What sort of message it is, such as `text` or `image`. */
    kind: string;
    /** Its words. */
    body: string;
    /** When it was written, in Unix seconds. */
    timestamp: number;
    /** Its file, by name. Null where it has none. */
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
