import type { Config } from '../config.ts';

export interface StartFacts {
  readyInMs: number;
  dataDir: string;
  /** The configuration before anything was embedded or generated. */
  given: Config;
}

/** Shows a person where things are, the keys, and three lines that send a first message. */
export function startScreen(config: Config, facts: StartFacts): string {
  const { publicUrl } = config;
  const { given } = facts;
  // The screen shows only generated keys, because people know the keys that they have set.
  const masterKey = given.engineApiKey === undefined ? config.engineApiKey : '$ENGINE_API_KEY';
  const psk =
    given.workflowEngineInternalPsk === undefined ? config.workflowEngineInternalPsk : '$WORKFLOW_ENGINE_INTERNAL_PSK';
  const quote = (text: string): string => (text.includes('$') ? `"${text}"` : `'${text}'`);
  const json = `-H 'content-type: application/json'`;
  const key = `-H ${quote(`x-api-key: ${masterKey}`)}`;
  const target = `"agencyId":"demo","tenantId":"shop"`;
  const sandboxed = given.backendUrl === undefined;
  const lines = [
    '',
    `  Messaging automation engine, ready in ${(facts.readyInMs / 1_000).toFixed(1)} s`,
    '',
    `  API          ${publicUrl}/api/v1`,
    `  Docs         ${publicUrl}/docs`,
    ...(given.temporalAddress === undefined ? [`  Temporal UI  http://127.0.0.1:${config.temporalUiPort}`] : []),
    `  Backend      ${config.backendUrl ?? ''}${sandboxed ? '   (sandbox: a simulation, nothing leaves this machine, sends are not paced unless a tenant’s settings say so)' : ''}`,
    ...(sandboxed ? [`  Sandbox page ${config.backendUrl}/#${config.backendApiKey}`] : []),
    `  Data, logs   ${facts.dataDir}`,
    '',
    `  Master key   ${masterKey}`,
    `  PSK          ${psk}`,
    '',
    '  Send a first message:',
    '',
    `curl -sS ${publicUrl}/v1/internal/dashboard/register -H ${quote(`authorization: PSK ${psk}`)} ${json} -d '{"agencyId":"demo","dashboardName":"Demo","dashboardUrl":"http://127.0.0.1:4000/events","webhookSecret":"a-secret-of-at-least-32-characters"}'`,
    '',
    `curl -sS ${publicUrl}/api/v1/sessions ${key} ${json} -d '{${target}}'`,
    '',
    `curl -sS ${publicUrl}/api/v1/messages/send ${key} ${json} -d '{${target},"to":"+15550100001","text":"Hello from the engine"}'`,
    '',
    '  Stop with Ctrl-C.',
    '',
  ];
  return lines.join('\n');
}
