// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The chat, named in one of three ways, and its labels. */
export interface SetLabels {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A conversation of the session. */
  conversationId?: string | undefined;
  /** The ids of labels of the account, at most 100. */
  labelIds: string[];
  /** `replace`: the chat has exactly these labels. `add` and `remove`: its other labels stay unchanged. Defaults to `replace`. */
  mode?: 'replace' | 'add' | 'remove' | undefined;
}

export interface LabelsListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
