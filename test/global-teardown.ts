export default async function tearDown(): Promise<void> {
  const stop: unknown = Reflect.get(globalThis, 'stopTestServers');
  if (typeof stop === 'function') await stop();
}
