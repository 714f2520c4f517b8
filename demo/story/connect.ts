import { z } from 'zod';
import { call } from '../call.ts';
import { expect, shown } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { until } from '../until.ts';

const Session = z.object({ id: z.string(), name: z.string(), status: z.string() });
const Details = z.object({ wid: z.object({ _serialized: z.string() }) });
const QrCode = z.object({ mimetype: z.literal('image/png'), data: z.string() });
const WithKey = z.object({ apiKey: z.string() });

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** Connects an account and returns the session's name at the backend. */
export async function connectAccount(stage: Stage, key: string): Promise<string> {
  const { agencyId, tenantId, terminal } = stage;
  const query = new URLSearchParams({ agencyId, tenantId }).toString();
  const created = await shown(stage, 201, 'POST', '/api/v1/sessions', { key, body: { agencyId, tenantId } });
  const { id, name } = Session.parse(created.body);

  const png = await until('the QR code', () => fetchQrCode(stage, key, `/api/v1/sessions/${id}/qr?${query}`));
  expect(png.subarray(0, PNG.length).equals(PNG), 'The QR code must be a PNG.');
  terminal.detail(`→ GET /api/v1/sessions/${id}/qr`);
  terminal.detail(`← 200 a PNG of ${png.length} bytes; the sandbox's phone scans it by itself`);

  const seen: string[] = [];
  await until('the session to be WORKING', async () => {
    const { body } = await call(stage.target.url, 'GET', `/api/v1/sessions/${id}?${query}`, { key });
    const { status } = Session.parse(body);
    if (seen.at(-1) !== status) seen.push(status);
    return status === 'WORKING';
  });
  terminal.detail(`  status: ${seen.join(' → ')}`);
  const me = await shown(stage, 200, 'GET', `/api/v1/sessions/me?${query}`, { key });
  Details.parse(me.body);
  return name;
}

/** Fetches the QR code; undefined while none is shown. */
async function fetchQrCode(stage: Stage, key: string, path: string): Promise<Buffer | undefined> {
  const answer = await call(stage.target.url, 'GET', path, { key, headers: { accept: 'application/json' } });
  return answer.status === 200 ? Buffer.from(QrCode.parse(answer.body).data, 'base64') : undefined;
}

export async function makeScopedKey(stage: Stage, key: string): Promise<string> {
  const { agencyId, tenantId } = stage;
  const body = { agencyId, tenantId, name: 'demo automation' };
  const made = await shown(stage, 201, 'POST', '/api/v1/api-keys', { key, body });
  const { apiKey } = WithKey.parse(made.body);
  await shown(stage, 200, 'GET', '/api/v1/sessions/status', { key: apiKey });
  return apiKey;
}
