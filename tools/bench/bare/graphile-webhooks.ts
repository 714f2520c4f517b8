import { Logger, run } from 'graphile-worker';
import { z } from 'zod';
import { signedPost } from './signed-post.ts';

/**
 * Webhooks as they would be written with a public job queue: one job per delivery, a number of jobs at a time, retried
 * by the queue's own rules. This script runs as a process of its own; its arguments are the database's URL and the
 * number of simultaneous posts.
 */
const [url = '', atOnce = '10'] = process.argv.slice(2);
const Job = z.object({ id: z.string(), url: z.string(), body: z.string() });

await run({
  connectionString: url,
  concurrency: Number(atOnce),
  maxPoolSize: 10,
  noHandleSignals: true,
  // The queue's own logger would write a line for each job.
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
