import type { Config } from '../../config/config.ts';
import { CONNECT, ENVIRONMENT, RECEIVE, REGISTER, SEND } from './first-steps.ts';

export interface StartFacts {
  readyInMs: number;
  dataDir: string;
  /** The configuration before anything was embedded or generated. */
  given: Config;
  /** Whether the dashboard of the first steps is registered, as it is from the second day on. */
  isRegistered: boolean;
  /** Opens the console once; null where there is no master key. */
  ticket: string | null;
}

/** Shows a person where things are, the keys, and what to paste next. */
export function startScreen(config: Config, facts: StartFacts): string {
  const { publicUrl } = config;
  const { given } = facts;
  // The screen shows only generated keys, because people know the keys that they have set.
  const masterKey = given.engineApiKey === undefined ? config.engineApiKey : '$ENGINE_API_KEY';
  const psk =
    given.workflowEngineInternalPsk === undefined ? config.workflowEngineInternalPsk : '$WORKFLOW_ENGINE_INTERNAL_PSK';
  const sandboxed = given.backends.length === 0;
  const [first] = config.backends;
  const lines = [
    '',
    `  Messaging automation engine, ready in ${(facts.readyInMs / 1_000).toFixed(1)} s`,
    '',
    `  Console      ${publicUrl}/console${facts.ticket === null ? '' : `#ticket=${facts.ticket}`}`,
    ...(facts.ticket === null
      ? []
      : ['               (opens once, within 15 minutes; after that log in there with a key)']),
    `  API          ${publicUrl}/api/v1`,
    `  Docs         ${publicUrl}/docs`,
    ...(given.temporalAddress === undefined ? [`  Temporal UI  http://127.0.0.1:${config.temporalUiPort}`] : []),
    ...(sandboxed
      ? [
          `  Backend      ${first?.url}   (sandbox: a simulation; nothing leaves this machine; no pace by default)`,
          `  Sandbox page ${first?.url}/#${first?.apiKey}`,
        ]
      : config.backends.map(({ id, url }) => `  Backend      ${url}   (${id})`)),
    `  Data, logs   ${facts.dataDir}`,
    '',
    `  Master key   ${masterKey}`,
    `  PSK          ${psk}`,
    '',
    ...(facts.isRegistered ? secondDay() : firstDay()),
    '',
    `  The guides: ${publicUrl}/docs. Stop with Ctrl-C.`,
    '',
  ];
  return lines.join('\n');
}

function firstDay(): string[] {
  return [
    '  Next, in a second terminal in this directory: receive events',
    '',
    ENVIRONMENT,
    RECEIVE,
    '',
    '  In a third terminal: register a dashboard, connect an account, send a message',
    '',
    ENVIRONMENT,
    REGISTER,
    '',
    CONNECT,
    '',
    SEND,
    '',
    '  Terminal 2 shows signed delivery updates. Continue with the README.',
  ];
}

function secondDay(): string[] {
  return [
    '  The dashboard "demo" is registered. In another terminal in this directory:',
    '',
    ENVIRONMENT,
    CONNECT,
    '',
    SEND,
    '',
    `  Receive its events in another terminal: ${ENVIRONMENT}; ${RECEIVE}`,
    '  Lost its key? Step 3 of the README creates another. A guided tour: npm run demo',
  ];
}
