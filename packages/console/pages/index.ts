import type { Page } from '../shell/page.ts';
import { withWords } from '../parts/words/t.ts';
import { TITLES } from './titles.ts';

/** The pages, in the order of the menu. The first opens if the address names none; its words come with the console. */
export const PAGES: readonly Page[] = [
  {
    name: 'inbox',
    path: '/inbox/:conversationId?',
    title: TITLES.inbox,
    key: 'i',
    load: () => import('./inbox/page.tsx'),
  },
  {
    name: 'connect',
    path: '/connect/:sessionId?',
    title: TITLES.connect,
    key: 'c',
    load: withWords(() => import('./connect/page.tsx')),
  },
  {
    name: 'message',
    path: '/message/:messageId?',
    title: TITLES.message,
    key: 'm',
    load: withWords(() => import('./message/page.tsx')),
  },
  {
    name: 'events',
    path: '/events/:tab?/:id?',
    title: TITLES.events,
    key: 'e',
    load: withWords(() => import('./events/page.tsx')),
  },
  {
    name: 'agent',
    path: '/agent/:tab?',
    title: TITLES.agent,
    key: 'a',
    load: withWords(() => import('./agent/page.tsx')),
  },
  {
    name: 'automations',
    path: '/automations/:tab?/:id?',
    title: TITLES.automations,
    key: 'u',
    load: withWords(() => import('./automations/page.tsx')),
  },
  {
    name: 'workflows',
    path: '/workflows/:id?',
    title: TITLES.workflows,
    key: 'w',
    load: withWords(() => import('./workflows/page.tsx')),
    // Definitions belong to the agency, so the key of a session cannot read them.
    only: ({ kind }) => kind === 'master' || kind === 'dashboard',
  },
  {
    name: 'operations',
    path: '/operations/:tab?',
    title: TITLES.operations,
    key: 'o',
    load: withWords(() => import('./operations/page.tsx')),
    only: ({ kind }) => kind !== 'link',
  },
];
