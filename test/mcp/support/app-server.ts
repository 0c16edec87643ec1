import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { serve, type Served } from './serve.ts';

export interface AppServer extends Served {
  /** Names of the tools that ran. */
  readonly calls: string[];
  /** Changes what the next page gets as the interface. */
  setHTML(html: string): void;
}

/** What an interface may want. */
export interface Wanted {
  readonly csp?: Readonly<Record<string, readonly string[]>>;
  readonly permissions?: Readonly<Record<string, object>>;
}

export const uri = 'ui://weather/view';

/** A server of the official package with a tool that has an interface, a tool for the interface only, and one for the model only. */
export async function serveApp(html: string, wanted: Wanted = {}): Promise<AppServer> {
  const calls: string[] = [];
  let shown = html;
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'weather', version: '1' });
    const ui = (more: object) => ({ _meta: { ui: more } });
    const tool = (name: string, more: object) =>
      server.registerTool(
        name,
        { description: `Runs ${name}.`, inputSchema: z.object({ city: z.string() }), ...more },
        ({ city }) => {
          calls.push(name);
          const structuredContent = { city, degrees: 20 + calls.length };
          return {
            structuredContent,
            content: [{ type: 'text', text: `${name}: ${JSON.stringify(structuredContent)}` }],
            _meta: { source: 'station' },
          };
        },
      );
    tool('weather', ui({ resourceUri: uri }));
    tool('refresh', ui({ visibility: ['app'] }));
    tool('secret', ui({ visibility: ['model'] }));
    server.registerResource('view', uri, { mimeType: 'text/html;profile=mcp-app' }, () => ({
      contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: shown, _meta: { ui: wanted } }],
    }));
    return server;
  });
  const node = toNodeHandler(handler);
  const served: Served = await serve(async (request, response) => {
    await node(Object.assign(request, { method: request.method ?? '', url: request.url ?? '' }), response);
  });
  return {
    ...served,
    calls,
    setHTML(next) {
      shown = next;
    },
  };
}
