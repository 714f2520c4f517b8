import { loadConfig } from '../../config.ts';
import { EngineError } from '../../sdk/typescript/src/index.ts';
import { CommandError, UsageError } from './command-error.ts';
import { clientOf, sentenceOf } from './client.ts';
import { shellEnvironment } from './env.ts';
import { receiverOf } from './forward.ts';
import { findHome } from './home.ts';
import type { Home } from './home.ts';
import { listen, readSince, readTypes, resend } from './listen.ts';
import { didYouMean, parseWords } from './near-word.ts';
import { SandboxPeople } from './sandbox.ts';
import { parkedEvents } from './parked-events.ts';
import { rotateEncryptionKey } from './rotate-encryption-key.ts';
import {
  findOperatorTarget,
  findSandbox,
  findTarget,
  OPERATOR_FLAGS,
  SANDBOX_FLAGS,
  TARGET_FLAGS,
  withTenant,
} from './target.ts';
import { runSql } from './sql.ts';
import { status } from './status/status.ts';
import { runTemporal } from './temporal.ts';
import { trigger } from './trigger.ts';

const USAGE = `engine                              everything on one machine, as "npm start"
engine api | worker                 one half of it
engine env                          for the shell: eval "$(npx engine env)" sets URL and keys of the engine of this directory
engine listen [--forward URL]       shows events as they happen, and posts them to URL, signed;
                                    typing an event's id sends it again
engine resend EVENT_ID --forward URL
                                    sends that event to URL, signed; exit code 1 when URL does not take it
engine trigger EVENT                makes an event happen in the sandbox: message, message.ack, session.status,
                                    session.restricted, conversation.assigned, conversation.released,
                                    conversation.labelled;
                                    others go to an endpoint as examples, marked as tests
engine status [--json]              how everything is, and what to do where something is wrong; exit code 0 when all
                                    is well, 1 when something is not, 3 when nothing runs here
engine doctor [--json]              examines everything: database, Temporal, backends, secrets, disks, sessions, receivers;
                                    exit code 1 at a problem. It changes nothing, and says what it can of an engine
                                    that is down
engine doctor --repair              lists what faults of earlier releases left in the rows, then repairs it; may run again
engine temporal …                   Temporal's own command line, against the Temporal of the engine
engine sql "select …"               a statement in the database of the engine; each row is a line of JSON
engine parked-events [list | apply ID | apply --all]
                                    what the backend told and could not be applied: shows it, or applies it again
engine import FILE --agency ID --tenant ID
                                    reads the export of a tenant into a tenant that has nothing
engine rotate-encryption-key        seals anew what ENGINE_ENCRYPTION_KEY_PREVIOUS has sealed

  --url URL            the engine; without it, the one that runs on DATA_DIR (./data)
  --api-key KEY        a dashboard's, a session's or the master key; without it, the key of "npm start" in DATA_DIR
  --agency ID          with the master key (demo)
  --tenant ID          with a dashboard's or the master key; "listen" without it receives events of all tenants
  --events A,B         listen: these only
  --since TIME|10m     listen: begins then instead of now
  --secret SECRET      listen, resend: signs with it instead of the SECRET of "npx engine env"
  --endpoint ID        trigger: an example to this endpoint, which needs no sandbox
  --from NUMBER --text TEXT           trigger: who writes what
  --sandbox-url URL --sandbox-key KEY  trigger: another sandbox than that of "npm start"
  --psk SECRET         parked-events, rotate-encryption-key: WORKFLOW_ENGINE_INTERNAL_PSK; without it, that of "npm start" in DATA_DIR
`;

const text = { type: 'string' } as const;
const FORWARD_FLAGS = { forward: text, secret: text } as const;

/** Runs with the words behind its own name. Returns its exit code when that is not 0. */
type Command = (words: string[], home: Home, stopping: AbortSignal) => Promise<number | void>;

const COMMANDS: Record<string, Command> = {
  async env(words, { config }) {
    parseWords({ args: words, options: {} });
    const { lines, notes } = await shellEnvironment(config);
    lines.forEach(say);
    // The shell evaluates what is printed; what a person should know goes past it.
    for (const note of notes) console.error(note);
  },

  async listen(words, home, stopping) {
    const options = { ...TARGET_FLAGS, ...FORWARD_FLAGS, events: text, since: text };
    const { values } = parseWords({ args: words, options });
    const receiver = values.forward === undefined ? null : await receiverOf(values.forward, values.secret, home);
    const [types, since] = [readTypes(values.events), readSince(values.since)];
    const target = await findTarget(values, home.config);
    say(`Listening to ${target.url}${receiver === null ? '' : `, forwarding to ${receiver.url}`}. Stop with Ctrl-C.`);
    if (receiver !== null && receiver.note !== null) say(receiver.note);
    await listen({ client: clientOf(target), receiver, types, since, stopping, say });
  },

  async resend(words, home) {
    const options = { ...TARGET_FLAGS, ...FORWARD_FLAGS };
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const id = onlyWord(positionals, 'the id of the event');
    if (values.forward === undefined) throw new UsageError('Say where to: --forward URL.');
    const receiver = await receiverOf(values.forward, values.secret, home);
    if (receiver.note !== null) say(receiver.note);
    const client = clientOf(await findTarget(values, home.config));
    const { isTaken } = await resend({ client, receiver, say }, id, 1);
    return isTaken ? 0 : 1;
  },

  async 'parked-events'(words, { config }) {
    const options = { ...OPERATOR_FLAGS, all: { type: 'boolean' } } as const;
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const client = clientOf(await findOperatorTarget(values, config));
    await parkedEvents(positionals, values.all ?? false, { client, say });
  },

  async 'rotate-encryption-key'(words, { config }) {
    const { values } = parseWords({ args: words, options: OPERATOR_FLAGS });
    await rotateEncryptionKey(clientOf(await findOperatorTarget(values, config)), say);
  },

  async trigger(words, { config }) {
    const options = { ...TARGET_FLAGS, ...SANDBOX_FLAGS, endpoint: text, from: text, text };
    const { values, positionals } = parseWords({ args: words, options, allowPositionals: true });
    const event = onlyWord(positionals, 'the event');
    const client = clientOf(withTenant(await findTarget(values, config), values));
    await trigger(event, {
      client,
      people: async () => SandboxPeople.of(client, await findSandbox(values, config)),
      endpointId: values.endpoint ?? null,
      from: values.from ?? '+15550100078',
      text: values.text ?? 'Hello from "engine trigger"',
      say,
    });
  },

  async status(words, home) {
    const { values } = parseWords({ args: words, options: { json: { type: 'boolean' } } });
    return status(home, { json: values.json ?? false, say });
  },

  async import(words, { config }) {
    const { values, positionals } = parseWords({
      args: words,
      options: { agency: text, tenant: text },
      allowPositionals: true,
    });
    const path = onlyWord(positionals, 'the file');
    const { agency: agencyId, tenant: tenantId } = values;
    if (agencyId === undefined || tenantId === undefined)
      throw new UsageError('Say into what: --agency ID --tenant ID.');
    // It brings the parts of a worker along, which no other command needs.
    const { runImport } = await import('./import-tenant.ts');
    await runImport(config, { path, agencyId, tenantId }, say);
  },

  async doctor(words, home) {
    const flag = { type: 'boolean' } as const;
    const { values } = parseWords({ args: words, options: { json: flag, repair: flag } });
    if (values.repair === true) {
      const { repair } = await import('./doctor/repair.ts');
      return repair(home, say);
    }
    // What it asks is loaded for it alone, because other commands would begin later.
    const { doctor } = await import('./doctor/doctor.ts');
    return doctor(home, { json: values.json ?? false, say });
  },

  sql: (words, home) => runSql(words, home, say),

  temporal: runTemporal,
};

/** These commands pass their words on, also `--help`. */
const PASSING_ON: readonly string[] = ['temporal'];

/** The words that start a process, which `bin/main.ts` runs. */
const STARTING: readonly string[] = ['api', 'worker'];

/** Says that there is no such command, and which one was probably meant. */
export function unknownCommand(words: string[]): string {
  const near = didYouMean(words[0] ?? '', [...Object.keys(COMMANDS), ...STARTING]);
  return `There is no "${words.join(' ')}".${near} Start with nothing, "api" or "worker", or see "npx engine --help".`;
}

/** Runs a command of the command line and returns its exit code, or undefined for a word that is no command. */
export async function runCommand(words: string[], stopping: AbortSignal): Promise<number | undefined> {
  const [name = '', ...rest] = words;
  const asksForHelp = words.includes('--help') || words.includes('-h');
  if (name === 'help' || (asksForHelp && !PASSING_ON.includes(name))) {
    say(USAGE);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return undefined;
  try {
    return (await command(rest, findHome(loadConfig()), stopping)) ?? 0;
  } catch (error) {
    if (error instanceof UsageError || isBadFlag(error)) {
      console.error(`${error.message}\n"npx engine --help" lists the commands.`);
      return 2;
    }
    if (!(error instanceof CommandError) && !(error instanceof EngineError)) throw error;
    console.error(error instanceof EngineError ? sentenceOf(error) : error.message);
    return 1;
  }
}

function onlyWord([word, ...others]: string[], what: string): string {
  if (word === undefined || others.length > 0) throw new UsageError(`Name ${what}, and nothing else.`);
  return word;
}

/** The codes by which node refuses flags that it does not know. */
function isBadFlag(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

function say(line: string): void {
  console.log(line);
}
