import { ask } from './ask.ts';
import type { Asked, Told } from './ask.ts';
import { differencesOf } from './differences.ts';
import { findRoute } from './document.ts';
import { KNOWN_DIFFERENCES } from './known.ts';
import { probesFor } from './probes.ts';
import type { Probe } from './probes.ts';
import { setScene } from './scene.ts';
import type { Check } from './table.ts';

/** Representative answers, compared with the document where it describes them. */
export async function checkAnswers(asked: Asked): Promise<Check[]> {
  const seen = new Set<string>();
  const checks: Check[] = [];
  for (const probe of probesFor(await setScene(asked))) checks.push(await checkAnswer(asked, probe, seen));
  // A difference that is gone must leave the list, or it would hide the next one.
  const gone = Object.keys(KNOWN_DIFFERENCES).filter((difference) => !seen.has(difference));
  return [...checks, ...gone.map((what): Check => ({ what, verdict: 'differs', notes: ['is listed and not seen'] }))];
}

async function checkAnswer(asked: Asked, probe: Probe, seen: Set<string>): Promise<Check> {
  const what = `answer  ${probe.method} ${probe.path}`;
  const told = await ask(asked, probe.method, probe.path, probe);
  const differences = compare(asked, probe, told);
  for (const difference of differences) seen.add(difference);
  const notes = differences.map((difference) => {
    const reason = KNOWN_DIFFERENCES[difference];
    return reason === undefined ? `${difference} — not known` : `${difference} — ${reason}`;
  });
  if (differences.length === 0) return { what, verdict: 'same', notes };
  const known = differences.every((difference) => KNOWN_DIFFERENCES[difference] !== undefined);
  return { what, verdict: known ? 'known' : 'differs', notes };
}

function compare(asked: Asked, { method, route }: Probe, { status, contentType, body }: Told): string[] {
  const found = findRoute(asked.document, method, route);
  const name = `${method} ${route}`;
  if (!found) return [`${name}: is not in the document`];
  const answer = found.operation.responses[String(status)];
  if (!answer) return [`${name}: answers ${status}, which is not in the document`];
  const schema = answer.content?.[contentType === '' ? 'application/json' : contentType]?.schema;
  if (!schema) return [];
  return differencesOf(asked.document, schema, body, name);
}
