import { z } from 'zod';
import type { TestEngine } from './engine.ts';

const Send = z.object({
  session: z.string(),
  chatId: z.string().nullable(),
  body: z.string().nullable(),
  chosenId: z.string().nullable(),
  networkId: z.string().nullable(),
  reachedNetwork: z.boolean(),
  duplicate: z.boolean(),
});
export type RecordedSend = z.infer<typeof Send>;

const SandboxRecord = z.object({
  sends: z.array(Send),
  calls: z.array(z.object({ method: z.string(), path: z.string(), status: z.number().nullable() })),
});

/** Every attempt to send that the simulated network has seen from the session, in its order. */
export async function sendsOf(engine: TestEngine, session: string): Promise<RecordedSend[]> {
  const record = SandboxRecord.parse(await engine.control('GET', `/record?session=${encodeURIComponent(session)}`));
  return record.sends;
}

/** The texts that people on the network have got from the session, in its order: what was really sent. */
export async function textsSeenBy(engine: TestEngine, session: string, chatId?: string): Promise<string[]> {
  const sends = await sendsOf(engine, session);
  return sends
    .filter((send) => send.reachedNetwork && !send.duplicate && (chatId === undefined || send.chatId === chatId))
    .map((send) => send.body ?? '');
}

const Told = z.object({ id: z.string() });

/** A person writes to the session. Returns the id of the message on the network. */
export async function personWrites(
  engine: TestEngine,
  session: string,
  message: {
    from: string;
    text: string;
    /** The group in which it is written. */
    chatId?: string;
    pushName?: string;
    id?: string;
    lid?: string;
    timestamp?: number;
    media?: { mimetype: string; filename?: string; data?: string };
  },
): Promise<string> {
  const told = await engine.control('POST', `/sessions/${session}/inbound`, message);
  return bareId(Told.parse(told).id);
}

/** The owner of the account writes on the phone. */
export async function ownerWrites(
  engine: TestEngine,
  session: string,
  message: { to: string; text: string; id?: string; timestamp?: number },
): Promise<string> {
  return bareId(Told.parse(await engine.control('POST', `/sessions/${session}/phone`, message)).id);
}

/** The network acks the send with that text. */
export async function networkAcks(engine: TestEngine, session: string, text: string, ack: number): Promise<void> {
  const sent = (await sendsOf(engine, session)).find(({ body }) => body === text);
  await engine.control('POST', `/sessions/${session}/ack`, { id: sent?.networkId, ack });
}

function bareId(id: string): string {
  return id.split('_')[2] ?? id;
}

/** Returns the prompts of the model, oldest first. */
export async function modelCalls(engine: TestEngine): Promise<{ role: string; content: string }[][]> {
  const Calls = z.object({
    calls: z.array(
      z.object({
        request: z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) }),
      }),
    ),
  });
  return Calls.parse(await engine.control('GET', '/llm/calls')).calls.map(({ request }) => request.messages);
}
