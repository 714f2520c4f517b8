import { newRouter } from '../http/context.ts';

type Router = ReturnType<typeof newRouter>;

/** Lists the routes that the sandbox serves, so that they can be compared with the real backend's OpenAPI document. */
export function routeListRoutes(routers: readonly Router[]) {
  const router = newRouter();
  router.get('/sandbox/routes', (ctx) => {
    ctx.body = routers
      .flatMap(({ stack }) => stack)
      .map(({ path, methods }) => ({
        method: methods.find((method) => method !== 'HEAD') ?? 'GET',
        path: String(path).replaceAll(/:(\w+)/g, '{$1}'),
      }));
  });
  return router;
}
