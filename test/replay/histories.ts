import { readdirSync, readFileSync } from 'node:fs';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { z } from 'zod';
import { VERSION } from '../../bin/version.ts';

const Event = z.looseObject({
  eventType: z.string(),
  workflowExecutionStartedEventAttributes: z.looseObject({ workflowType: z.object({ name: z.string() }) }).optional(),
});
const History = z.object({ events: z.array(Event).min(1) });

export interface RecordedHistory {
  /** The release of the engine that recorded it, or that it is one of the automations': a folder each. */
  release: string;
  /** The story it was recorded from: `<workflow>-<story>`. */
  name: string;
  workflow: string;
  text: string;
  events: z.infer<typeof Event>[];
}

export const HISTORIES = new URL('./histories/', import.meta.url);

/** Returns the records of tools/replay/record.ts, for every release. */
export function readHistories(): RecordedHistory[] {
  return releases().flatMap((release) =>
    filesOf(release).map((file) => {
      const text = readFileSync(new URL(`${release}/${file}`, HISTORIES), 'utf8');
      const { events } = History.parse(JSON.parse(text));
      const workflow = events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '';
      return { release, name: file.slice(0, -'.json'.length), workflow, text, events };
    }),
  );
}

/** As this version's code has made it. */
export function readHistory(name: string): RecordedHistory {
  const found = readHistories().find((history) => history.release === VERSION && history.name === name);
  if (!found) throw new Error(`${VERSION} has no history ${name}: npm run record-histories -- ${name}`);
  return found;
}

/** All that a history says, with its base64 payloads opened. */
export function readableText({ text }: RecordedHistory): string {
  return text.replaceAll(/"data":"([A-Za-z0-9+/=]*)"/g, (_, data: string) => Buffer.from(data, 'base64').toString());
}

export function releases(): string[] {
  return readdirSync(HISTORIES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

export function filesOf(release: string): string[] {
  return readdirSync(new URL(`${release}/`, HISTORIES)).filter((file) => file.endsWith('.json'));
}

/** One event a line, so that a changed history reads well in a diff; without the recording machine's name and paths. */
export function historyText(history: Awaited<ReturnType<WorkflowHandle['fetchHistory']>>): string {
  const { events } = JSON.parse(historyToJSON(history), (key, value: unknown) => {
    if (key === 'identity') return 'recorder';
    return key === 'stackTrace' ? '' : value;
  });
  return `{"events":[\n${events.map((event: unknown) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}
