import type Router from '@koa/router';
import { isErrorCode, notFound } from '../../domain/error.ts';
import type { TemporalUi } from '../deps.ts';
import { answerEncoded, encode } from '../wire/encoded.ts';
import type { Encoded } from '../wire/encoded.ts';
import type { RequestState } from '../wire/request-state.ts';
import { errorListPage, errorPage } from './error-pages.ts';
import { guideListPage, guidePage, homePage, searchPage } from './guide-pages.ts';
import { movedTo, readOpenApi, readPicture, readSnippet } from './guides.ts';
import { PAGE_POLICY, STYLE } from './page.ts';
import { ASSETS, readAsset, REFERENCE, REFERENCE_START } from './reference.ts';

/** Makes two exceptions for swagger-ui, which sets inline styles and draws its icons from data URLs. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The reference was at `/docs` once, and its links into operations are parts behind `#`, which no server sees. */
const MOVED = `if (location.hash.startsWith('#/')) location.replace('docs/api' + location.hash);`;

/** An answer of a page; undefined where there is none under that name. */
type Content = string | Buffer | undefined;
interface Asked {
  params: Record<string, string>;
  search: URLSearchParams;
}

/** Serves the pages for people: the guides, the reference of the API and the errors. Large files are compressed. */
export function mountDocs(router: Router<RequestState>, ui: TemporalUi | null, readWhole: () => Promise<string>): void {
  const serve = (path: string, type: string, content: (asked: Asked) => Content | Promise<Content>): void => {
    router.get(path, async (context) => {
      context.state.route = path;
      const { params, URL } = context;
      const body = await content({ params, search: URL.searchParams });
      if (body === undefined) throw notFound('page');
      context.set('content-security-policy', path === '/docs/api' ? REFERENCE_POLICY : PAGE_POLICY);
      context.set('x-content-type-options', 'nosniff');
      context.body = body;
      context.type = type;
    });
  };
  const serveEncoded = (path: string, type: string, read: () => Promise<string | Buffer>): void => {
    let file: Promise<Encoded> | undefined;
    router.get(path, async (context) => {
      context.state.route = path;
      file ??= read().then(encode);
      file.catch(() => {
        file = undefined;
      });
      context.set('content-security-policy', PAGE_POLICY);
      context.set('x-content-type-options', 'nosniff');
      answerEncoded(context, await file);
      context.type = type;
    });
  };
  serveEncoded('/openapi.json', JSON_TYPE, readOpenApi);
  serveEncoded('/docs/reference.json', JSON_TYPE, readWhole);
  serve('/favicon.ico', 'image/svg+xml', () => ICON);
  serve('/', HTML, homePage);
  serve('/docs', HTML, guideListPage);
  serve('/docs/moved.js', SCRIPT, () => MOVED);
  serve('/docs/style.css', 'text/css; charset=utf-8', () => STYLE);
  serve('/docs/api', HTML, () => REFERENCE);
  serve('/docs/start.js', SCRIPT, () => REFERENCE_START);
  for (const [name, type] of ASSETS) serveEncoded(`/docs/${name}`, type, () => readAsset(name));
  serve('/docs/errors', HTML, errorListPage);
  serve('/docs/errors/:code', HTML, ({ params: { code = '' } }) => (isErrorCode(code) ? errorPage(code) : undefined));
  serve('/docs/search', HTML, ({ search }) => searchPage(search.get('q')?.slice(0, MAX_QUERY) ?? ''));
  serve('/docs/snippets/:name', 'text/plain; charset=utf-8', ({ params: { name = '' } }) => readSnippet(name));
  serve('/docs/images/:name', 'image/png', ({ params: { name = '' } }) => readPicture(name));
  router.get('/docs/:page', async (context, next) => {
    const page = movedTo(context.params['page'] ?? '');
    if (page === undefined) {
      await next();
      return;
    }
    context.state.route = '/docs/:page';
    context.redirect(page);
    context.status = 301;
  });
  serve('/docs/:page', HTML, ({ params: { page: name = '' } }) => guidePage(name, ui));
}

const MAX_QUERY = 200;

/** The sign of the engine's pages, which browsers show beside their titles: two bubbles of a chat. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#0b6e4f" d="M4 3h17a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H10l-6 5v-5a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z"/>
<path fill="#4fc39b" d="M27 13h1a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3v4l-5-4h-9a3 3 0 0 1-3-3v-2l1-1h10a5 5 0 0 0 5-5z"/>
</svg>
`;
