/** The first commands, as `npm start`, the README and the guides show them. A test compares. */

/** The agency that they register. */
export const FIRST_AGENCY = 'demo';

/** Gives the shell the engine's address and keys. */
export const ENVIRONMENT = `eval "$(./engine env)"`;

const JSON_BODY = `-H 'content-type: application/json'`;

/** Starts the reader's own receiver of events. */
export const RECEIVE = 'python3 docs/snippets/verify.py';

export const REGISTER = `KEY=$(curl -sS "$URL/v1/internal/dashboard/register" -H "authorization: PSK $PSK" ${JSON_BODY} \\
  -d '{"agencyId":"demo","dashboardName":"Demo","dashboardUrl":"http://127.0.0.1:'$RECEIVER_PORT'/events","webhookSecret":"'$SECRET'","rotateKey":true,"keepKeys":true}' \\
  | field apiKey) && echo "$KEY" > "$KEY_FILE"`;

export const CONNECT = `curl -sS "$URL/api/v1/sessions" -H "x-api-key: $KEY" ${JSON_BODY} -d '{"tenantId":"shop"}' | field`;

export const SEND = `MESSAGE=$(curl -sS "$URL/api/v1/messages/send" -H "x-api-key: $KEY" ${JSON_BODY} \\
  -d '{"tenantId":"shop","to":"+15550100020","text":"Hello from the engine"}' | field messageId)`;
