import type { Caller } from './caller.ts';

/** A group of routes. */
export class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}
