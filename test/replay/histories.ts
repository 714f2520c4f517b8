import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const Event = z.looseObject({
  eventType: z.string(),
  workflowExecutionStartedEventAttributes: z.looseObject({ workflowType: z.object({ name: z.string() }) }).optional(),
});
const History = z.object({ events: z.array(Event).min(1) });

export interface RecordedHistory {
  /** The story it was recorded from: `<workflow>-<story>`. */
  name: string;
  workflow: string;
  text: string;
  events: z.infer<typeof Event>[];
}

/** What test/replay/record.ts has recorded. */
export function readHistories(): RecordedHistory[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
      const { events } = History.parse(JSON.parse(text));
      const workflow = events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '';
      return { name: file.slice(0, -'.json'.length), workflow, text, events };
    });
}

export function readHistory(name: string): RecordedHistory {
  const found = readHistories().find((history) => history.name === name);
  if (!found) throw new Error(`There is no history ${name}: record it.`);
  return found;
}

/** All that a history says, with its base64 payloads opened. */
export function readableText({ text }: RecordedHistory): string {
  return text.replaceAll(/"data":"([A-Za-z0-9+/=]*)"/g, (_, data: string) => Buffer.from(data, 'base64').toString());
}
