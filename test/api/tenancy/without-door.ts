/** The routes whose requests name a tenant or an agency at the most, which every key is held to. */
export const WITHOUT_DOOR: readonly string[] = [
  'POST /api/v1/sessions',
  'GET /api/v1/sessions',
  'POST /api/v1/ai-sales-agent/state',
  'PUT /api/v1/ai-sales-agent/state',
  'POST /api/v1/ai-sales-agent/persona',
  'PUT /api/v1/ai-sales-agent/persona',
  'POST /api/v1/inbox/chats/owed',
  'GET /api/v1/tenants/:tenantId/settings',
  // An automation's name is the same for all.
  'GET /api/v1/automation-definitions',
  'GET /api/v1/automations',
  'GET /api/v1/opt-outs',
  'GET /api/v1/colleagues',
  // Its key is the caller's own.
  'POST /api/v1/automation-executions/cancel',
  'GET /api/v1/automations/:automation',
  'PUT /api/v1/automations/:automation',
  'POST /api/v1/automations/:automation/hook',
  'DELETE /api/v1/automations/:automation/hook',
  'DELETE /api/v1/automations/:automation',
  // A shortcut is looked up in the tenant that is named, and says nothing of others.
  'GET /api/v1/canned-answers',
  'PUT /api/v1/canned-answers/:shortcut',
  'DELETE /api/v1/canned-answers/:shortcut',
  'GET /api/v1/automation-defaults',
  'GET /api/v1/automation-defaults/:automation',
  'PUT /api/v1/automation-defaults/:automation',
  // It is the agency's own.
  'GET /api/v1/workflows',
  'POST /api/v1/workflows',
  'POST /api/v1/workflows/validate',
  'GET /api/v1/workflow-functions',
  'GET /api/v1/workflow-templates',
  'GET /api/v1/workflow-secrets',
  'PUT /api/v1/workflow-secrets/:name',
  'DELETE /api/v1/workflow-secrets/:name',
  'GET /api/v1/tenants/:tenantId/usage',
  'GET /api/v1/tenants/:tenantId/load',
  'GET /api/v1/tenants/:tenantId/retention',
  'POST /api/v1/tenants/:tenantId/exports',
  'GET /api/v1/tenants/:tenantId/exports',
  // It is the agency's own.
  'GET /api/v1/brand',
  'PUT /api/v1/brand',
  'GET /api/v1/api-keys',
  'GET /api/v1/console/links',
  'GET /api/v1/files',
  // Its filters find nothing of others.
  'GET /api/v1/audit',
  'GET /api/v1/erasures',
  'DELETE /api/v1/console/links',
  // A file that it brings itself.
  'POST /api/v1/files',
  'POST /api/v1/api-keys/dashboard',
  'POST /api/v1/webhooks/endpoints',
  'GET /api/v1/webhooks/endpoints',
  'GET /api/v1/webhooks/mirror',
  // A tenant that it names is a tenant of the agency, or none.
  'PUT /api/v1/webhooks/mirror',
  // It tells of the agency's own endpoints, whichever it is asked for.
  'GET /api/v1/webhooks/notices',
];
