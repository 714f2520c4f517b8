import { ORDER } from '../../tools/modules/order.ts';

/** Row by row: what a file of a folder must not import, and what it may. */
export interface Arrow {
  folder: string;
  refused: readonly string[];
  allowed: readonly string[];
}

export const ARROWS: readonly Arrow[] = [
  {
    folder: 'packages/console/pages/inbox',
    refused: [
      "import '../../../../domain/error.ts';",
      "import '../../../typescript/src/retry.ts';",
      "import 'node:fs';",
      "import 'chart.js';",
      "import 'lucide-static';",
    ],
    allowed: [
      "import '../../../typescript/src/index.ts';",
      "import 'preact/hooks';",
      "import '@tanstack/query-core';",
      "import 'uplot';",
      "import '@github/combobox-nav';",
      "import 'lucide-static/icons/x.svg';",
      "import '../../parts/panel.tsx';",
    ],
  },
  {
    folder: 'domain',
    refused: [
      "import '../db/conversations/message.ts';",
      "import 'kysely';",
      "import 'node:fs';",
      "import '@temporalio/common';",
    ],
    allowed: ["import 'zod';", "import './error.ts';"],
  },
  {
    folder: 'domain/flows/cel',
    refused: [
      "import '../../../db/engine/database.ts';",
      "import 'kysely';",
      "import 'node:net';",
      "import '../../tenants/audit.ts';",
    ],
    allowed: [
      "import 'yaml';",
      "import '@marcbachmann/cel-js';",
      "import 'node:worker_threads';",
      "import '../../automations/trigger.ts';",
    ],
  },
  {
    // An event goes through the transaction's `emit`, which also starts automations.
    folder: 'db/sending',
    refused: ["import '../webhooks/event.ts';", "import '../media/fetch.ts';"],
    allowed: ["import '../engine/tx.ts';", "import '../conversations/message.ts';"],
  },
  {
    folder: 'domain/agent/prompt',
    refused: ["import '../../../db/engine/database.ts';", "import 'kysely';", "import '../../sending/content.ts';"],
    allowed: ["import '../../cut.ts';", "import '../sales-agent.ts';", "import '../reply/invisible.ts';"],
  },
  {
    folder: 'db',
    refused: [
      "import '../adapters/backend/client.ts';",
      "import '@temporalio/client';",
      "import '../config/config.ts';",
      "import '../domain/error.ts';",
    ],
    allowed: ["import '../domain/names.ts';", "import '@mikro-orm/core';", "import 'kysely';", "import 'pg';"],
  },
  {
    folder: 'db/webhooks',
    refused: ["import '../../domain/error.ts';", "import type { EngineError } from '../../domain/error.ts';"],
    allowed: ["import '../../domain/webhooks/endpoint.ts';", "import '../engine/database.ts';"],
  },
  {
    folder: 'adapters/backend',
    refused: [
      "import '../../db/conversations/message.ts';",
      "import '@temporalio/common';",
      "import '../../config/config.ts';",
    ],
    allowed: ["import '../../domain/names.ts';", "import 'undici';"],
  },
  {
    folder: 'loops/dispatch',
    refused: [
      "import '../../api/app.ts';",
      "import '../../activities/index.ts';",
      "import '../../worker/start.ts';",
      "import '../../workflows/index.ts';",
      "import '../releaser.ts';",
      "import '@temporalio/worker';",
    ],
    allowed: [
      "import '../../domain/names.ts';",
      "import '../../db/dispatch.ts';",
      "import '@temporalio/client';",
      "import type { A } from '../../workflows/index.ts';",
    ],
  },
  {
    folder: 'activities',
    refused: [
      "import '../adapters/backend/client.ts';",
      "import '../api/app.ts';",
      "import '../workflows/index.ts';",
      "import '@temporalio/client';",
    ],
    allowed: [
      "import '../domain/names.ts';",
      "import '../db/conversations/message.ts';",
      "import '../adapters/backend/backends.ts';",
      "import '@temporalio/activity';",
      "import 'undici';",
      "import 'ai';",
      "import type { A } from '../workflows/index.ts';",
    ],
  },
  {
    folder: 'adapters/models',
    refused: ["import '../../db/engine/database.ts';", "import '../../activities/agent/ask-model.ts';"],
    allowed: ["import '../egress/network-failure.ts';", "import 'ai';"],
  },
  {
    folder: 'adapters/egress',
    refused: ["import '../../db/engine/database.ts';", "import '../../activities/webhooks/attempt.ts';"],
    allowed: ["import './post.ts';", "import 'undici';"],
  },
  {
    folder: 'loops',
    refused: [
      "import '../adapters/backend/client.ts';",
      "import '../api/app.ts';",
      "import '../activities/webhooks/attempt.ts';",
      "import '../worker/start.ts';",
      "import '@temporalio/worker';",
    ],
    allowed: [
      "import '../db/engine/database.ts';",
      "import '../adapters/backend/backends.ts';",
      "import './dispatch/send-dispatch.ts';",
      "import type { A } from '../activities/webhooks/attempt.ts';",
    ],
  },
  {
    folder: 'workflows',
    refused: [
      "import '../activities/sending/messages.ts';",
      "export * from '../activities/sending/messages.ts';",
      "import '../db/conversations/message.ts';",
      "import '../adapters/backend/client.ts';",
      "import '../api/app.ts';",
      "import '../loops/dispatch/temporal-client.ts';",
      "import '../config/config.ts';",
      "import 'node:fs';",
      "import 'fs';",
      "import 'undici';",
      "void import('../db/conversations/message.ts');",
    ],
    allowed: [
      "import '../domain/names.ts';",
      "import './signals.ts';",
      "import '@temporalio/workflow';",
      "import type { A } from '../activities/sending/messages.ts';",
    ],
  },
  {
    folder: 'workflows/sending',
    refused: [
      "import '../../activities/sending/messages.ts';",
      "import '../../db/conversations/message.ts';",
      "import 'node:crypto';",
    ],
    allowed: ["import '../signals.ts';", "import '../../domain/names.ts';"],
  },
  {
    folder: 'workflows/automations',
    refused: [
      "import '../../adapters/backend/backends.ts';",
      "import '../../db/engine/database.ts';",
      "import 'undici';",
    ],
    allowed: [
      "import './define.ts';",
      "import '../../domain/automations/time.ts';",
      "import 'zod';",
      "import '@temporalio/workflow';",
      "import type { A } from '../../activities/automations/steps.ts';",
    ],
  },
  {
    folder: 'api',
    refused: [
      "import '../adapters/backend/client.ts';",
      "import '../activities/sending/messages.ts';",
      "import '../worker/start.ts';",
      "import '../workflows/index.ts';",
      "import '../local/sandbox/main.ts';",
      "import '../loops/dispatch/temporal-client.ts';",
      "import '@temporalio/client';",
    ],
    allowed: [
      "import '../domain/names.ts';",
      "import '../db/conversations/message.ts';",
      "import '../adapters/backend/backends.ts';",
      "import '../loops/apply-events.ts';",
    ],
  },
  {
    folder: 'api/sending',
    refused: ["import '../../activities/sending/messages.ts';", "import '../../worker/start.ts';"],
    allowed: ["import '../../db/conversations/message.ts';", "import './send.ts';", "import '../wire/answer.ts';"],
  },
  {
    folder: 'api/wire',
    refused: ["import '../sending/send.ts';", "import '../route/auth.ts';", "import '../passthrough/names.ts';"],
    allowed: ["import './problem.ts';", "import '../../domain/error.ts';"],
  },
  {
    folder: 'api/route',
    refused: ["import '../sending/send.ts';", "import '../passthrough/names.ts';"],
    allowed: ["import '../wire/problem.ts';", "import '../../db/idempotency.ts';"],
  },
  {
    folder: 'worker',
    refused: ["import '../api/app.ts';", "import '../local/sandbox/main.ts';"],
    allowed: [
      "import '../domain/names.ts';",
      "import '../db/engine/database.ts';",
      "import '../loops/dispatch/temporal-client.ts';",
      "import '../activities/index.ts';",
      "import '../workflows/index.ts';",
    ],
  },
  {
    folder: 'local/sandbox',
    refused: [
      "import '../../api/app.ts';",
      "import '../../db/conversations/message.ts';",
      "import '../../loops/dispatch/temporal-client.ts';",
      "import '../../worker/start.ts';",
      "import '../../domain/names.ts';",
      "import '../embedded/port.ts';",
    ],
    allowed: ["import type { A } from '../../domain/network/network-event.ts';", "import './app.ts';", "import 'koa';"],
  },
  {
    folder: 'local/sandbox/routes',
    refused: ["import '../../../domain/names.ts';", "import '../../../adapters/backend/client.ts';"],
    allowed: ["import '../parts.ts';"],
  },
  {
    folder: 'local/embedded',
    refused: ["import '../../domain/names.ts';", "import 'zod';", "import '@temporalio/client';"],
    allowed: ["import 'node:fs';", "import './port.ts';", "import 'pg';"],
  },
  {
    folder: 'bin',
    refused: [],
    allowed: ["import '../api/start.ts';", "import '../worker/start.ts';", "import '../config/config.ts';"],
  },
  {
    folder: 'packages/typescript/src',
    refused: ["import 'node:crypto';", "import 'zod';", "import type { A } from '../../../domain/error.ts';"],
    allowed: ["import './errors.ts';", "import './generated/resources.ts';"],
  },
];

const IMPORTS = 'eslint(no-restricted-imports)';
const GLOBALS = 'eslint(no-restricted-globals)';
const RUN_AGAIN = 'Temporal runs its code again';

/** An author's forbidden code, the rule that refuses it, and words of its reason. */
export const OUTSIDE_WORLD: readonly { what: string; code: string; rule: string; why: string }[] = [
  { what: 'files', code: "import 'node:fs';", rule: IMPORTS, why: RUN_AGAIN },
  { what: 'a client of HTTP', code: "import 'undici';", rule: IMPORTS, why: RUN_AGAIN },
  { what: 'the API', code: "import '../../api/app.ts';", rule: IMPORTS, why: 'by its context' },
  { what: 'the database', code: "import '../../db/engine/database.ts';", rule: IMPORTS, why: 'by its context' },
  {
    what: 'the code of an activity',
    code: "import '../../activities/automations/steps.ts';",
    rule: IMPORTS,
    why: 'types only',
  },
  { what: 'fetch', code: "export const a = () => fetch('http://a.test');", rule: GLOBALS, why: RUN_AGAIN },
  { what: 'the process', code: 'export const a = process.pid;', rule: GLOBALS, why: RUN_AGAIN },
];

/** Other rules of the house that a lint must keep refusing everywhere. */
export const REFUSED_EVERYWHERE: readonly { what: string; code: string }[] = [
  { what: 'any', code: 'export const a: any = 1;' },
  { what: 'a non-null assertion', code: 'export const a = (b: string | null) => b!.length;' },
  {
    what: 'a type imported inline, which loads the module',
    code: "import { type A } from './a.ts';\nexport type B = A;",
  },
  { what: 'a read of process.env', code: "export const a = process.env['A'];" },
  { what: 'the console', code: "console.log('a');" },
];

/** Each module of the order, with all modules that it must not import, and all that it may. */
export const MODULE_ARROWS: readonly Arrow[] = Object.entries(ORDER).flatMap(([folder, lines]) =>
  lines.flatMap((line, index) =>
    line.map((module) => {
      const imported = (name: string) => `import '../${name}/a.ts';`;
      const above = lines.slice(0, index).flat();
      return {
        folder: `${folder}/${module}`,
        refused: [...above, ...line.filter((name) => name !== module)].map(imported),
        allowed: [...lines.slice(index + 1).flat(), '.'].map(imported),
      };
    }),
  ),
);
