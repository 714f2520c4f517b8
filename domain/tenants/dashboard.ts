import { z } from 'zod';
import { ENDPOINT_STATUSES, WebhookSecret, WebhookUrl } from '../webhooks/endpoint.ts';
import { ExternalId } from '../scope.ts';
import { OverlapSeconds } from './api-key.ts';

export const RegisterDashboard = z
  .object({
    agencyId: ExternalId,
    dashboardName: z.string().min(1).max(200),
    dashboardUrl: WebhookUrl,
    webhookSecret: WebhookSecret,
    rotateKey: z
      .boolean()
      .optional()
      .meta({
        description:
          'For an agency that is registered already: makes a new key of the dashboard instead of answering 409. All its former ' +
          'keys end after `overlapSeconds`; nothing else changes, whatever the other fields say.',
      }),
    overlapSeconds: OverlapSeconds.meta({
      description: 'With `rotateKey`: how long the former keys go on; 0 ends them.',
    }),
  })
  .meta({ id: 'RegisterDashboard' });

export const DashboardRegistered = z
  .object({ success: z.literal(true), apiKey: z.string(), agencyId: z.string() })
  .meta({ id: 'DashboardRegistered' });

export const AGENCY_STATUSES = ['registered', 'active', 'suspended'] as const;
export type AgencyStatus = (typeof AGENCY_STATUSES)[number];

export const UpdateDashboard = z
  .strictObject({
    agencyId: ExternalId,
    ...RegisterDashboard.pick({ dashboardName: true, dashboardUrl: true, webhookSecret: true }).partial().shape,
  })
  .meta({ id: 'UpdateDashboard', description: 'What is left out stays as it is.' });

export const DashboardView = z
  .object({
    agencyId: z.string(),
    dashboardName: z.string(),
    status: z.enum(AGENCY_STATUSES),
    createdAt: z.iso.datetime(),
    dashboardUrl: z.string(),
    webhookEndpointId: z.string().meta({ description: 'The endpoint that it is, for the webhook routes.' }),
    webhookStatus: z.enum(ENDPOINT_STATUSES),
    webhookDisabledReason: z.string().nullable(),
  })
  .meta({ id: 'Dashboard', description: 'Secrets are not shown again.' });
