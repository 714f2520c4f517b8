/** The answer to `engine --help`. */
export const USAGE = `engine                              everything on one machine, as "npm start"
engine api | worker                 one half of it
engine env                          for the shell: eval "$(./engine env)" sets URL and keys of the engine of this directory
engine call METHOD PATH [JSON]      one request, as in: engine call GET /inbox/chats. PATH begins behind /api/v1. Prints the
                                    status and the JSON; exit code 1 for an error. The key is KEY, else that of
                                    "npm start"; the address is ENGINE_URL, else this machine's engine
engine listen [--forward URL]       shows events as they happen, and posts them to URL, signed;
                                    typing an event's id sends it again
engine resend EVENT_ID --forward URL
                                    sends that event to URL, signed; exit code 1 when URL does not take it
engine trigger EVENT                makes an event happen in the sandbox: message, message.ack, session.status,
                                    session.restricted, session.quota, conversation.assigned,
                                    conversation.released, conversation.labelled;
                                    others go to an endpoint as examples, marked as tests
engine status [--json]              how everything is, and what to do where something is wrong; exit code 0 when all
                                    is well, 1 when something is not, 3 when nothing runs here
engine doctor [--json]              examines everything: database, Temporal, backends, secrets, disks, sessions, receivers;
                                    exit code 1 at a problem. It changes nothing, and says what it can of an engine
                                    that is down
engine doctor --repair [NAME …]     lists what faults of earlier releases left in the rows, then repairs it; may run again.
                                    A repair that deletes runs only when it is named: empty-erasures
engine temporal …                   Temporal's own command line, against the Temporal of the engine
engine sql "select …"               a statement in the database of the engine; each row is a line of JSON
engine parked-events [list | apply ID | apply --all]
                                    what the backend told and could not be applied: shows it, or applies it again
engine import FILE --agency ID --tenant ID
                                    reads the export of a tenant into a tenant that has nothing
engine rotate-encryption-key        seals anew what ENGINE_ENCRYPTION_KEY_PREVIOUS has sealed
engine --version                    the versions of the engine, Node and Temporal, for bug reports

  --url URL            the engine; without it, the one that runs on DATA_DIR (./data)
  --api-key KEY        a dashboard's, a session's or the master key; without it, the key of "npm start" in DATA_DIR
  --agency ID          with the master key (demo)
  --tenant ID          with a dashboard's or the master key; "listen" without it receives events of all tenants
  --header "NAME: VALUE"               call: a header of the request; may be repeated
  --events A,B         listen: these only
  --since TIME|10m     listen: begins then instead of now
  --secret SECRET      listen, resend: signs with it instead of the SECRET of "./engine env"
  --endpoint ID        trigger: an example to this endpoint, which needs no sandbox
  --from NUMBER --text TEXT           trigger: who writes what
  --sandbox-url URL --sandbox-key KEY  trigger: another sandbox than that of "npm start"
  --psk SECRET         parked-events, rotate-encryption-key: WORKFLOW_ENGINE_INTERNAL_PSK; without it, that of "npm start" in DATA_DIR
`;
