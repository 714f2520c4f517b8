import { randomBytes } from 'node:crypto';
import QRCode from 'qrcode';
import { z } from 'zod';
import { newRouter, paramOf, queryOf } from '../http/context.ts';
import { parse } from '../http/parse.ts';
import type { Parts } from '../parts.ts';

const RequestCode = z.object({ phoneNumber: z.string().min(1), method: z.string().nullish() });

export function authRoutes({ sessions, lifecycle }: Parts) {
  const router = newRouter();

  router.get('/api/:session/auth/qr', async (ctx) => {
    const session = await sessions.inStatus(paramOf(ctx, 'session'), 'SCAN_QR_CODE');
    const value = lifecycle.qrCode(session);
    if (queryOf(ctx, 'format') === 'raw') {
      ctx.body = { value };
      return;
    }
    const png = await QRCode.toBuffer(value, { type: 'png' });
    // Exactly this header gets JSON, as in the real backend; any other Accept gets the picture.
    if (ctx.get('accept') === 'application/json') {
      ctx.body = { mimetype: 'image/png', data: png.toString('base64') };
    } else {
      ctx.type = 'image/png';
      ctx.body = png;
    }
  });

  router.post('/api/:session/auth/request-code', async (ctx) => {
    parse(RequestCode, ctx.state.body);
    await sessions.inStatus(paramOf(ctx, 'session'), 'SCAN_QR_CODE');
    const letters = randomBytes(4).toString('hex').toUpperCase();
    ctx.status = 201;
    ctx.body = { code: `${letters.slice(0, 4)}-${letters.slice(4)}` };
  });

  return router;
}
