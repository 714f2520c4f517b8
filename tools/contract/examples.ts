import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';

/** An answer that was seen at a real backend; a body of null stands for an empty one. */
const Answer = z.object({ status: z.int(), body: z.unknown() });
export type ExampleAnswer = z.infer<typeof Answer>;

const Events = z.object({ payloads: z.record(z.string(), z.unknown()) });
const Headers = z.object({ headers: z.record(z.string(), z.string()) });

export interface Examples {
  /** By file and title: `labels: GET /api/{session}/labels`. */
  answers: Map<string, ExampleAnswer>;
  /** By event, with more words where one event has several forms. */
  payloads: Map<string, unknown>;
  envelope: unknown;
  webhookHeaders: Record<string, string>;
}

/** Reads a folder of recorded answers and events, one file a subject. */
export async function readExamples(folder: string): Promise<Examples> {
  const answers = new Map<string, ExampleAnswer>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json'))) {
    for (const [title, entry] of Object.entries(await readFields(folder, file))) {
      const answer = Answer.safeParse(entry);
      if (answer.success) answers.set(`${basename(file, '.json')}: ${title}`, answer.data);
    }
  }
  const events = await readFields(folder, 'events.json');
  return {
    answers,
    payloads: new Map(Object.entries(Events.parse(events).payloads)),
    envelope: events['envelope (message.any)'],
    webhookHeaders: Headers.parse(await readFields(folder, 'webhook-headers.json')).headers,
  };
}

async function readFields(folder: string, file: string): Promise<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(join(folder, file), 'utf8')));
}
