import { smoke } from './smoke.mjs';

/** A worker that tries the client once it is asked to. */
export default {
  async fetch(request) {
    try {
      await smoke(await request.json());
      return new Response('as promised');
    } catch (error) {
      return new Response(error.stack, { status: 500 });
    }
  },
};
