import { z } from 'zod';
import { DisabledReason, EndpointState, Warning, WebhookSecret, WebhookUrl } from '../webhooks/endpoint.ts';
import { explained } from '../explained.ts';
import { EndpointId } from '../ids.ts';
import { ExternalId } from '../scope.ts';
import { KeepKeys, OverlapSeconds } from './api-key.ts';

const AgencyToName = ExternalId.meta({
  description: "The agency's id, which the caller chooses: 1 to 64 letters, digits, hyphens or underscores.",
});

export const RegisterDashboard = z
  .strictObject({
    agencyId: AgencyToName,
    dashboardName: z.string().min(1).max(200).meta({ description: 'A name for people, in 1 to 200 characters.' }),
    dashboardUrl: WebhookUrl.meta({
      description: "The address that receives the agency's events: http or https, without a user name or password.",
    }),
    webhookSecret: WebhookSecret,
    rotateKey: z
      .boolean()
      .optional()
      .meta({
        description:
          'For an agency that is already registered: creates a new key for the dashboard instead of returning ' +
          '409. All its former keys end after `overlapSeconds`.\n\nNothing else changes, whatever the other ' +
          'fields contain.',
      }),
    overlapSeconds: OverlapSeconds.meta({
      description: 'With `rotateKey`: how long the former keys still work. 0 ends them.',
    }),
    keepKeys: KeepKeys.meta({
      description:
        'With `rotateKey`: true leaves the keys of sessions that the former keys made to the new key. ' +
        'Otherwise, they end with the former keys.\n\nLeave it out after a theft.',
    }),
  })
  .meta({ id: 'RegisterDashboard', description: 'The agency, and where its events go.' });

export const DashboardRegistered = z
  .object({
    success: z.literal(true).meta({ description: 'Always true, because a refusal is returned as a problem.' }),
    apiKey: z.string().meta({ description: "The dashboard's key. Shown once: store it now." }),
    agencyId: z.string().meta({ description: 'The agency that was registered.' }),
    ...Warning,
  })
  .meta({ id: 'DashboardRegistered', description: 'The key of the new dashboard.' });

export const AGENCY_STATUSES = ['registered', 'active', 'suspended'] as const;
export type AgencyStatus = (typeof AGENCY_STATUSES)[number];

export const UpdateDashboard = z
  .strictObject({
    agencyId: ExternalId.optional().meta({
      description: 'The agency whose dashboard to change. Give it here or in the query.',
    }),
    ...RegisterDashboard.pick({ dashboardName: true, dashboardUrl: true, webhookSecret: true }).partial().shape,
  })
  .meta({ id: 'UpdateDashboard', description: 'Omitted fields stay unchanged.' });

export const DashboardStatus = z.enum(AGENCY_STATUSES).meta({
  description: explained('The status of the agency.', {
    registered: 'None of its sessions has ever been WORKING.',
    active: 'One of its sessions has been WORKING.',
    suspended: 'Its keys are refused and nothing is sent; what waits is kept.',
  }),
});

export const DashboardView = z
  .object({
    agencyId: z.string().meta({ description: 'The agency that it belongs to.' }),
    dashboardName: z.string().meta({ description: 'Its name.' }),
    status: DashboardStatus,
    createdAt: z.iso.datetime().meta({ description: 'When it was registered.' }),
    dashboardUrl: z.string().meta({ description: "The address that receives the agency's events." }),
    webhookEndpointId: EndpointId.meta({ description: 'The id of this endpoint, for the webhook routes.' }),
    webhookStatus: EndpointState,
    webhookDisabledReason: DisabledReason,
  })
  .meta({ id: 'Dashboard', description: 'Secrets are not shown again.' });

export const DashboardChanged = DashboardView.extend(Warning).meta({
  id: 'DashboardChanged',
  description: 'The dashboard as it is now.',
});
