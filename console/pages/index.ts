import type { Page } from '../shell/page.ts';

/** The pages, in the order of the menu. The first is where somebody begins who asks for none. */
export const PAGES: readonly Page[] = [
  { name: 'inbox', path: '/inbox/:conversationId?', title: 'Inbox', key: 'i', load: () => import('./inbox/page.tsx') },
  {
    name: 'connect',
    path: '/connect/:sessionId?',
    title: 'Connect',
    key: 'c',
    load: () => import('./connect/page.tsx'),
  },
  {
    name: 'message',
    path: '/message/:messageId?',
    title: 'Message',
    key: 'm',
    load: () => import('./message/page.tsx'),
  },
  {
    name: 'events',
    path: '/events/:tab?/:id?',
    title: 'Events',
    key: 'e',
    load: () => import('./events/page.tsx'),
  },
  { name: 'agent', path: '/agent/:tab?', title: 'Agent', key: 'a', load: () => import('./agent/page.tsx') },
  {
    name: 'automations',
    path: '/automations/:tab?/:id?',
    title: 'Automations',
    key: 'u',
    load: () => import('./automations/page.tsx'),
  },
  {
    name: 'operations',
    path: '/operations/:tab?',
    title: 'Operations',
    key: 'o',
    load: () => import('./operations/page.tsx'),
    only: ({ kind }) => kind !== 'link',
  },
];
