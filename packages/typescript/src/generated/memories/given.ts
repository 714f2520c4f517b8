// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A fact, whom it is about, and where it comes from. */
export interface CreateMemory {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** At most 300 characters. Line breaks become spaces; invisible characters are removed. */
  fact: string;
  /** Any slug, stored in lower case. Usual: `context`, `need`, `preference`, `budget`, `objection`, `agreement`, `personal`, `company`. */
  category: string;
  /** Any slug, stored in lower case. Usual: `ai_extracted`, `manual`, `import`, `crm`. The engine's own agent uses `ai_extracted`. */
  source: string;
  /** A contactId, phone number or chat id. Without it, the fact is about the tenant and part of every context. */
  contactId?: string | undefined;
  /** A conversation with the contact that the fact is about, in place of `contactId`. */
  conversationId?: string | undefined;
  /** The message that says so. The memory is deleted with it. */
  evidenceMessageId?: string | undefined;
  /** How certain it is, from 0 to 1. Omit it if not known. */
  confidence?: number | undefined;
  /** From then on, the fact is neither listed nor shown to the agent. */
  expiresAt?: string | undefined;
  /** A memory of the same contact that is no longer true: it is kept, but no longer shown to the agent. */
  supersedes?: string | undefined;
}

export interface MemoriesListQuery {
  /** A contactId, phone number or chat id. Without it, the facts about the tenant are listed. */
  contactId?: string | undefined;
  /** Only facts of this category. */
  category?: string | undefined;
  /** Also list facts that a later fact replaced. */
  includeSuperseded?: string | undefined;
  /** How many to list, from 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface MemoriesDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
