import { z } from 'zod';
import { EngineError } from '../../../packages/typescript/src/index.ts';
import type { Engine } from '../../../packages/typescript/src/index.ts';
import { quietClient, shownClient } from '../shown-client.ts';
import { expect } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { until } from '../until.ts';

const QrCode = z.object({ mimetype: z.literal('image/png'), data: z.string() });

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Connects an account and returns the session's name at the backend. */
export async function connectAccount(stage: Stage, key: string): Promise<string> {
  const { agencyId, tenantId, terminal } = stage;
  const { sessions } = shownClient(stage, { key, agencyId, tenantId });
  const quietly = quietClient(stage, { key, agencyId, tenantId });
  // The code must still be there when it is looked for.
  const byItself = await stage.sandbox.scansByItself();
  await stage.sandbox.scanByItself(false);
  const { id, name } = await sessions.create();

  const png = await until('the QR code', () => fetchQrCode(quietly, id));
  await stage.sandbox.scanByItself(byItself);
  expect(png.subarray(0, PNG.length).equals(PNG), 'The QR code must be a PNG.');
  terminal.detail(`→ GET /api/v1/sessions/${id}/qr`);
  terminal.detail(`← 200 a PNG of ${png.length} bytes; the sandbox's phone scans it`);
  await stage.sandbox.account(name, 'scan');

  const seen: string[] = [];
  await until('the session to be WORKING', async () => {
    const { status } = await quietly.sessions.read(id);
    if (seen.at(-1) !== status) seen.push(status);
    return status === 'WORKING';
  });
  terminal.detail(`  status: ${seen.join(' → ')}`);
  const me = await sessions.readAccount();
  expect(me.wid._serialized !== '', 'The account must have an address.');
  return name;
}

/** Fetches the QR code; undefined while none is shown. */
async function fetchQrCode({ sessions }: Engine, id: string): Promise<Buffer | undefined> {
  try {
    const answer = await sessions.readQr(id, {}, { headers: { accept: 'application/json' } });
    return Buffer.from(QrCode.parse(await answer.json()).data, 'base64');
  } catch (error) {
    if (error instanceof EngineError && error.code === 'session_not_ready') return undefined;
    throw error;
  }
}

export async function makeScopedKey(stage: Stage, key: string): Promise<string> {
  const { agencyId, tenantId } = stage;
  const { apiKeys } = shownClient(stage, { key, agencyId, tenantId });
  const { apiKey } = await apiKeys.create({ name: 'demo automation' });
  await shownClient(stage, { key: apiKey }).sessions.readStatus();
  return apiKey;
}
