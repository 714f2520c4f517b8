import { z } from 'zod';
import { DisabledReason, EndpointState, WebhookSecret, WebhookUrl } from '../webhooks/endpoint.ts';
import { explained } from '../explained.ts';
import { EndpointId } from '../ids.ts';
import { ExternalId } from '../scope.ts';
import { OverlapSeconds } from './api-key.ts';

const AgencyToName = ExternalId.meta({
  description: "The agency's id, which the caller chooses: 1 to 64 letters, digits, hyphens or underscores.",
});

export const RegisterDashboard = z
  .strictObject({
    agencyId: AgencyToName,
    dashboardName: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'What it is called, in 1 to 200 characters; for people.' }),
    dashboardUrl: WebhookUrl.meta({
      description: "Where the agency's events are posted: http or https, without a user name or password.",
    }),
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
  .meta({ id: 'RegisterDashboard', description: 'The agency, and where its events go.' });

export const DashboardRegistered = z
  .object({
    success: z.literal(true).meta({ description: 'Always true: a refusal is a problem.' }),
    apiKey: z.string().meta({ description: "The dashboard's key. Shown once; store it now." }),
    agencyId: z.string().meta({ description: 'The agency that was registered.' }),
  })
  .meta({ id: 'DashboardRegistered', description: 'The key of the new dashboard.' });

export const AGENCY_STATUSES = ['registered', 'active', 'suspended'] as const;
export type AgencyStatus = (typeof AGENCY_STATUSES)[number];

export const UpdateDashboard = z
  .strictObject({
    agencyId: ExternalId.optional().meta({
      description: 'The agency whose dashboard is changed. Here, or in the query.',
    }),
    ...RegisterDashboard.pick({ dashboardName: true, dashboardUrl: true, webhookSecret: true }).partial().shape,
  })
  .meta({ id: 'UpdateDashboard', description: 'What is left out stays as it is.' });

export const DashboardStatus = z.enum(AGENCY_STATUSES).meta({
  description: explained('How the agency is.', {
    registered: 'None of its sessions has ever been WORKING.',
    active: 'One of its sessions has been WORKING.',
    suspended: 'Its keys are refused and nothing is sent; what waits is kept.',
  }),
});

export const DashboardView = z
  .object({
    agencyId: z.string().meta({ description: 'The agency that it belongs to.' }),
    dashboardName: z.string().meta({ description: 'What it is called.' }),
    status: DashboardStatus,
    createdAt: z.iso.datetime().meta({ description: 'When it was registered.' }),
    dashboardUrl: z.string().meta({ description: "Where the agency's events are posted." }),
    webhookEndpointId: EndpointId.meta({ description: 'The endpoint that it is, for the webhook routes.' }),
    webhookStatus: EndpointState,
    webhookDisabledReason: DisabledReason,
  })
  .meta({ id: 'Dashboard', description: 'Secrets are not shown again.' });
