import type * as workflows from '../../workflows/index.ts';

/**
 * The Updates of each type of workflow, or why people need none. A type that is not here does not compile; what an
 * execution of a type declares is held to this, and the walk performs each.
 */
export const UPDATES_OF: Readonly<Record<keyof typeof workflows, readonly string[] | { none: string }>> = {
  deliverMessage: ['cancel', 'resolve'],
  deliverSlice: { none: 'it ends within seconds, and each of its messages is cancelled through the API' },
  actOnMessage: { none: 'what is to be done to a message is asked for through the API, and the later request counts' },
  fetchMedia: {
    none: 'it gives up by itself after a day; whoever asks for the address of the file has it fetched anew',
  },
  superviseSession: ['restart', 'stop', 'relogin', 'move'],
  deliverWebhooks: ['pause', 'resume', 'retryNow', 'replaySince'],
  aiConversation: ['takeOver', 'release'],
  syncHistory: ['deepen', 'stop'],
  syncContacts: { none: 'it ends within a day, and whoever reads the list has it read anew' },
  learnPhones: { none: 'it asks at most once a minute and ends after a week' },
  rehearse: { none: 'it ends within minutes, and nothing of it is sent' },
  eraseContact: { none: 'an erasure that was accepted is not taken back' },
  exportTenant: { none: 'it is taken back through the API' },
  runAutomation: ['cancel', 'skipWait', 'handOver'],
  reconcile: { none: 'its schedule is paused and triggered by Temporal’s own means' },
};

/** Every Update as its type and its name. */
export const ALL_UPDATES: readonly string[] = Object.entries(UPDATES_OF).flatMap(([type, updates]) =>
  'none' in updates ? [] : updates.map((name) => `${type} ${name}`),
);

/** Reads the input of an Update from the current details of an execution, as a person who copies it does. */
export function pastedInput(details: string, update: string): Record<string, unknown> | undefined {
  const [, json] = new RegExp(`\`${update}\`[^{}]*\`(\\{[^}]*\\})\``).exec(details) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
}
