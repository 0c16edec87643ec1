import { serveOAuth } from '../../mcp/support/oauth.ts';
import { serve } from '../../mcp/support/serve.ts';
import { serveStateless } from '../../mcp/support/servers.ts';
import { during } from './stage.ts';

const stop = (its: { readonly close: () => Promise<unknown> }): Promise<unknown> => its.close();

/** Starts MCP servers for the tests of a file: one that wants tokens, one that asks, one that lets no page read it. */
export function setMCPServers() {
  const oauth = during(() => serveOAuth(), stop);
  return {
    oauth,
    notes: during(() => serveStateless((...request) => oauth().guards(...request)), stop),
    air: during(() => serveStateless(), stop),
    closed: during(
      () =>
        serve((_request, response) => {
          for (const name of response.getHeaderNames()) response.removeHeader(name);
          response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        }),
      stop,
    ),
  };
}
