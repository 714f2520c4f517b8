import { z } from 'zod';
import { ExternalId } from './scope.ts';

const WebhookSecret = z
  .string()
  .min(32)
  .max(512)
  .refine(
    (secret) => !secret.startsWith('whsec_') || /^[A-Za-z0-9+/]{32,}={0,2}$/.test(secret.slice(6)),
    'must be base64 of at least 24 bytes after whsec_',
  );

/** Tenant-chosen URLs: http is allowed here and refused at delivery unless the address is allowed for development. */
const WebhookUrl = z
  .url({ protocol: /^https?$/ })
  .max(2_048)
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'must not carry credentials');

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
