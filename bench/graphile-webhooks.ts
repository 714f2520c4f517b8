import { Logger, run } from 'graphile-worker';
import { z } from 'zod';
import { signedPost } from './signed-post.ts';

/**
 * Webhooks as one would write them with a public job queue: a job per delivery, at a number at a time, tried again by its own
 * rules. Run as a process of its own: the database's URL, and how many posts at once.
 */
const [url = '', atOnce = '10'] = process.argv.slice(2);
const Job = z.object({ id: z.string(), url: z.string(), body: z.string() });

await run({
  connectionString: url,
  concurrency: Number(atOnce),
  maxPoolSize: 10,
  noHandleSignals: true,
  // It would write a line for each job.
  logger: new Logger(() => () => undefined),
  pollInterval: 200,
  taskList: {
    async webhook(payload) {
      const job = Job.parse(payload);
      const status = await signedPost(job.url, job.id, job.body);
      if (status >= 300) throw new Error(`The receiver answered ${status}.`);
    },
  },
});
console.log('ready');
