/** The shards of all endpoints. The number is part of the schema, so it does not change with the number of workers. */
export const SHARDS = 256;

/**
 * Names the worker that should own a shard: the one with the highest hash of both. When a worker comes or goes, only
 * its own shards move. Null when there is no worker.
 */
export function ownerOf(shard: number, workers: readonly string[]): string | null {
  let owner: string | null = null;
  let highest = -1;
  for (const worker of workers) {
    const height = hash(`${worker}/${shard}`);
    if (height > highest || (height === highest && owner !== null && worker > owner)) {
      highest = height;
      owner = worker;
    }
  }
  return owner;
}

/** Lists the shards that a worker should own among these workers. */
export function sharesOf(worker: string, workers: readonly string[]): number[] {
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  return shards.filter((shard) => ownerOf(shard, workers) === worker);
}

/** FNV-1a, and then the last steps of MurmurHash, because FNV alone leaves texts that end alike close together. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
