import { t } from '../parts/words/t.ts';

/** The titles of the pages, apart from their code: a page names others without loading them. */
export const TITLES = {
  inbox: t('Inbox'),
  connect: t('Connect'),
  message: t('Message'),
  events: t('Events'),
  agent: t('Agent'),
  automations: t('Automations'),
  workflows: t('Workflows'),
  operations: t('Operations'),
} as const;
