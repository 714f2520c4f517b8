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
];
