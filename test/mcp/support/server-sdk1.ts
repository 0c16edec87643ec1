import { randomUUID } from 'node:crypto';
import { McpServer, type RegisteredTool } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { broken, drawn } from './results.ts';
import type { Done, TestServer } from './servers.ts';
import { serveWithSessions } from './sessions.ts';

/** Adds the tools of the tests (see `servers.ts`) to a server of the 1.x package. Its questions are requests within a call. */
function addTools(server: McpServer, done: Done, description: string): RegisteredTool {
  const add = server.registerTool(
    'add',
    {
      description,
      inputSchema: { a: z.number(), b: z.number() },
      outputSchema: { sum: z.number() },
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => {
      done.calls.push('add');
      const structuredContent = { sum: a + b };
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
    },
  );
  server.registerTool('files.draw', { description: 'Draws.', inputSchema: {} }, () => {
    done.calls.push('draw');
    return drawn;
  });
  server.registerTool('broken', { description: 'Fails.', inputSchema: {} }, () => broken);
  server.registerTool('slow', { description: 'Takes its time.', inputSchema: {} }, async (_input, extra) => {
    const progressToken = extra._meta?.progressToken;
    if (progressToken !== undefined)
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: 1, total: 3, message: 'one of three' },
      });
    return new Promise((_resolve, reject) => {
      extra.signal.addEventListener('abort', () => {
        done.cancelled.push('slow');
        reject(new Error('aborted'));
      });
    });
  });
  server.registerTool(
    'book',
    { description: 'Books a seat.', inputSchema: { flight: z.string() } },
    async ({ flight }, { requestId }) => {
      done.calls.push('book');
      const { action, content } = await server.server.elicitInput(
        {
          message: 'Which seat?',
          requestedSchema: {
            type: 'object',
            properties: { seat: { type: 'string' }, meal: { type: 'string', default: 'none' } },
            required: ['seat'],
          },
        },
        { relatedRequestId: requestId },
      );
      const text = action === 'accept' ? `${flight}: ${JSON.stringify(content)}` : `${flight}: no seat, ${action}`;
      return { content: [{ type: 'text', text }] };
    },
  );
  return add;
}

/** A server of the 1.x package, which most servers are built with: revisions with a session only. */
export function serveSDK1(): Promise<TestServer> {
  return serveWithSessions(async ({ done, description, keep }) => {
    const server = new McpServer({ name: 'sdk1', version: '1.0.0' });
    const add = addTools(server, done, description);
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: keep });
    await server.connect(transport);
    return { transport, change: (next) => add.update({ description: next }) };
  });
}
