/*
 * The commands that register a first dashboard, as `npm start` shows them. The page reaches nothing of the engine's but
 * its client, so they stand here, too; a test holds both equal.
 */

/** Gives the shell the engine's address and keys. */
export const ENVIRONMENT = 'eval "$(./engine env)"';

export const REGISTER = `KEY=$(curl -sS "$URL/v1/internal/dashboard/register" -H "authorization: PSK $PSK" -H 'content-type: application/json' \\
  -d '{"agencyId":"demo","dashboardName":"Demo","dashboardUrl":"http://127.0.0.1:'$RECEIVER_PORT'/events","webhookSecret":"'$SECRET'","rotateKey":true,"keepKeys":true}' \\
  | field apiKey) && echo "$KEY" > "$KEY_FILE"`;
