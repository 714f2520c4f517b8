import { callsOf, pascal } from './document.ts';
import type { OpenApi } from './document.ts';
import { knowSchemas, methodOf } from './methods.ts';
import type { Method } from './methods.ts';
import { ownersOf } from './owners.ts';
import { TypeWriter } from './types.ts';

const HEAD = '// Made from openapi.json by `npm run client`: change the routes, not this file.\n';

interface Declaration {
  name: string;
  text: string;
  /** The types that it speaks of. */
  names: Set<string>;
  folder: string;
  part: 'given' | 'answered';
}

interface Placed extends Declaration {
  /** From the folder of all. */
  file: string;
}

/** Longer files are split. */
const MAX_LINES = 280;

/** The files of the client that are made from the document, by their path. */
export async function filesOf(
  document: OpenApi,
  format: (text: string) => Promise<string>,
): Promise<Map<string, string>> {
  knowSchemas(document.components.schemas);
  const methods = methodsOf(document);
  const declared = await placed(declarationsOf(document, methods), format);
  const files = new Map<string, string>();
  for (const file of new Set([...declared.values()].map((one) => one.file))) files.set(file, typesFile(file, declared));
  const ofTypes = [...files.keys()];
  for (const [resource, list] of methods) files.set(`${resource}/calls.ts`, callsFile(resource, list, declared));
  files.set('events/any.ts', eventsFile(document, declared));
  files.set('resources.ts', resourcesFile(document, [...methods.keys()]));
  files.set('types.ts', typesIndex([...ofTypes, 'events/any.ts']));
  for (const [path, text] of files) files.set(path, await format(text));
  return files;
}

function typesIndex(files: readonly string[]): string {
  return `${HEAD}${files
    .toSorted()
    .map((file) => `export type * from './${file}';\n`)
    .join('')}`;
}

function methodsOf(document: OpenApi): Map<string, Method[]> {
  const methods = new Map<string, Method[]>();
  for (const call of callsOf(document)) {
    const [resource = ''] = call.operation.operationId.split('.');
    methods.set(resource, [...(methods.get(resource) ?? []), methodOf(call)]);
  }
  return methods;
}

/** Every type with a name. */
function declarationsOf(document: OpenApi, methods: Map<string, Method[]>): Declaration[] {
  const ofDocument = [...ownersOf(document)].map(([name, { resource, isGiven }]) =>
    declaration(resource, { name, schema: document.components.schemas[name] ?? {}, isGiven }),
  );
  const ofMethods = [...methods].flatMap(([resource, list]) =>
    list.flatMap(({ types }) => types.map((type) => declaration(resource, type))),
  );
  return [...ofDocument, ...ofMethods];
}

function declaration(resource: string, { name, schema, isGiven }: Method['types'][number]): Declaration {
  const writer = new TypeWriter({ isGiven });
  return {
    name,
    text: writer.declaration(name, schema),
    names: writer.names,
    folder: resource,
    part: isGiven ? 'given' : 'answered',
  };
}

/** Gives each type its file: what is sent, and what comes, in as many parts as they need. */
async function placed(
  all: readonly Declaration[],
  format: (text: string) => Promise<string>,
): Promise<Map<string, Placed>> {
  const result = new Map<string, Placed>();
  const ends = new Map<string, { part: number; lines: number }>();
  for (const one of all) {
    if (result.has(one.name)) throw new Error(`Two types would be called ${one.name}.`);
    const text = await format(one.text);
    const stem = `${one.folder}/${one.part}`;
    const length = text.split('\n').length;
    const end = ends.get(stem) ?? { part: 1, lines: 0 };
    const isFull = end.lines > 0 && end.lines + length > MAX_LINES;
    const { part, lines } = isFull ? { part: end.part + 1, lines: 0 } : end;
    ends.set(stem, { part, lines: lines + length });
    result.set(one.name, { ...one, text, file: `${stem}${part === 1 ? '' : `-${part}`}.ts` });
  }
  return result;
}

function typesFile(file: string, declared: Map<string, Placed>): string {
  const own = [...declared.values()].filter((one) => one.file === file);
  const names = new Set(own.flatMap((one) => [...one.names]));
  return `${HEAD}${importsOf(names, file, declared)}\n${own.map(({ text }) => text).join('\n')}`;
}

function importsOf(names: Iterable<string>, file: string, declared: Map<string, Placed>): string {
  const byFile = new Map<string, string[]>();
  for (const name of [...names].toSorted()) {
    const from = declared.get(name)?.file;
    if (from === undefined) throw new Error(`No schema is called ${name}.`);
    if (from !== file) byFile.set(from, [...(byFile.get(from) ?? []), name]);
  }
  const [folder = ''] = file.split('/');
  return [...byFile]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, list]) => {
      const path = from.startsWith(`${folder}/`) ? `./${from.slice(folder.length + 1)}` : `../${from}`;
      return `import type { ${list.join(', ')} } from '${path}';\n`;
    })
    .join('');
}

function callsFile(resource: string, methods: readonly Method[], declared: Map<string, Placed>): string {
  const names = new Set(methods.flatMap((method) => [...method.names]));
  const runtime = new Set(methods.flatMap((method) => method.runtime));
  const types = ['CallOptions', 'WaitOptions'].filter((name) => runtime.has(name));
  return [
    HEAD,
    types.length === 0 ? '' : `import type { ${types.join(', ')} } from '../../options.ts';\n`,
    runtime.has('type Listed') ? "import type { Listed } from '../../listed.ts';\n" : '',
    runtime.has('type GivenFile') ? "import type { GivenFile } from '../../files.ts';\n" : '',
    runtime.has('path') ? "import { path } from '../../path.ts';\n" : '',
    "import { Resource } from '../../resource.ts';\n",
    importsOf(names, `${resource}/calls.ts`, declared),
    `\nexport class ${pascal(resource)}Calls extends Resource {\n`,
    methods.map(({ text }) => text).join('\n\n'),
    '\n}\n',
  ].join('');
}

/** Returns the events of webhooks, which `event` identifies. */
function eventsFile(document: OpenApi, declared: Map<string, Placed>): string {
  const names = Object.values(document.webhooks).map(({ post }) => {
    const ref = post.requestBody?.content['application/json']?.schema.$ref;
    if (ref === undefined) throw new Error(`The event ${post.operationId} has no schema with a name.`);
    return ref.slice(ref.lastIndexOf('/') + 1);
  });
  return `${HEAD}${importsOf(names, 'events/any.ts', declared)}
/** An event as it is posted to endpoints, told apart by \`event\`. */
export type AnyEvent = ${names.join(' | ')};
`;
}

function resourcesFile(document: OpenApi, resources: readonly string[]): string {
  const described = new Map(document.tags.map(({ name, description }) => [name, description]));
  return `${HEAD}import type { Caller } from '../caller.ts';
${resources.map((name) => `import { ${pascal(name)}Calls } from './${name}/calls.ts';\n`).join('')}
/** All resources of the engine. */
export class Resources {
${resources.map((name) => `/** ${described.get(name) ?? ''} */\nreadonly ${name}: ${pascal(name)}Calls;\n`).join('')}
constructor(caller: Caller) {
${resources.map((name) => `this.${name} = new ${pascal(name)}Calls(caller);\n`).join('')}
}
}
`;
}
