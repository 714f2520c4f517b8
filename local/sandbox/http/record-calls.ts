import { createHash } from 'node:crypto';
import type { Context, Next } from 'koa';
import { z } from 'zod';
import type { Kind } from '../state/message.ts';
import type { World } from '../state/world.ts';
import { keyOf } from './api-key.ts';
import type { CallLog } from './call-log.ts';
import { sessionNamed } from './session-name.ts';

const SEND_KINDS: Readonly<Record<string, Kind>> = {
  '/api/sendText': 'text',
  '/api/sendImage': 'image',
  '/api/sendFile': 'file',
  '/api/sendVoice': 'voice',
  '/api/sendVideo': 'video',
  '/api/sendButtons': 'buttons',
  '/api/sendList': 'list',
  '/api/sendPoll': 'poll',
  '/api/sendLocation': 'location',
  '/api/sendContactVcard': 'contact',
  '/api/send/link-custom-preview': 'text',
  '/api/forwardMessage': 'text',
  '/api/reply': 'text',
  '/api/sendLinkPreview': 'text',
  '/api/send/buttons/reply': 'text',
};

const text = z.string().nullish().catch(null);
const SendBody = z.looseObject({ chatId: text, text, caption: text, body: text, id: text });
const WithFile = z.looseObject({ file: z.looseObject({ data: z.string() }) });

/** Logs every backend call, and journals every send before a fault can strike it. */
export function recordCalls(world: World, calls: CallLog) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!ctx.path.startsWith('/api/')) return next();
    const body = SendBody.safeParse(ctx.state['body']).data;
    const session = sessionNamed(ctx.path, ctx.query, ctx.state['body']) ?? null;
    const call = calls.add({
      at: Date.now(),
      method: ctx.method,
      path: ctx.path,
      query: { ...ctx.query },
      session,
      chatId: body?.chatId ?? null,
      keyId: keyOf(ctx)?.id ?? null,
      status: null,
    });
    ctx.res.once('finish', () => {
      call.status = ctx.res.statusCode;
    });
    const kind = SEND_KINDS[ctx.path];
    if (kind && body && ctx.method === 'POST') ctx.state['send'] = receiveSend(world, ctx, kind, session ?? '', body);
    return next();
  };
}

function receiveSend(world: World, ctx: Context, kind: Kind, session: string, body: z.infer<typeof SendBody>): number {
  const seq = world.sends.length;
  world.record({
    kind: 'send.received',
    send: {
      seq,
      at: Date.now(),
      session,
      route: ctx.path.slice('/api/'.length),
      kind,
      chatId: body.chatId ?? null,
      body: body.text ?? body.caption ?? body.body ?? null,
      chosenId: body.id ?? null,
      request: withoutBytes(body),
    },
  });
  return seq;
}

function withoutBytes(body: Record<string, unknown>): Record<string, unknown> {
  const found = WithFile.safeParse(body);
  if (!found.success) return body;
  const { data, ...file } = found.data.file;
  const bytes = Buffer.from(data, 'base64');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...body, file: { ...file, sizeBytes: bytes.length, sha256 } };
}
