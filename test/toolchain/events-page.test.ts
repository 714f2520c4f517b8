import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { EVENTS_PAGE, eventsPage } from '../../tools/events-page/main.ts';
import { EVENT_TYPES } from '../../domain/webhooks/event.ts';

it('docs/reference/events.md is what npm run events-page writes', async () => {
  expect(readFileSync(EVENTS_PAGE, 'utf8')).toBe(await eventsPage());
});

it('has a section for each event, with its fields', async () => {
  const sections = (await eventsPage()).split(/^## /m).slice(1);
  expect(sections.map((section) => section.split('\n', 1)[0])).toEqual([...EVENT_TYPES]);
  expect(sections.filter((section) => !/^- `\w+`: \S/m.test(section))).toEqual([]);
});
