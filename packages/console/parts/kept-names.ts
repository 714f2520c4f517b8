/** The names of kept drafts begin with it, so that a logout finds them all. */
export const DRAFT_PREFIX = 'engine-console-draft ';
