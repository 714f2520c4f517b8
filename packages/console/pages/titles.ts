/** The titles of the pages, apart from their code: a page names others without loading them. */
export const TITLES = {
  inbox: 'Inbox',
  connect: 'Connect',
  message: 'Message',
  events: 'Events',
  agent: 'Agent',
  automations: 'Automations',
  operations: 'Operations',
} as const;
