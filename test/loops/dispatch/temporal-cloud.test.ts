import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { temporalTarget } from '../../../bin/temporal-target.ts';
import { createLazyClient, probeTemporal } from '../../../loops/dispatch/temporal-client.ts';
import { connectPatiently } from '../../../worker/connect.ts';
import { AUTHORITY, VALID } from '../../support/certificates.ts';
import { testConfig } from '../../support/config.ts';
import { SELF_SIGNED } from '../../support/self-signed.ts';
import { takeServers } from '../../support/servers.ts';
import { aTemporalFront } from './temporal-front.ts';

const API_KEY = 'the key of the namespace';

describe('a Temporal behind TLS, as Temporal Cloud is', () => {
  const files = mkdtempSync(join(tmpdir(), 'temporal-front-'));
  const before = { ...process.env };
  let temporalAddress: string;
  let namespace: string;
  let front: Awaited<ReturnType<typeof aTemporalFront>> | undefined;

  const file = (name: string, text: string): string => {
    const path = join(files, name);
    writeFileSync(path, text);
    return path;
  };
  const authority = file('ca.pem', AUTHORITY);
  const certificate = file('client.pem', VALID.cert);
  const key = file('client.key', VALID.key);

  beforeAll(async () => {
    ({ temporalAddress, namespace } = await takeServers());
  });
  afterEach(() => {
    front?.close();
    for (const name of Object.keys(process.env)) if (name.startsWith('TEMPORAL_')) delete process.env[name];
    Object.assign(process.env, before);
  });
  afterAll(() => rmSync(files, { recursive: true, force: true }));

  /** Returns a process's target from these variables. */
  async function targetOf(demands: Parameters<typeof aTemporalFront>[1], variables: Record<string, string>) {
    front = await aTemporalFront(temporalAddress, demands);
    const own = { TEMPORAL_ADDRESS: front.address, TEMPORAL_NAMESPACE: namespace };
    Object.assign(process.env, own, variables);
    return temporalTarget(testConfig({ ...own, BACKEND_URL: 'http://127.0.0.1:9' }));
  }

  async function isReached(target: Awaited<ReturnType<typeof targetOf>>): Promise<void> {
    await probeTemporal(target);
    const client = createLazyClient(target);
    const { namespaceInfo } = await client.workflowService.describeNamespace({ namespace });
    expect(namespaceInfo?.name).toBe(namespace);
    await client.connection.close();
    const native = await connectPatiently(target.connectionOptions, new AbortController().signal, () => undefined);
    const described = await native.workflowService.describeNamespace({ namespace });
    expect(described.namespaceInfo?.name).toBe(namespace);
    await native.close();
  }

  it('is reached by API and worker with an API key', async () => {
    const target = await targetOf(
      { apiKey: API_KEY },
      { TEMPORAL_API_KEY: API_KEY, TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority },
    );
    await isReached(target);
    expect(front?.calls.every(({ authorized }) => authorized)).toBe(true);
  });

  it('is reached by API and worker with a client certificate', async () => {
    const target = await targetOf(
      { clientCertificate: true },
      {
        TEMPORAL_TLS: 'true',
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority,
        TEMPORAL_TLS_CLIENT_CERT_PATH: certificate,
        TEMPORAL_TLS_CLIENT_KEY_PATH: key,
      },
    );
    await isReached(target);
  });

  /** Counts a worker's waits for it; the worker must end instead, because a supervisor shows the reason. */
  async function waitsOf(target: Awaited<ReturnType<typeof targetOf>>, refusal: RegExp): Promise<number> {
    const stopping = new AbortController();
    let waits = 0;
    const connecting = connectPatiently(target.connectionOptions, stopping.signal, () => {
      waits += 1;
      stopping.abort();
    });
    await expect(connecting).rejects.toThrow(refusal);
    return waits;
  }

  it('refuses a wrong API key, which ends a worker instead of letting it wait for ever', async () => {
    const variables = { TEMPORAL_API_KEY: 'another key', TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority };
    const target = await targetOf({ apiKey: API_KEY }, variables);
    await expect(probeTemporal(target)).rejects.toThrow();
    expect(await waitsOf(target, /unauthorized/i)).toBe(0);
  });

  it('is not trusted with a certificate of somebody else, which ends a worker, too', async () => {
    const other = file('other.pem', SELF_SIGNED.cert);
    const target = await targetOf({}, { TEMPORAL_TLS: 'true', TEMPORAL_TLS_SERVER_CA_CERT_PATH: other });
    await expect(probeTemporal(target)).rejects.toThrow();
    expect(await waitsOf(target, /certificate/i)).toBe(0);
    expect(front?.calls).toEqual([]);
  });
});
