/** The answer to `engine --help`. */
export const USAGE = `engine                              runs everything on one machine, as "npm start"
engine api | worker                 runs one half of it
engine env                          sets the shell's URL and keys: eval "$(./engine env)"
engine call METHOD PATH [JSON]      sends one request, as in: engine call GET /inbox/chats. PATH begins behind /api/v1.
                                    Prints the status and the JSON; exit code 1 for an error. Uses KEY, or the key of
                                    "npm start", and ENGINE_URL, or this machine's engine
engine listen [--forward URL]       shows events as they happen, and posts them to URL, signed;
                                    type an event's id to send it again
engine resend EVENT_ID --forward URL
                                    sends that event to URL, signed; exit code 1 if URL refuses it
engine trigger EVENT                makes an event happen in the sandbox: message, message.ack, session.status,
                                    session.restricted, session.quota, conversation.assigned,
                                    conversation.released, conversation.labelled;
                                    sends any other as an example to an endpoint, marked as a test
engine status [--json]              shows the state and the next steps; exit code 0 if all is well, 1 if not,
                                    3 if nothing runs here
engine doctor [--json]              checks database, Temporal, backends, secrets, disks, sessions and receivers,
                                    also of an engine that is down; exit code 1 at a problem. Changes nothing
engine doctor --repair [NAME …]     lists faults of earlier releases in the rows, then repairs them; safe to repeat.
                                    Name a repair that deletes: empty-erasures
engine temporal …                   runs Temporal's command line against the engine's Temporal
engine sql "select …"               runs a statement in the engine's database; prints each row as a line of JSON
engine parked-events [list | apply ID | apply --all]
                                    lists backend events that could not be applied, or applies them again
engine import FILE --agency ID --tenant ID
                                    imports the export of a tenant into an empty tenant
engine rotate-encryption-key        re-encrypts the secrets of ENGINE_ENCRYPTION_KEY_PREVIOUS
engine --version                    prints the versions of the engine, Node and Temporal, for bug reports

  --url URL            the engine; default: the one that runs on DATA_DIR (./data)
  --api-key KEY        a dashboard's, a session's or the master key; default: the key of "npm start" in DATA_DIR
  --agency ID          with the master key (demo)
  --tenant ID          with a dashboard's or the master key; without it, "listen" shows events of all tenants
  --header "NAME: VALUE"               call: a header of the request; may be repeated
  --events A,B         listen: only these
  --since TIME|10m     listen: begins then instead of now
  --secret SECRET      listen, resend: signs with it instead of the SECRET of "./engine env"
  --endpoint ID        trigger: sends an example to this endpoint, without a sandbox
  --from NUMBER --text TEXT           trigger: the sender and the text
  --sandbox-url URL --sandbox-key KEY  trigger: another sandbox than that of "npm start"
  --psk SECRET         parked-events, rotate-encryption-key: WORKFLOW_ENGINE_INTERNAL_PSK; default: that of "npm start"
`;
