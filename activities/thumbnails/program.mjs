import sharp from 'sharp';

/**
 * The program that makes thumbnails, a process of its own: a picture is hostile until it is read, and a decoder that
 * crashes, hangs or takes too much memory must take nothing with it. It has no secrets and no network. It is plain
 * JavaScript, because what strips types would take a quarter of its memory.
 */

/** A compressed picture of some bytes may be of any size once it is unpacked. */
const MAX_PIXELS = 50_000_000;
/** A picture of one row costs as much time as a square one, and nobody sends such a photo. */
const MAX_SIDE = 20_000;
const BOX_PIXELS = 320;
const QUALITY = 75;

sharp.cache(false);
sharp.concurrency(1);
// No other loaders: drawings and documents can name files and addresses.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});

/** The size of a picture stands in four bytes before it. */
const HEAD_BYTES = 4;
let head = Buffer.alloc(0);
/** @type {Buffer | null} */
let picture = null;
let filled = 0;

// The engine sends the next picture when it has the answer to this one.
process.stdin.on('data', (/** @type {Buffer} */ bytes) => {
  let piece = bytes;
  if (picture === null) {
    head = Buffer.concat([head, piece]);
    if (head.length < HEAD_BYTES) return;
    picture = Buffer.allocUnsafeSlow(head.readUInt32BE());
    piece = head.subarray(HEAD_BYTES);
    head = Buffer.alloc(0);
    filled = 0;
  }
  filled += piece.copy(picture, filled);
  if (filled < picture.length) return;
  const whole = picture;
  picture = null;
  void make(whole).then((made) => {
    process.send?.(made);
    // Memory outside the heap would stay uncollected for a while.
    globalThis.gc?.();
  });
});

/**
 * @param {Buffer} picture
 * @returns {Promise<import('./thumbnail-result.ts').Made>}
 */
async function make(picture) {
  /** @type {import('sharp').SharpOptions} */
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 };
  try {
    const { width, height } = await sharp(picture, { ...options, limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) return { refused: 'too_many_pixels' };
    const { data, info } = await sharp(picture, options)
      .autoOrient()
      .resize({ width: BOX_PIXELS, height: BOX_PIXELS, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    return { refused: 'not_readable' };
  }
}
