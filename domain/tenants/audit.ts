/** What somebody can change. */
export const AUDIT_OBJECTS = [
  'key',
  'session',
  'settings',
  'persona',
  'agent_state',
  'dashboard',
  'encryption_key',
  'endpoint',
  'message',
  'conversation',
] as const;
export type AuditObject = (typeof AUDIT_OBJECTS)[number];

/** What the audit's own entries say was done; the histories of endpoints, messages and conversations have their words. */
export const AUDIT_ACTIONS = [
  'created',
  'changed',
  'rotated',
  'revoked',
  'restarted',
  'logged_out',
  'deleted',
  'suspended',
  'activated',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
