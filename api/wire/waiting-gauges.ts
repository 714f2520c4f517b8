import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

interface Waiting {
  eventWatch: { readonly held: number };
  eventStreams: { current(): { open: number } };
}

/** Registers how many readers this process holds: the streams of events, and with them the pulls that wait. */
export function registerWaitingGauges(registry: Registry, { eventWatch, eventStreams }: Waiting): void {
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
  gauge('engine_event_streams', 'Streams of events that are open at this process.', () => eventStreams.current().open);
  gauge(
    'engine_event_readers',
    'Requests that this process holds for events: streams, and pulls that wait.',
    () => eventWatch.held,
  );
}
