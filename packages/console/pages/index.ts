import type { Page } from '../shell/page.ts';
import { TITLES } from './titles.ts';

/** The pages, in the order of the menu. The first is where somebody begins who asks for none. */
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
    load: () => import('./connect/page.tsx'),
  },
  {
    name: 'message',
    path: '/message/:messageId?',
    title: TITLES.message,
    key: 'm',
    load: () => import('./message/page.tsx'),
  },
  {
    name: 'events',
    path: '/events/:tab?/:id?',
    title: TITLES.events,
    key: 'e',
    load: () => import('./events/page.tsx'),
  },
  { name: 'agent', path: '/agent/:tab?', title: TITLES.agent, key: 'a', load: () => import('./agent/page.tsx') },
  {
    name: 'automations',
    path: '/automations/:tab?/:id?',
    title: TITLES.automations,
    key: 'u',
    load: () => import('./automations/page.tsx'),
  },
  {
    name: 'workflows',
    path: '/workflows/:id?',
    title: TITLES.workflows,
    key: 'w',
    load: () => import('./workflows/page.tsx'),
    // Definitions belong to the agency, so the key of a session cannot read them.
    only: ({ kind }) => kind === 'master' || kind === 'dashboard',
  },
  {
    name: 'operations',
    path: '/operations/:tab?',
    title: TITLES.operations,
    key: 'o',
    load: () => import('./operations/page.tsx'),
    only: ({ kind }) => kind !== 'link',
  },
];
