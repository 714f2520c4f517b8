import { newRouter } from '../http/context.ts';
import type { Parts } from '../parts.ts';
import { environment } from '../version.ts';

export function serverRoutes({ core }: Parts) {
  const router = newRouter();
  const { engine, apiKey } = core.settings;
  const startTimestamp = Date.now();

  router.get('/ping', (ctx) => {
    ctx.body = { message: 'pong' };
  });

  router.get('/health', (ctx) => {
    ctx.body = { status: 'ok', info: { sandbox: { status: 'up' } }, error: {}, details: { sandbox: { status: 'up' } } };
  });

  for (const path of ['/api/server/version', '/api/version']) {
    router.get(path, (ctx) => {
      ctx.body = environment(core.version, engine);
    });
  }

  router.get('/api/server/status', (ctx) => {
    ctx.body = { startTimestamp, uptime: Date.now() - startTimestamp, worker: { id: 'sandbox' } };
  });

  // The real backend shows its key here in clear, so a proxy in front of it must not pass this route on.
  router.get('/api/server/environment', (ctx) => {
    ctx.body = { WAHA_API_KEY: apiKey, WHATSAPP_DEFAULT_ENGINE: engine, WAHA_SANDBOX: 'simulation' };
  });

  return router;
}
