// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The chat, by one of three names, and its labels. */
export interface SetLabels {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A conversation of the session. */
  conversationId?: string | undefined;
  /** The ids of labels of the account, 100 at most. */
  labelIds: string[];
  /** `replace`: the chat has these labels and no others. `add` and `remove`: its other labels stay as they are. Left out, it is `replace`. */
  mode?: 'replace' | 'add' | 'remove' | undefined;
}

export interface LabelsListQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
