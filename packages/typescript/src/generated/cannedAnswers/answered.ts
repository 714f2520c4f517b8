// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A text that people of a tenant use in their answers. */
export interface CannedAnswer {
  /** The word that inserts the text after `/`, stored in lower case. */
  shortcut: string;
  /** The text with its placeholders, as it was set. */
  text: string;
  /** When it was last set. */
  updatedAt: string;
}

export interface CannedAnswersListAnswer {
  /** The canned answers of this page, by shortcut. */
  cannedAnswers: CannedAnswer[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
