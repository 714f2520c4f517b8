/** What a reader of the document learns first. */
export const INTRODUCTION = `Connects messaging accounts to dashboards: durable sends, a complete inbox, signed events, and an AI sales agent that hands over to people.

**Keys.** Send \`X-API-Key\` with every call. A session's key is bound to one account and needs neither \`agencyId\` nor
\`tenantId\`. A dashboard's key names the tenant, in the body or the query, as \`tenantId\`. The operator's master key names
both.

**Responses.** A 2xx means that the work is stored and will not be lost. Errors are \`application/problem+json\`: branch on
\`code\`, which has its own page under \`/docs/errors\`, and show \`detail\`. \`x-error-codes\` of each operation lists the
codes that it can return. A name that the operation does not
know is refused with 422, in a body as in a query, with the nearest one, unless it begins with \`_\`. \`agencyId\` and
\`tenantId\` may stand anywhere.

**Retries.** Send an \`Idempotency-Key\` with every POST that accepts one. The same request with the same key gets the
first response again for 48 hours, so a lost response never causes a second message.

**Lists.** \`x-pagination\` says how to read each list to its end: which field contains the rows, and whether it
continues by \`cursor\` or by \`offset\`.

**Times** are ISO 8601 in UTC, except \`timestamp\`, which is Unix seconds as the network writes it. Durations and sizes
have their unit in their name.

**Growth.** Fields, codes and kinds are added, and their meaning stays. One that must go is marked as \`deprecated\` here and
in the changelog, and stays in the two releases after that. Treat a value that you do not know as "something else", and ignore
fields that you do not know.

Guides: [send a message](/docs/send), [receive events](/docs/receive), [the AI agent](/docs/agent),
[the sandbox](/docs/sandbox), [operate](/docs/monitor), [words](/docs/words).

**Passthrough.** Clients that were written for the messaging backend work with a session's key and the engine's address: they
keep their paths, under \`/api/…\`. [All of them are listed](/docs/backend-routes), with who may use each and what happens to the request.`;

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      "One of three kinds of keys. A dashboard's key is in the response to its registration. A session's key is " +
      'created with `POST /api/v1/api-keys` and acts for one account. The master key belongs to the operator ' +
      '(`ENGINE_API_KEY`).',
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
