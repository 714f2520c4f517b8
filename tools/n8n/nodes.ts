import { randomUUID } from 'node:crypto';

const CREDENTIAL = 'messagingEngineApi';

interface Node {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: object;
}

const node = (name: string, type: string, parameters: object, typeVersion = 1): Node => ({
  id: randomUUID(),
  name,
  type,
  typeVersion,
  position: [0, 0],
  parameters,
});

const ours = (name: string, type: string, parameters: object, credential: string) => ({
  ...node(name, `CUSTOM.${type}`, parameters),
  credentials: { [CREDENTIAL]: { id: credential, name: CREDENTIAL } },
});

/** Starts a workflow for each inbound message that it fetches. */
export const pullTrigger = (credential: string) =>
  ours('Pull', 'messagingEnginePullTrigger', { events: ['message'], session: '', startWith: 'now' }, credential);

/** Starts a workflow for each inbound message that the engine posts. */
export const webhookTrigger = (credential: string) => ({
  ...ours('Posted', 'messagingEngineTrigger', { events: ['message'], session: '' }, credential),
  webhookId: randomUUID(),
});

export const nothing = () => node('Nothing', 'n8n-nodes-base.noOp', {});

/** Makes an item of each of these. */
export const items = (list: readonly object[]) => [
  node('Set', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput: JSON.stringify({ list }), options: {} }, 3.4),
  node('Split', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'list', options: {} }),
];

/** Sends a message for each item, to its `to` with its `text`. */
export const sending = (credential: string) =>
  ours(
    'Send',
    'messagingEngine',
    { resource: 'message', operation: 'send', send_to: '={{ $json.to }}', send_text: '={{ $json.text }}' },
    credential,
  );

/** Makes a file of each item's `words`. */
export const files = () =>
  node(
    'File',
    'n8n-nodes-base.convertToFile',
    { operation: 'toText', sourceProperty: 'words', binaryPropertyName: 'data', options: { fileName: 'menu.txt' } },
    1.1,
  );

/** Sends the file of each item to a person. */
export const sendingFile = (credential: string, to: string) =>
  ours(
    'Send a file',
    'messagingEngine',
    {
      resource: 'message',
      operation: 'sendMedia',
      sendMedia_to: to,
      sendMedia_binary: 'data',
      sendMedia_kind: 'document',
    },
    credential,
  );
