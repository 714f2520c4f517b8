import type { Config } from '../config.ts';

/** What a person sees when everything runs: where things are, the keys, and three lines that send a first message. */
export function startScreen(config: Config, facts: { readyInMs: number; dataDir: string }): string {
  const { publicUrl, engineApiKey = '', workflowEngineInternalPsk: psk = '' } = config;
  const json = `-H 'content-type: application/json'`;
  const key = `-H 'x-api-key: ${engineApiKey}'`;
  const target = `"agencyId":"demo","tenantId":"shop"`;
  const sandboxed = config.backendUrl?.includes(`:${config.sandboxPort}`) ?? false;
  const lines = [
    '',
    `  Messaging automation engine, ready in ${(facts.readyInMs / 1_000).toFixed(1)} s`,
    '',
    `  API          ${publicUrl}/api/v1`,
    `  Docs         ${publicUrl}/docs`,
    `  Temporal UI  ${temporalUi(config)}`,
    `  Backend      ${config.backendUrl ?? ''}${sandboxed ? '   (sandbox: a simulation, nothing leaves this machine, sends are not paced)' : ''}`,
    `  Data, logs   ${facts.dataDir}`,
    '',
    `  Master key   ${engineApiKey}`,
    `  PSK          ${psk}`,
    '',
    '  Send a first message:',
    '',
    `curl -sS ${publicUrl}/v1/internal/dashboard/register -H 'authorization: PSK ${psk}' ${json} -d '{"agencyId":"demo","dashboardName":"Demo","dashboardUrl":"http://127.0.0.1:4000/events","webhookSecret":"a-secret-of-at-least-32-characters"}'`,
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

function temporalUi(config: Config): string {
  return config.temporalUiPort === undefined ? '' : `http://127.0.0.1:${config.temporalUiPort}`;
}
