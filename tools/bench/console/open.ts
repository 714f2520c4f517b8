import type { Page } from './browser.ts';

/** The address of a page of the console; whoever is not bound to one tenant names it. */
export function consolePageOf(url: string, path: string, tenant?: { agencyId: string; tenantId: string }): string {
  const query = tenant && new URLSearchParams({ agency: tenant.agencyId, tenant: tenant.tenantId });
  return `${url}/console${path}${query ? `?${query.toString()}` : ''}`;
}

/** Logs in as the console's own page does. */
export async function logIn(page: Page, url: string, key: string): Promise<void> {
  await page.open(`${url}/console`);
  await page.until(`document.querySelector('input[name=key]') !== null`);
  const status = await page.read(`fetch('/console/session', {
    method: 'POST',
    headers: { 'X-Requested-With': 'engine-console', 'Content-Type': 'application/json' },
    body: JSON.stringify({ apiKey: ${JSON.stringify(key)} }),
  }).then((answer) => answer.status)`);
  if (status !== 200) throw new Error(`The login was answered ${String(status)}.`);
}
