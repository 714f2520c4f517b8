/** The parts of the standard outside this profile, each with its reason and the way to do without. */
export const REFUSED_TASKS: ReadonlyMap<string, string> = new Map([
  ['run', 'The profile has no `run`: the engine runs no containers, scripts or other workflows. Call a function.'],
  ['fork', 'The profile has no `fork`: a conversation has one speaker at a time. Write the tasks in order.'],
  [
    'emit',
    'The profile has no `emit`: the engine emits the events of its messages. Call `callWebhook` to report something.',
  ],
]);

export const REFUSED_CALLS: ReadonlyMap<string, string> = new Map([
  ['grpc', 'The profile has no gRPC calls. Call `http`.'],
  ['openapi', 'The profile has no OpenAPI calls, because it reads no remote documents. Call `http`.'],
  [
    'asyncapi',
    'The profile has no AsyncAPI calls, because it reads no remote documents. Call `http` or `callWebhook`.',
  ],
  ['a2a', 'The profile has no A2A calls. Call `http`.'],
  ['mcp', 'The profile has no MCP calls. Call `http`.'],
  ['sleep', 'The standard has a task for this: write `wait`.'],
]);

const NO_AUTHENTICATION = 'The profile has `bearer` and `basic` authentication only.';

/** Properties by the place in which they would be. The empty place is the top of the definition. */
const REASONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    timeout: 'The profile bounds each wait instead of the run: set `within`, or `timeout` of a `listen`.',
    output: 'A run has no output: call a function that keeps or sends the result.',
  },
  use: {
    extensions: 'The profile has no extensions, because they change what a task does from far away.',
    catalogs: 'The profile has no catalogs, because it reads no remote resources.',
    functions: 'The profile has no functions of its own. Call those of the engine.',
    authentications: 'The profile has no named authentications. Write `endpoint.authentication` in place.',
    errors: 'The profile has no named errors. Write the error in place.',
    retries: 'The profile has no named retry policies. Write the policy in place.',
    timeouts: 'The profile has no named timeouts. Write the duration in place.',
  },
  schedule: {
    after: 'The profile has no `after`: a run that restarts itself never ends. Use `cron`.',
  },
  'schedule/on': {
    any: 'A workflow has one trigger. Copy the workflow for another event.',
    all: 'A workflow has one trigger: it cannot wait for several events before it begins.',
  },
  task: {
    timeout: 'Only `listen` has a `timeout`. Other waits are bounded by themselves.',
  },
  listen: {
    foreach: 'The profile has no `foreach`: a `listen` ends with its events. Use `for`.',
    read: 'The profile has no `read`: the output of a `listen` is the data of its events.',
  },
  retry: {
    jitter: 'The profile has no jitter: the engine spreads its requests by itself.',
    when: 'A policy has no `when`. Write it in `catch`.',
    exceptWhen: 'A policy has no `exceptWhen`. Write it in `catch`.',
  },
  http: {
    redirect: 'The engine follows no redirects, because they can lead to private addresses.',
  },
  authentication: {
    digest: NO_AUTHENTICATION,
    oauth2: NO_AUTHENTICATION,
    oidc: NO_AUTHENTICATION,
    use: 'The profile has no named authentications. Write `bearer` or `basic` with the name of a secret.',
  },
  schema: {
    resource: 'The profile reads no remote resources. Write the schema in `document`.',
  },
};

const PROPERTIES = new Map(
  Object.entries(REASONS).map(([place, reasons]) => [place, new Map(Object.entries(reasons))]),
);

/** Says why a property is refused. The place is a path, whose last part may have the reason. */
export function refusalOf(place: string, property: string): string {
  const reasons = PROPERTIES.get(place) ?? PROPERTIES.get(place.split('/').at(-1) ?? '');
  return reasons?.get(property) ?? `The property \`${property}\` does not exist here in this profile.`;
}
