/** The time of the first answer in every recording. */
const EPOCH_MS = Date.parse('2026-03-02T09:30:00.000Z');
const ID = /\b(msg|cnv|con|ses|whe|evt|trn|mem|reh|key|ntc|aud|req|lnk|act|str)_[0-9a-f]{8}-[0-9a-f-]{27}\b/g;
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * Makes a recording the same on every machine and day as far as it can be: ids are numbered in the order in which they
 * were met, times move to one day, and addresses and secrets are those of an example.
 */
export function stable(json: string, { startedAtMs, url }: { startedAtMs: number; url: string }): string {
  const ids = new Map<string, string>();
  const shiftMs = EPOCH_MS - startedAtMs;
  const idOf = (id: string, prefix: string): string => {
    const known = ids.get(id) ?? `${prefix}_019a8f3e-7c00-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const seconds = Math.round(startedAtMs / 1_000);
  return json
    .replaceAll(ID, idOf)
    .replaceAll(TIME, (time) => `${new Date(Date.parse(time) + shiftMs).toISOString().slice(0, 19)}.000Z`)
    .replaceAll(
      /"timestamp": ?(\d{10})\b/g,
      (_, at: string) => `"timestamp": ${Number(at) - seconds + EPOCH_MS / 1_000}`,
    )
    .replaceAll(url, 'https://engine.example.com')
    .replaceAll(
      /http:\/\/engine\.test(\/connect\/lnk_[^/]+)\/[\w-]+/g,
      'https://engine.example.com$1/3bX9tq5Zk0c7wVh2uYpR8sLdFgNjA1Ee',
    )
    .replaceAll(/"code": "[0-9A-F]{4}-[0-9A-F]{4}"/g, '"code": "ABCD-1234"')
    .replaceAll(
      /"(apiKey|secret|webhookSecret)": "[^"]{8,}"/g,
      (_, name: string) => `"${name}": "${EXAMPLE_SECRETS[name] ?? ''}"`,
    )
    .replaceAll(/"data": "iVBOR[^"]*"/g, `"data": "${WHOLE_PICTURE}"`)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/hook/g, 'https://hooks.example.com/events')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/?/g, 'https://dashboard.example.com/');
}

/** A PNG of one pixel: a request with it is accepted as it stands in the document. */
const WHOLE_PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const EXAMPLE_SECRETS: Readonly<Record<string, string>> = {
  apiKey: 'mae_3bX9tq5Zk0c7wVh2uYpR8sLdFgNjA1Ee',
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  webhookSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
};
