import { z } from 'zod';
import { waitUntil } from '../../local/embedded/process/wait-until.ts';

const AGENCY = 'image';
const TENANT = { agencyId: AGENCY, tenantId: 'one' };
const READ_WITHIN_MS = 60_000;
const ANSWER_WITHIN_MS = 30_000;

const Registered = z.object({ apiKey: z.string() });
const Accepted = z.object({ messageId: z.string() });
const Status = z.object({ status: z.string() });

/** Registers a dashboard, connects an account and sends messages; returns when the simulated person has read them. */
export async function sendToRead(url: string, psk: string, { messages = 1 } = {}): Promise<void> {
  const registration = { agencyId: AGENCY, dashboardName: 'Image', dashboardUrl: 'https://dashboard.example/events' };
  const registered = await request(`${url}/v1/internal/dashboard/register`, {
    headers: { authorization: `PSK ${psk}` },
    body: { ...registration, webhookSecret: 'the-webhook-secret-of-the-image-proof' },
  });
  const headers = { 'x-api-key': Registered.parse(registered).apiKey };
  await request(`${url}/api/v1/sessions`, { headers, body: TENANT });
  const message = { ...TENANT, to: '+15550100020', text: 'Sent by the image' };
  const sends = Array.from({ length: messages }, () =>
    request(`${url}/api/v1/messages/send`, { headers, body: message }),
  );
  const accepted = (await Promise.all(sends)).map((answer) => Accepted.parse(answer).messageId);
  const query = new URLSearchParams(TENANT).toString();
  let last = '';
  for (const messageId of accepted) {
    const statusUrl = `${url}/api/v1/inbox/messages/${messageId}/status?${query}`;
    const isRead = async (): Promise<boolean> => {
      last = Status.parse(await request(statusUrl, { headers })).status;
      return last === 'read';
    };
    if (!(await waitUntil(isRead, { timeoutMs: READ_WITHIN_MS, everyMs: 200 })))
      throw new Error(`The message must be read after ${READ_WITHIN_MS / 1_000} s; its status is ${last}.`);
  }
}

/** Requests an address, which must answer with 2xx: JSON is parsed, other answers are returned as text. */
export async function request(
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: object } = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers ${response.status}: ${text.slice(0, 500)}`);
  return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text;
}
