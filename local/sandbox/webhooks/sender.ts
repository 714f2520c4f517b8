import { createHmac } from 'node:crypto';
import { Agent, request } from 'undici';
import { ulid } from '../ids.ts';
import type { WebhookConfig } from '../state/session-settings.ts';
import type { Timers } from '../timers.ts';
import type { Envelope } from './envelope.ts';
import type { WebhookFaults } from './faults.ts';
import { attemptsOf, retryDelayMs } from './retry-delay.ts';

interface Delivery {
  config: WebhookConfig;
  event: string;
  body: string;
  headers: Record<string, string>;
}

/**
 * Sends webhooks concurrently, in no order and from memory, so that a stop loses them. The real backend promises no
 * more.
 */
export class WebhookSender {
  readonly #timers: Timers;
  readonly #faults: WebhookFaults;
  readonly #log: (line: object) => void;
  // The real backend ignores certificate errors, too. The cap keeps a slow receiver from taking every socket.
  readonly #agent = new Agent({ connections: 128, connect: { rejectUnauthorized: false } });
  /** Events of silent sessions that were not sent, in their order. */
  #kept: { config: WebhookConfig; envelope: Envelope }[] = [];
  #closed = false;

  constructor(timers: Timers, faults: WebhookFaults, log: (line: object) => void) {
    this.#timers = timers;
    this.#faults = faults;
    this.#log = log;
  }

  send(config: WebhookConfig, envelope: Envelope): void {
    const { event, session } = envelope;
    if (this.#faults.hit('lose', event, session)) return;
    if (this.#faults.hit('silent', event, session)) {
      this.#kept.push({ config, envelope });
      return;
    }
    const late = this.#faults.hit('reorder', event, session);
    const delivery = prepare(config, envelope);
    this.#schedule(delivery, late ? this.#faults.random() * late.delayMs : 0);
    if (!this.#faults.hit('duplicate', event, session)) return;
    // Half of the repetitions carry new ids, as the real backend's do, so only the payload tells that they are the
    // same.
    const sameIds = this.#faults.random() < 0.5;
    const renamed = { ...envelope, id: `evt_${ulid(Date.now()).toLowerCase()}` };
    this.#schedule(sameIds ? delivery : prepare(config, renamed), this.#faults.random() * 50);
  }

  /** A restart ends the silence of a session, and brings late what it has not told; a real one does both, too. */
  endSilence(session: string): void {
    this.#faults.endSilence(session);
    const isOf = ({ envelope }: { envelope: Envelope }): boolean => envelope.session === session;
    const late = this.#kept.filter(isOf);
    this.#kept = this.#kept.filter((kept) => !isOf(kept));
    for (const { config, envelope } of late) this.send(config, envelope);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#agent.destroy();
  }

  #schedule(delivery: Delivery, delayMs: number): void {
    if (delayMs === 0) void this.#attempt(delivery, 0);
    else this.#timers.after(delayMs, () => void this.#attempt(delivery, 0));
  }

  async #attempt(delivery: Delivery, retries: number): Promise<void> {
    const { config, body, headers } = delivery;
    const outcome = await this.#post(config.url, body, headers);
    if (outcome === 'received' || this.#closed) return;
    if (retries >= attemptsOf(config)) {
      this.#log({ msg: 'webhook given up', url: config.url, event: delivery.event, reason: outcome.reason });
      return;
    }
    const delayMs = retryDelayMs(config, retries + 1, outcome.retryAfterS, this.#faults.random);
    this.#timers.after(delayMs, () => void this.#attempt(delivery, retries + 1));
  }

  async #post(url: string, body: string, headers: Record<string, string>) {
    try {
      const answer = await request(url, { method: 'POST', body, headers, dispatcher: this.#agent });
      await answer.body.dump();
      if (answer.statusCode >= 200 && answer.statusCode < 300) return 'received' as const;
      const retryAfterS = Number(answer.headers['retry-after']) || 0;
      return { reason: `status ${answer.statusCode}`, retryAfterS };
    } catch (error) {
      return { reason: String(error), retryAfterS: 0 };
    }
  }
}

function prepare(config: WebhookConfig, envelope: Envelope): Delivery {
  const body = JSON.stringify(envelope);
  const custom = (config.customHeaders ?? []).map(({ name, value }) => [name, value] as const);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': `WAHA/${envelope.environment.version}`,
    'x-sandbox': 'simulation',
    'x-webhook-request-id': ulid(Date.now()),
    'x-webhook-timestamp': String(envelope.timestamp),
    ...Object.fromEntries(custom),
  };
  const key = config.hmac?.key;
  if (key) {
    headers['x-webhook-hmac'] = createHmac('sha512', key).update(body).digest('hex');
    headers['x-webhook-hmac-algorithm'] = 'sha512';
  }
  return { config, event: envelope.event, body, headers };
}
