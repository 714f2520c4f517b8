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

/** Lists the fixed segments of the paths of these routes, such as `sendText`; a fault on a route names one of them. */
export function segmentsOf(routers: readonly Router[]): string[] {
  const segments = routers
    .flatMap(({ stack }) => stack)
    .flatMap(({ path }) => String(path).split('/'))
    .filter((segment) => segment !== '' && segment !== 'api' && !segment.startsWith(':'));
  return [...new Set(segments)].toSorted();
}
