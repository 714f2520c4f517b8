import { ERRORS } from '../../domain/error.ts';
import { guideFile, isBackground, NAMED_PAGES, pageOf, readGuide, servedLink } from './guides.ts';
import { renderGuide } from './render.ts';
import type { RenderedGuide } from './render.ts';
import { SERVED, SHELVES } from './shelves.ts';

/** A part of a page that a search can find. */
export interface Place {
  /** From `/docs/`. */
  address: string;
  guide: string;
  title: string;
  text: string;
  /** Whether it says why or how fast something is, and not how it is used. */
  isBackground: boolean;
}

const guides = new Map<string, Promise<RenderedGuide>>();

/** Renders a guide at its first request and keeps it. Undefined where there is no guide of this name. */
export function guideOf(page: string): Promise<RenderedGuide> | undefined {
  const file = guideFile(page);
  if (file === undefined) return undefined;
  const rendering = guides.get(file) ?? render(file);
  guides.set(file, rendering);
  return rendering;
}

async function render(file: string): Promise<RenderedGuide> {
  return renderGuide(await readGuide(file), {
    linkOf: (href) => servedLink(file, href),
    pageNamed: (code) => NAMED_PAGES.get(code),
  });
}

/** Lists the guides of the navigation with their titles. */
export async function shelves(): Promise<{ title: string; guides: { page: string; title: string }[] }[]> {
  return Promise.all(
    SHELVES.map(async ({ title, files }) => ({
      title,
      guides: await Promise.all(
        files.map(async (file) => ({ page: pageOf(file), title: (await guideOf(pageOf(file)))?.title ?? file })),
      ),
    })),
  );
}

/** Lists everything that is searched: the sections of the guides, and the errors. */
export async function places(): Promise<Place[]> {
  const sections = await Promise.all(
    SERVED.map(async (file) => {
      const page = pageOf(file);
      const guide = await guideOf(page);
      return (guide?.sections ?? []).map(({ anchor, title, text }) => ({
        address: `${page}#${anchor}`,
        guide: guide?.title ?? page,
        title,
        text,
        isBackground: isBackground(file),
      }));
    }),
  );
  const errors = Object.entries(ERRORS).map(([code, { title, cause, mend }]) => ({
    address: `errors/${code}`,
    guide: 'Errors',
    title: code,
    text: `${title}. ${cause} ${mend}`,
    isBackground: false,
  }));
  return [...sections.flat(), ...errors];
}
