import { ask } from './ask.ts';
import type { Asked } from './ask.ts';
import type { Difference } from './differences.ts';
import { compareEvents, EVENTS_PLAYED, makeEvents } from './example-events.ts';
import { exampleProbes } from './example-probes.ts';
import type { ExampleProbe } from './example-probes.ts';
import { readExamples } from './examples.ts';
import type { Examples } from './examples.ts';
import { hearEvents } from './heard-events.ts';
import { KNOWN_FROM_EXAMPLES, NOT_PLAYED } from './known-examples.ts';
import { untilStatus } from './scene.ts';
import { shapeDifferences } from './shape.ts';
import type { Check } from './table.ts';

/** Compares answers and events of the sandbox with those that were recorded at a real backend. */
export async function checkExamples(asked: Asked, folder: string): Promise<Check[]> {
  const examples = await readExamples(folder);
  const heard = await hearEvents();
  try {
    const [session, fresh, failed] = ['example', 'example-fresh', 'example-failed'];
    await setScene(asked, heard.url, { session, fresh, failed });
    await makeEvents(asked, session);
    const seen = new Set<Difference>();
    const checks: Check[] = [];
    for (const [example, differences] of await compareEvents(heard, examples)) {
      checks.push(judge(`example event ${example}`, differences ?? [`${example}: was not told`], seen));
    }
    const probes = exampleProbes({ session, fresh, failed });
    for (const probe of probes) {
      checks.push(judge(`example ${probe.example}`, await differencesOf(asked, examples, probe), seen));
    }
    return [...checks, ...unseen(examples, probes), ...gone(seen)];
  } finally {
    heard.close();
  }
}

async function setScene(
  asked: Asked,
  hookUrl: string,
  { session, fresh, failed }: { session: string; fresh: string; failed: string },
): Promise<void> {
  const config = {
    metadata: { sessionId: 'ses_1' },
    webhooks: [
      {
        url: hookUrl,
        events: ['*'],
        hmac: { key: 'hush' },
        retries: { policy: 'exponential', delaySeconds: 2, attempts: 10 },
      },
    ],
    noweb: { markOnline: true, store: { enabled: true, fullSync: false } },
    webjs: { tagsEventsOn: true },
  };
  for (const name of [session, fresh, failed]) await ask(asked, 'POST', '/api/sessions', { body: { name, config } });
  for (const name of [session, fresh, failed]) await untilStatus(asked, name, 'SCAN_QR_CODE');
  await ask(asked, 'POST', `/sandbox/sessions/${session}/scan`);
  await untilStatus(asked, session, 'WORKING');
  await ask(asked, 'POST', `/sandbox/sessions/${failed}/status`, { body: { status: 'FAILED' } });
  await ask(asked, 'POST', `/api/sessions/${fresh}/restart`);
}

async function differencesOf(asked: Asked, examples: Examples, probe: ExampleProbe): Promise<Difference[]> {
  const example = examples.answers.get(probe.example);
  if (!example) return [`${probe.example}: there is no such example`];
  const { status, body, isEmpty } = await ask(asked, probe.method, probe.path, probe);
  const where = probe.example.slice(0, probe.example.indexOf(':'));
  const differences = shapeDifferences(example.body, body, where);
  if (status !== example.status) differences.push(`${probe.example}: answers ${status}, not ${example.status}`);
  if (isEmpty !== (example.body === null)) differences.push(`${probe.example}: ${isEmpty ? 'is' : 'is not'} empty`);
  return differences;
}

/** An example that nothing is compared with must say why. */
function unseen({ answers, payloads }: Examples, probes: readonly ExampleProbe[]): Check[] {
  const probed = new Set([...probes.map(({ example }) => example), ...EVENTS_PLAYED, ...Object.keys(NOT_PLAYED)]);
  return [...answers.keys(), ...payloads.keys()]
    .filter((example) => !probed.has(example))
    .map((example) => ({ what: `example ${example}`, verdict: 'differs', notes: ['nothing is compared with it'] }));
}

/** A difference that is gone must leave the list, or it would hide the next one. */
function gone(seen: ReadonlySet<Difference>): Check[] {
  return Object.keys(KNOWN_FROM_EXAMPLES)
    .filter((difference) => !seen.has(difference))
    .map((what) => ({ what, verdict: 'differs', notes: ['is listed and not seen'] }));
}

function judge(what: string, differences: readonly Difference[], seen: Set<Difference>): Check {
  for (const difference of differences) seen.add(difference);
  const notes = differences.map((each) => `${each} — ${KNOWN_FROM_EXAMPLES[each] ?? 'not known'}`);
  if (differences.length === 0) return { what, verdict: 'same', notes };
  const isKnown = differences.every((each) => KNOWN_FROM_EXAMPLES[each] !== undefined);
  return { what, verdict: isKnown ? 'known' : 'differs', notes };
}
