/** The first text of the document. */
export const INTRODUCTION = `Connects messaging accounts to dashboards: durable sends, a complete inbox, signed events, and an AI sales agent with handover to people.

**Keys.** Send \`X-API-Key\` with every call. A session's key acts for one account and needs neither \`agencyId\` nor
\`tenantId\`. A dashboard's key names the tenant, in the body or the query, as \`tenantId\`. The operator's master key
names both. An operation with \`x-dashboard-key\` refuses a session's key.

**Answers.** A 2xx means that the work is stored and will not be lost. Errors are \`application/problem+json\`: branch
on \`code\` and show \`detail\`. Each code has a page under \`/docs/errors\`. \`x-error-codes\` lists the codes of an
operation; any operation can also return the general codes of a refusal. A request with an unknown name returns 422 with
the nearest known name, unless the name begins with \`_\`.

**Rates.** \`RateLimit\` and \`RateLimit-Policy\` of each response show the units left and the limits. \`x-rate-cost\` is
the cost of an operation in units; otherwise it costs one.

**Retries.** Send an \`Idempotency-Key\` with every POST that accepts one. A repeat with the same key gets the first
response again for 48 hours, so a lost response never causes a second message.

**Lists.** \`x-pagination\` says how to read a list to its end: the field with the rows, and \`cursor\` or \`offset\`.

**Times** are ISO 8601 in UTC, except \`timestamp\`, which is Unix seconds. Durations and sizes have their unit in their
name.

**Growth.** Releases add fields, codes and kinds, and never change their meaning. A \`deprecated\` one stays for two more
releases. Treat an unknown value as "something else", and ignore unknown fields.

Guides: [send a message](/docs/send), [receive events](/docs/receive), [the AI agent](/docs/agent),
[the sandbox](/docs/sandbox), [operate](/docs/monitor), [words](/docs/words). The
[reference for people](/docs/api) has examples, each status and the meaning of each value.

**Passthrough.** Clients of the messaging backend work with a session's key and the engine's address. They keep their
paths, under \`/api/…\`: see [the list](/docs/backend-routes).`;

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      "One of three kinds of keys. A dashboard's key is in the response to its registration.\n\nA session's " +
      'key is created with `POST /api/v1/api-keys` and acts for one account. The master key belongs to the ' +
      'operator (`ENGINE_API_KEY`).',
  },
  psk: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'The word `PSK`, a space, and the pre-shared key of the operator (`WORKFLOW_ENGINE_INTERNAL_PSK`). Enter ' +
      'all of it, such as `PSK 4f3c…`.',
  },
  backendSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Hmac',
    description:
      'HMAC-SHA512 of the raw body in hexadecimal digits, with the secret that the engine shares with the backend.',
  },
} as const;
