import { isSupportedCountry } from 'libphonenumber-js/min';
import { z } from 'zod';
import type { Database } from '../../db/engine/database.ts';
import { cancelPending } from '../../db/webhooks/endpoint-change.ts';
import { findPaceDefaults } from '../../db/sending/pace.ts';
import { findSettings, knowsTimeZone, updateSettings } from '../../db/tenants/settings.ts';
import { changeTenantWebhook, findTenantWebhook } from '../../db/webhooks/tenant-webhook.ts';
import { fieldsOf, recordChange } from '../../db/audit.ts';
import { requireTenant } from '../require-tenant.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { AgencyField, ExternalId } from '../../domain/scope.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { effectivePace, SettingsChanged, SettingsView, UpdateSettings } from '../../domain/tenants/settings.ts';
import type { SettingsChange, TenantSettings } from '../../domain/tenants/settings.ts';
import { requireReachable, warningOf } from '../../domain/webhooks/endpoint.ts';
import { addressBook } from '../sending/recipient.ts';
import { defineRoute } from '../deps.ts';
import { requireKeyScope } from '../route/key-scope.ts';

const params = z.object({
  tenantId: ExternalId.meta({ description: "The tenant's id, as the agency chose it.", examples: ['shop'] }),
});

export const settingsRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/tenants/:tenantId/settings',
    auth: 'tenant',
    scope: 'read',
    operationId: 'tenantSettings.read',
    summary: 'Read the settings of a tenant',
    description:
      "`effective` contains the values in effect now, with the engine's defaults for everything that is not set.",
    params,
    query: z.object({ agencyId: AgencyField }),
    reply: SettingsView,
    async handle({ scope }, { database }) {
      const settings = await database.read((queries) => findSettings(queries, scope));
      if (!settings) throw notFound('tenant');
      return viewSettings(database, scope, settings);
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/tenants/:tenantId/settings',
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'sessions',
    takesUnknownTenant: true,
    operationId: 'tenantSettings.update',
    summary: 'Update the settings of a tenant',
    description:
      'Takes effect at once, also for waiting messages. Omitted fields stay unchanged, also those of ' +
      "`pace`; null restores the default.\n\nA tenant that does not exist yet is created. A session's key " +
      'can read the settings. `webhookUrl` is an endpoint like those of `/api/v1/webhooks/endpoints`, and ' +
      'you can do everything with it that you can do with those.',
    errors: ['forbidden', 'tenant_limit', 'invalid_recipient', 'not_found'],
    params,
    body: UpdateSettings,
    reply: SettingsChanged,
    async handle({ scope, caller, body }, { database, refusesPost }) {
      const { agencyId: _agency, tenantId: _tenant, webhookUrl, webhookEvents, webhookSecret, ...asked } = body;
      // Whoever sets where events go reads them all.
      if ([webhookUrl, webhookEvents, webhookSecret].some((given) => given !== undefined)) {
        requireKeyScope(caller, 'webhooks');
      }
      if (webhookUrl) requireReachable(refusesPost(webhookUrl), '/webhookUrl');
      await refuseUnknown(database, asked);
      const change = await withKeptRecipient(database, scope, asked);
      const { settings, webhook } = await database.transaction(async (tx) => {
        await requireTenant(tx, scope);
        const settings = await updateSettings(tx, scope, change);
        const detail = { fields: fieldsOf(change) };
        const recorded = {
          of: scope,
          object: 'settings',
          objectId: scope.tenantId,
          action: 'changed',
          detail,
        } as const;
        if (detail.fields.length > 0) await recordChange(tx, recorded, caller);
        const by = { actor: caller.actor ?? 'api', reason: null, keyId: caller.keyId };
        const changed = await changeTenantWebhook(tx, scope, { webhookUrl, webhookEvents, webhookSecret }, by);
        if (changed === 'no_url') {
          const wrong = { pointer: '/webhookUrl', message: 'is required: the tenant has no webhook yet' };
          throw invalid(wrong, 'Also set webhookUrl.');
        }
        return { settings, webhook: changed };
      });
      if (webhook.deletedId !== null) await cancelPending(database, webhook.deletedId);
      const shown = await viewSettings(database, scope, settings);
      const warning = shown.webhookUrl === null ? null : warningOf(refusesPost(shown.webhookUrl));
      const view = { ...shown, warning };
      return webhook.secret === null ? view : { ...view, webhookSecret: webhook.secret };
    },
  }),
];

/** Refuses zones and countries that the libraries do not know: they would fail only later, on a message. */
async function refuseUnknown(database: Database, { timeZone, country }: SettingsChange): Promise<void> {
  if (timeZone && !(await database.read((queries) => knowsTimeZone(queries, timeZone)))) {
    throw invalid({ pointer: '/timeZone', message: 'is not a known time zone' });
  }
  if (country && !isSupportedCountry(country)) {
    throw invalid({ pointer: '/country', message: 'is not a known country' });
  }
}

/** Gives a new default recipient the form in which it is kept, because a later country would read a number anew. */
async function withKeptRecipient(database: Database, scope: Scope, change: SettingsChange): Promise<SettingsChange> {
  const { country, defaultRecipient } = change;
  if (!defaultRecipient) return change;
  const book = addressBook(database, scope, { country });
  return { ...change, defaultRecipient: await book.keptFormOf(defaultRecipient, '/defaultRecipient') };
}

async function viewSettings(database: Database, scope: TenantScope, settings: TenantSettings): Promise<SettingsView> {
  const own = {
    pace: settings.pace ?? null,
    timeZone: settings.timeZone ?? null,
    quietHours: settings.quietHours ?? null,
    country: settings.country ?? null,
    typing: settings.typing ?? null,
    mediaRetentionDays: settings.mediaRetentionDays ?? null,
    messageRetentionDays: settings.messageRetentionDays ?? null,
    memoryRetentionDays: settings.memoryRetentionDays ?? null,
    rawEventRetentionDays: settings.rawEventRetentionDays ?? null,
    eventRetentionDays: settings.eventRetentionDays ?? null,
    requestRetentionDays: settings.requestRetentionDays ?? null,
    attemptRetentionDays: settings.attemptRetentionDays ?? null,
    deleteRevokedMedia: settings.deleteRevokedMedia ?? null,
    defaultRecipient: settings.defaultRecipient ?? null,
  };
  const webhook = await database.read((queries) => findTenantWebhook(queries, scope));
  const standard = await database.read((queries) => findPaceDefaults(queries));
  return {
    agencyId: scope.agencyId,
    tenantId: scope.tenantId,
    ...own,
    webhookUrl: webhook?.url ?? null,
    webhookEvents: webhook?.events ?? null,
    webhookEndpointId: webhook?.id ?? null,
    webhookStatus: webhook?.status ?? null,
    webhookDisabledReason: webhook?.disabledReason ?? null,
    effective: {
      pace: effectivePace(own.pace, standard),
      timeZone: own.timeZone ?? 'UTC',
      quietHours: own.quietHours,
      country: own.country,
      typing: own.typing ?? true,
      mediaRetentionDays: own.mediaRetentionDays,
      messageRetentionDays: own.messageRetentionDays,
      memoryRetentionDays: own.memoryRetentionDays,
      rawEventRetentionDays: own.rawEventRetentionDays,
      eventRetentionDays: own.eventRetentionDays,
      requestRetentionDays: own.requestRetentionDays,
      attemptRetentionDays: own.attemptRetentionDays,
      deleteRevokedMedia: own.deleteRevokedMedia ?? false,
    },
  };
}
