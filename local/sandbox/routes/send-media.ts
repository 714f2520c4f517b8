import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter } from '../http/context.ts';
import { endSend } from '../http/end-send.ts';
import { EngineFailure } from '../http/failures.ts';
import { bareId } from '../ids.ts';
import { fetched } from '../network/media.ts';
import { send } from '../network/send.ts';
import type { Parts } from '../parts.ts';
import type { Kind } from '../state/message.ts';

const SendMedia = z.looseObject({
  chatId: z.string(),
  file: z.looseObject({
    mimetype: z.string(),
    filename: z.string().nullish(),
    url: z.string().optional(),
    data: z.string().optional(),
  }),
  caption: z.string().nullish(),
  id: z.string().nullish(),
  reply_to: z.string().nullish(),
});

const ROUTES: Readonly<Record<string, Kind>> = {
  sendImage: 'image',
  sendFile: 'file',
  sendVoice: 'voice',
  sendVideo: 'video',
};

export function sendMediaRoutes(parts: Parts) {
  const { core, aftermath, sessions } = parts;
  const router = newRouter();
  for (const [route, kind] of Object.entries(ROUTES)) {
    router.post(`/api/${route}`, async (ctx) => {
      const session = await sessions.working(ctx, 'body');
      const body = SendMedia.safeParse(ctx.state.body);
      if (!body.success) throw new EngineFailure("Cannot read properties of undefined (reading 'mimetype')");
      const { chatId, file, caption, id, reply_to: replyTo } = body.data;
      const media = await fetched(file);
      const draft = {
        kind,
        chatId: toChatId(chatId),
        body: caption ?? '',
        chosenId: id ?? null,
        replyTo: replyTo ? bareId(replyTo) : undefined,
        media,
      };
      await endSend(ctx, parts, session, send(core, aftermath, session, draft, ctx.state.send));
    });
  }
  return router;
}
