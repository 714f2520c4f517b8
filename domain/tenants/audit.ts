import { z } from 'zod';

/** The objects that an audit entry can name. */
export const AUDIT_OBJECTS = [
  'key',
  'session',
  'settings',
  'persona',
  'agent_state',
  'dashboard',
  'limits',
  'endpoint',
  'message',
  'conversation',
  'contact',
  'execution',
  'export',
  'automations',
  'automation',
  'workflow',
  'workflow_secret',
  'workflow_hook',
  'mirror',
  'opt_out',
  'memory',
  'canned_answer',
  'note',
  'console_link',
  'console_login',
  'event_stream',
  'brand',
] as const;
export type AuditObject = (typeof AUDIT_OBJECTS)[number];

/** The actions of the audit's own entries. */
export type AuditAction =
  | 'created'
  | 'changed'
  | 'rotated'
  | 'revoked'
  | 'suspended'
  | 'activated'
  | 'moved'
  | 'unmerged'
  | 'erased'
  | 'started'
  | 'stopped'
  | 'restarted'
  | 'logged_out'
  | 'deleted'
  | 'history_asked'
  | 'history_stopped'
  | 'cancelled'
  | 'wait_skipped'
  | 'handed_over'
  | 'asked_again';

export const AuditEntryView = z
  .object({
    at: z.iso.datetime().meta({ description: 'When it was done.' }),
    agencyId: z.string().meta({ description: 'The agency that it concerns; `*` for all of them.' }),
    tenantId: z.string().nullable().meta({ description: 'The tenant that it concerns, if it concerns one.' }),
    object: z.enum(AUDIT_OBJECTS).meta({ description: 'The changed object.' }),
    objectId: z.string().meta({
      description:
        "The object's id: for settings, personas and agents the tenant's id, for an automation its name.\n\n" +
        'For an opt-out, the id of the contact; for a canned answer, its shortcut; for a workflow secret, its name.',
    }),
    action: z.string().meta({
      description:
        'The action. For endpoints, messages and conversations, it is the word of their own history: ' +
        '`pause`, `resolved_by_operator`, `taken_over`.',
    }),
    actor: z.string().nullable().meta({ description: 'The name that the person gave.' }),
    keyId: z.string().nullable().meta({
      description: "The key that was used; `master` and `psk` are the operator's. Null for an Update in Temporal.",
    }),
    reason: z.string().nullable().meta({ description: 'The reason that they gave.' }),
    detail: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'Details: names of changed fields, the key that replaced another. Never a text or a secret.',
    }),
  })
  .meta({ id: 'AuditEntry', description: 'One change: who, what, when and why.' });
