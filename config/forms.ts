import { z } from 'zod';

/** The forms in which variables of the environment are written. */

interface Setting {
  variable: string;
  description: string;
  /** A missing value (or, for a secret, a short one) stops a production start. */
  production?: 'required' | 'secret';
}

export const about = z.registry<Setting>();

/** Makes a setting of a form: its variable, and what it is for. */
export function setting<S extends z.ZodType>(
  variable: string,
  description: string,
  schema: S,
  production?: Setting['production'],
): S {
  about.add(schema, { variable, description, ...(production === undefined ? {} : { production }) });
  return schema;
}

export const port = z.coerce.number().int().min(0).max(65_535);
export const milliseconds = z.coerce.number().int().min(0);
export const yesOrNo = z.enum(['true', 'false']).transform((value) => value === 'true');
export const secret = z.string().min(1);
/**
 * Refuses a query, because paths that the engine appends would end up in it, and a user, because the engine logs its
 * URLs.
 */
export const httpUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#]|^[a-z]+:\/\/[^/]*@/i.test(url), 'must have no user, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''));
export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });
export const list = z.string().transform((value) => value.split(',').flatMap((item) => item.trim() || []));

export const json = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON. In a .env file, put it into single quotes' });
    return z.NEVER;
  }
});

/**
 * Returns a host that others can call: nobody can call the address that stands for all addresses, and a URL needs
 * brackets around IPv6.
 */
export function callable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
