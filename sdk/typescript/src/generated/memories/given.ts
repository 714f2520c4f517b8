// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A fact, whom it is about, and where it comes from. */
export interface CreateMemory {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** At most 300 characters. Line breaks become spaces; characters that cannot be seen are removed. */
  fact: string;
  /** Any slug, stored in lower case. Usual: `context`, `need`, `preference`, `budget`, `objection`, `agreement`, `personal`, `company`. */
  category: string;
  /** Any slug, stored in lower case. Usual: `ai_extracted`, `manual`, `import`, `crm`. What the engine's own agent extracts is `ai_extracted`. */
  source: string;
  /** A contactId, phone number or chat id; without one it is a fact of the tenant, part of every context. */
  contactId?: string | undefined;
  /** The message that says so. The memory goes with it. */
  evidenceMessageId?: string | undefined;
  /** How sure it is, from 0 to 1; not known when left out. */
  confidence?: number | undefined;
  /** From then on the fact is neither listed nor told to the agent. */
  expiresAt?: string | undefined;
  /** A memory of the same contact that is no longer so: it is kept, and no longer told to the agent. */
  supersedes?: string | undefined;
}

export interface MemoriesListQuery {
  /** A contactId, phone number or chat id; without one the facts of the tenant are listed. */
  contactId?: string | undefined;
  /** Only facts of this category. */
  category?: string | undefined;
  /** Also those that a later one has replaced. */
  includeSuperseded?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface MemoriesDeleteQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
