import { z } from 'zod';

/** The only reader of the environment. Temporal's own TLS and API-key variables are read by its envconfig package. */

const port = z.coerce.number().int().min(0).max(65_535);
const milliseconds = z.coerce.number().int().min(0);
const count = z.coerce.number().int().min(1);
const text = z.string();
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

const list = z.string().transform((value) => value.split(',').flatMap((item) => item.trim() || []));

const Model = z.object({
  id: z.string().min(1),
  provider: z.string().min(1),
  inputPerMillion: z.number().min(0).optional(),
  outputPerMillion: z.number().min(0).optional(),
  fallback: z.string().optional(),
});

const json = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
});

interface Names {
  env: string;
  description: string;
  /** Missing or short values stop a production start. */
  production?: 'required' | 'secret';
}

const about = z.registry<Names>();

function variable<S extends z.ZodType>(env: string, description: string, schema: S, production?: Names['production']): S {
  about.add(schema, { env, description, ...(production === undefined ? {} : { production }) });
  return schema;
}

/** Every setting of the engine: its variable, what it is for, its form and its default. */
const Settings = z.object({
  nodeEnv: variable(
    'NODE_ENV',
    'With production, nothing is generated or embedded: missing or weak values stop the start.',
    z.enum(['development', 'production', 'test']).default('development'),
  ),
});
