import { z } from 'zod';

const MAX_BYTES = 64 * 1_024;
const MAX_SIDE = 1_024;
const MAX_BASE64 = Math.ceil(MAX_BYTES / 3) * 4;

/** The ground on which the console writes in the colour: a white panel has more contrast. */
const GROUND = '#f3f5f4';
const MIN_CONTRAST = 4.5;

const Colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'is not a colour such as #0a6356')
  .transform((text) => text.toLowerCase());

export const SetBrand = z
  .strictObject({
    colour: Colour.nullable()
      .optional()
      .meta({
        description:
          `The colour of links and buttons, as \`#rrggbb\`. Its contrast with ${GROUND} must be at least ` +
          `${MIN_CONTRAST}:1.\n\nNull restores the default.`,
        examples: ['#0a4f9e'],
      }),
    logo: z
      .base64()
      .min(1)
      .max(MAX_BASE64)
      .nullable()
      .optional()
      .meta({
        description: `A PNG in base64, up to ${MAX_BYTES} bytes and ${MAX_SIDE} × ${MAX_SIDE} pixels. Null removes it.`,
      }),
  })
  .meta({ id: 'SetBrand', description: 'Omitted fields stay unchanged.' });
export type SetBrand = z.output<typeof SetBrand>;

export const BrandView = z
  .object({
    name: z.string().meta({ description: 'The name of the dashboard, which the pages show.' }),
    colour: z.string().nullable().meta({ description: 'The colour. Null means the default.' }),
    logoUrl: z.url().nullable().meta({ description: 'The address of the logo at the engine. Null if there is none.' }),
  })
  .meta({ id: 'Brand', description: 'The name, colour and logo that people see who came by a link of the agency.' });

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const HEADER_BYTES = 24;

/** Says why the bytes are no logo; null if they are one. A small file may unfold to a huge picture, so sides count. */
export function wrongWithLogo(bytes: Buffer): string | null {
  if (bytes.length > MAX_BYTES) return `has more than ${MAX_BYTES} bytes`;
  const isPng =
    bytes.length > HEADER_BYTES &&
    bytes.subarray(0, PNG.length).equals(PNG) &&
    bytes.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) return 'is not a PNG';
  const sides = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return sides.every((side) => side > 0 && side <= MAX_SIDE) ? null : `has more than ${MAX_SIDE} × ${MAX_SIDE} pixels`;
}

/** Says why nobody could read what is written in the colour; null if people can. */
export function wrongWithColour(colour: string): string | null {
  const contrast = contrastOf(colour, GROUND);
  if (contrast >= MIN_CONTRAST) return null;
  // Rounding down: a contrast of 4.46 must not read as one that is enough.
  const shown = (Math.floor(contrast * 10) / 10).toFixed(1);
  return `has a contrast of ${shown}:1 with ${GROUND}, and needs ${MIN_CONTRAST}:1: take a darker one`;
}

/** The contrast of two colours, from 1 to 21, as WCAG counts it. */
function contrastOf(one: string, other: string): number {
  const [bright, dark] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return ((bright ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
