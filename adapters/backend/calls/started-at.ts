import { z } from 'zod';
import { isSuccess, jsonOf } from '../http/answer.ts';
import type { Http } from '../http/http.ts';

const Status = z.object({ startTimestamp: z.number() });

/** Answers when the backend's process was started, by its own clock; null when it does not tell. */
export async function readStartedAt(http: Http, timeoutMs: number, signal?: AbortSignal): Promise<Date | null> {
  const ask = { method: 'GET', path: '/api/server/status', timeoutMs, ...(signal && { signal }) } as const;
  const result = await http.call(ask);
  if (result.kind !== 'answer' || !isSuccess(result)) return null;
  const status = Status.safeParse(jsonOf(result.body));
  return status.success ? new Date(status.data.startTimestamp) : null;
}
