import { fencesOf } from './fences.ts';
import { Reader } from './reader.ts';
import type { Tools } from './reader.ts';

/** Each of these is wrong in its own way, and must be found. */
const FAULTS: Record<string, string> = {
  'a route that is not there':
    '```sh\neval "$(./engine env)"\ncurl -sS "$URL/api/v1/mesages" -H "x-api-key: $KEY"\n```',
  'a variable that nothing sets': '```sh\necho "${NOTHING:?send a message first}"\n```',
  'a call with an empty variable': '```sh\n./engine call GET /inbox/messages/$NOTHING/status\n```',
  'a program that is not there': '```sh\nengin env\n```',
  'an answer of another shape':
    '```sh\neval "$(./engine env)"\ncurl -sS "$URL/api/v1/status"\n```\n\n<!-- answer -->\n\n```json\n{ "status": "ok", "dependencies": [{ "named": "database" }] }\n```',
  'a block that nothing runs': '```ruby\nputs 1\n```',
};

/** Proves that the documents' test fails when a document is wrong. */
export async function plantedFaults(tools: Tools): Promise<string[]> {
  const missed: string[] = [];
  for (const [name, text] of Object.entries(FAULTS)) {
    const reader = new Reader({ ...tools });
    await reader.read(fencesOf('planted.md', text));
    await reader.close();
    if (reader.problems.length === 0) missed.push(`A planted fault was not found: ${name}.`);
  }
  return missed;
}
