// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A fact about a contact, or about the tenant. */
export interface Memory {
  /** The id of a memory. */
  id: string;
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant that knows it. */
  tenantId: string;
  /** Whom it is about. Null for a fact about the tenant. */
  contactId: string | null;
  /** The fact, in one line. */
  fact: string;
  /** What sort of fact it is. */
  category: string;
  /** Where it comes from, such as `manual` or `ai_extracted`. */
  source: string;
  /** The message that says so. Null where none is named. */
  evidenceMessageId: string | null;
  /** How sure it is, from 0 to 1. Null where that is not known. */
  confidence: number | null;
  /** Until when it is told to the agent. Null for always. */
  expiresAt: string | null;
  /** The memory that has replaced it. Null while it holds. */
  supersededBy: string | null;
  /** When it was noted. */
  createdAt: string;
}

export interface MemoriesListAnswer {
  /** The facts of this page. */
  memories: Memory[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
