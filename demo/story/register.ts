import { z } from 'zod';
import { expectSame, shown } from '../stage.ts';
import type { Stage } from '../stage.ts';

const Registered = z.object({ success: z.literal(true), apiKey: z.string(), agencyId: z.string() });

export async function registerDashboard(stage: Stage): Promise<string> {
  const { agencyId, receiverUrl, webhookSecret, target } = stage;
  const body = { agencyId, dashboardName: 'Demo', dashboardUrl: receiverUrl, webhookSecret };
  const headers = { authorization: `PSK ${target.psk}` };
  const registered = await shown(stage, 200, 'POST', '/v1/internal/dashboard/register', { body, headers });
  const { apiKey, agencyId: told } = Registered.parse(registered.body);
  expectSame(told, agencyId, 'The registered agency');
  return apiKey;
}
