import type { Locator, Page } from 'playwright-core';

/** A person's way to use a page. The same story runs with each. */
export interface Hand {
  readonly name: 'mouse' | 'keyboard';
  readonly page: Page;
  /** Brings the focus to it. */
  readonly reach: (what: Locator) => Promise<void>;
  /** A button, a link, what opens a part. */
  readonly press: (what: Locator) => Promise<void>;
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** One of a list, by its words. */
  readonly choose: (list: Locator, words: string) => Promise<void>;
  /** The page of that name in the menu. */
  readonly open: (title: string) => Promise<void>;
}
