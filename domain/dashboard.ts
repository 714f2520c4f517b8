import { z } from 'zod';
import { WebhookSecret, WebhookUrl } from './endpoint.ts';
import { ExternalId } from './scope.ts';

export const RegisterDashboard = z
  .object({
    agencyId: ExternalId,
    dashboardName: z.string().min(1).max(200),
    dashboardUrl: WebhookUrl,
    webhookSecret: WebhookSecret,
  })
  .meta({ id: 'RegisterDashboard' });

export const DashboardRegistered = z
  .object({ success: z.literal(true), apiKey: z.string(), agencyId: z.string() })
  .meta({ id: 'DashboardRegistered' });
