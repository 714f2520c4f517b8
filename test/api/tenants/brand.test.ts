import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { Browser } from '../console/browser.ts';

const api = await apiOfThisFile('brand');
const acme = await anAgency(api, { agencyId: 'acme' });
const globex = await anAgency(api, { agencyId: 'globex' });
const BRAND = '/api/v1/brand';

/** The beginning of a PNG with these sides. */
function png(width: number, height: number, bytes = 40): Buffer {
  const picture = Buffer.alloc(bytes);
  picture.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  picture.writeUInt32BE(width, 16);
  picture.writeUInt32BE(height, 20);
  return picture;
}

const LOGO = png(120, 40);
const put = (body: object, key = acme.dashboardKey) => call(api, 'PUT', BRAND, { key, body });
const read = (key = acme.dashboardKey) => call(api, 'GET', BRAND, { key });

async function whoCameByLink(key: string): Promise<Record<string, unknown>> {
  const body = { tenantId: 't1', name: 'Ada', pages: ['events'] };
  const { url } = z
    .object({ url: z.url() })
    .parse((await call(api, 'POST', '/api/v1/console/links', { key, body })).body);
  const ticket = new URL(url).hash.replace('#ticket=', '');
  return (await new Browser(api).ask('POST', '/console/session', { ticket })).body;
}

describe("an agency's logo and colour", () => {
  it('are the default until the agency sets them', async () => {
    expect((await read()).body).toEqual({ name: 'Test', colour: null, logoUrl: null });
  });

  it('are kept, changed alone and removed', async () => {
    const set = await put({ colour: '#0A4F9E', logo: LOGO.toString('base64') });
    expect(set).toMatchObject({
      status: 200,
      body: { colour: '#0a4f9e', logoUrl: expect.stringMatching(/\/console\/brands\/[0-9a-f]{64}\.png$/) },
    });
    expect((await put({ colour: null })).body).toEqual({ ...set.body, colour: null });
    expect((await put({ logo: null, colour: '#0a4f9e' })).body).toMatchObject({ logoUrl: null, colour: '#0a4f9e' });
    expect((await put({})).status).toBe(200);
    const { body } = await call(api, 'GET', '/api/v1/audit?object=brand', { key: acme.dashboardKey });
    expect(body['entries']).toMatchObject([
      { action: 'changed', detail: { fields: ['colour', 'logo'] } },
      { action: 'changed', detail: { fields: ['colour'] } },
      { action: 'changed', detail: { fields: ['colour', 'logo'] } },
    ]);
  });

  it('are refused where nobody could read the colour, or where the logo is no small PNG', async () => {
    const refused = async (body: object) => {
      const answer = await put(body);
      const wrong = z.array(z.object({ pointer: z.string() })).parse(answer.body['errors']);
      return [answer.status, ...wrong.map(({ pointer }) => pointer)];
    };
    expect(await refused({ colour: '#ffd400' })).toEqual([422, '/colour']);
    expect(await refused({ colour: 'red' })).toEqual([422, '/colour']);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const wrongs = [svg, png(1_025, 10), png(0, 10), LOGO.subarray(0, 20), png(10, 10, 64 * 1_024 + 1)];
    for (const bytes of wrongs) expect(await refused({ logo: bytes.toString('base64') })).toEqual([422, '/logo']);
    expect(await refused({ colour: '#ffd400', logo: svg.toString('base64') })).toEqual([422, '/colour', '/logo']);
  });

  it('are shown to who came by a link, with the logo from the engine itself', async () => {
    await put({ colour: '#0a4f9e', logo: LOGO.toString('base64') });
    const who = z.object({ brand: z.looseObject({ logo: z.string() }) }).parse(await whoCameByLink(acme.dashboardKey));
    expect(who.brand).toMatchObject({ name: 'Test', colour: '#0a4f9e' });
    const picture = await fetch(`${api.url}/console/brands/${who.brand.logo}`);
    expect(Buffer.from(await picture.arrayBuffer()).equals(LOGO)).toBe(true);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(await whoCameByLink(globex.dashboardKey)).toMatchObject({ brand: { colour: null, logo: null } });
    const staff = await new Browser(api).login(acme.dashboardKey);
    expect(staff.body['brand']).toBeNull();
  });

  it('are for the dashboard, and a file that nobody has is not found', async () => {
    expect((await read(acme.scopedKey)).status).toBe(403);
    expect((await put({ colour: null }, acme.scopedKey)).status).toBe(403);
    for (const file of [`${'0'.repeat(64)}.png`, 'x.png']) {
      const answer = await fetch(`${api.url}/console/brands/${file}`);
      await answer.arrayBuffer();
      expect(answer.status).toBe(404);
    }
  });
});
