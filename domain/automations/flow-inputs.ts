import { z } from 'zod';

/*
 * The inputs of a workflow's functions as its rows hold them: evaluated and checked by the registry. A run and a dry run
 * read them by these schemas.
 */

const Choices = z.array(z.object({ id: z.string(), text: z.string() }));
export const Send = z.object({ text: z.string(), transactional: z.boolean().default(false) });
export const SendButtons = Send.extend({ buttons: Choices });
export const SendMedia = z.object({
  url: z.string(),
  kind: z.enum(['image', 'video', 'audio', 'document']),
  caption: z.string().optional(),
  transactional: z.boolean().default(false),
});
export const Wait = z.object({ timeoutMs: z.number(), choices: Choices.default([]), ownsForMs: z.number().optional() });
export type Wait = z.output<typeof Wait>;
export const Ask = Wait.extend({ text: z.string() });
export const WaitForAck = z.object({
  messageId: z.string(),
  level: z.enum(['sent', 'delivered', 'read', 'played']),
  timeoutMs: z.number(),
});
export const AssignHuman = z.object({
  assignee: z.string().nullable().default(null),
  among: z.array(z.string()).default([]),
  reason: z.string().nullable().default(null),
});
export const Remember = z.object({ text: z.string(), days: z.number().nullable().default(null) });
const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const Log = z.object({ word: z.string(), detail: z.record(z.string(), Plain).default({}) });
export const Label = z.object({ name: z.string(), mode: z.enum(['add', 'remove']) });
export const CallWebhook = z.object({ endpointId: z.string(), data: z.record(z.string(), Plain).default({}) });
