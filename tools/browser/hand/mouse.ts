import type { Page } from 'playwright-core';
import type { Hand } from './hand.ts';

export function mouse(page: Page): Hand {
  return {
    name: 'mouse',
    page,
    reach: (what) => what.focus(),
    press: (what) => what.click(),
    write: (field, text) => field.fill(text),
    choose: async (list, words) => {
      await list.selectOption({ label: words });
    },
    open: (title) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title }).click(),
  };
}
