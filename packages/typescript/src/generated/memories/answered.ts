// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A fact about a contact, or about the tenant. */
export interface Memory {
  /** The id of a memory. */
  id: string;
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant that the fact belongs to. */
  tenantId: string;
  /** The contact that it is about. Null for a fact about the tenant. */
  contactId: string | null;
  /** The fact, on one line. */
  fact: string;
  /** The kind of fact. */
  category: string;
  /** The source, such as `manual` or `ai_extracted`. */
  source: string;
  /** The message that says so. Null if none is named. */
  evidenceMessageId: string | null;
  /** How certain it is, from 0 to 1. Null if not known. */
  confidence: number | null;
  /** Until when it is shown to the agent. Null means always. */
  expiresAt: string | null;
  /** The memory that replaced it. Null while it is valid. */
  supersededBy: string | null;
  /** When it was recorded. */
  createdAt: string;
}

export interface MemoriesListAnswer {
  /** The facts on this page. */
  memories: Memory[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
