import { z } from 'zod';
import { ask } from './ask.ts';
import type { Asked } from './ask.ts';
import type { Check } from './table.ts';

/**
 * The document says that every send answers a WAMessage; each engine answers something else (reference 6.2), so these are
 * compared with what was seen.
 */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  NOWEB: z.object({
    key: z.object({ remoteJid: z.string().endsWith('@s.whatsapp.net'), fromMe: z.literal(true), id: z.string() }),
    message: z.object({ extendedTextMessage: z.object({ text: z.string() }) }),
    messageTimestamp: z.string().regex(/^\d{10}$/),
    status: z.literal('PENDING'),
  }),
  GOWS: z.object({
    id: z.string().regex(/^true_[^_]+_[0-9A-F]+$/),
    _data: z.object({ Info: z.object({ ID: z.string(), Chat: z.string() }), Message: z.object({}) }),
  }),
  WEBJS: z.object({
    id: z.object({ fromMe: z.literal(true), remote: z.string(), id: z.string(), _serialized: z.string() }),
    ack: z.number(),
    body: z.string(),
    from: z.string(),
    to: z.string(),
    timestamp: z.number(),
    _data: z.object({}),
  }),
};

/** In the session that the other answers were asked of. */
export async function checkSendAnswers(asked: Asked): Promise<Check[]> {
  const checks: Check[] = [];
  for (const [engine, shape] of Object.entries(SHAPES)) {
    await ask(asked, 'POST', '/sandbox/sessions/contract/engine', { body: { engine } });
    const { status, body } = await ask(asked, 'POST', '/api/sendText', {
      body: { session: 'contract', chatId: '15550100300@c.us', text: `As ${engine} answers` },
    });
    const { error } = shape.safeParse(body);
    const notes = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
    if (status !== 201) notes.push(`answers ${status}, not 201`);
    checks.push({
      what: `answer  POST /api/sendText (${engine})`,
      verdict: notes.length > 0 ? 'differs' : 'same',
      notes,
    });
  }
  return checks;
}
