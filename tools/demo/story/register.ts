import { shownClient } from '../shown-client.ts';
import { expectSame } from '../stage.ts';
import type { Stage } from '../stage.ts';

export async function registerDashboard(stage: Stage): Promise<string> {
  const { agencyId, receiverUrl: dashboardUrl, webhookSecret, target } = stage;
  const { dashboards } = shownClient(stage, { psk: target.psk });
  const registered = await dashboards.register({ agencyId, dashboardName: 'Demo', dashboardUrl, webhookSecret });
  expectSame(registered.agencyId, agencyId, 'The registered agency');
  return registered.apiKey;
}
