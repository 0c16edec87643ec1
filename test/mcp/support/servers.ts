import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
  type RegisteredTool,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Guard } from './fake.ts';
import { broken, drawn } from './results.ts';
import { serve, type Served } from './serve.ts';
import { serveWithSessions } from './sessions.ts';

/** What the tools of the server have done. */
export interface Done {
  readonly calls: string[];
  readonly cancelled: string[];
}

/** Adds the tools of the tests to a server of the official package. */
function addTools(server: McpServer, done: Done, description: string): RegisteredTool {
  const add = server.registerTool(
    'add',
    {
      description,
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => {
      done.calls.push('add');
      const structuredContent = { sum: a + b };
      return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
    },
  );
  server.registerTool('files.draw', { description: 'Draws.', inputSchema: z.object({}) }, () => {
    done.calls.push('draw');
    return drawn;
  });
  server.registerTool('broken', { description: 'Fails.', inputSchema: z.object({}) }, () => broken);
  server.registerTool(
    'slow',
    { description: 'Takes its time.', inputSchema: z.object({}) },
    async (_input, context) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 3, message: 'one of three' },
        });
      return new Promise((_resolve, reject) => {
        context.mcpReq.signal.addEventListener('abort', () => {
          done.cancelled.push('slow');
          reject(new Error('aborted'));
        });
      });
    },
  );
  server.registerTool(
    'book',
    { description: 'Books a seat.', inputSchema: z.object({ flight: z.string() }) },
    ({ flight }, context) => {
      done.calls.push('book');
      const seat = inputResponse(context.mcpReq.inputResponses, 'seat');
      if (seat.kind !== 'elicit')
        return inputRequired({
          inputRequests: {
            seat: inputRequired.elicit({
              message: 'Which seat?',
              requestedSchema: {
                type: 'object',
                properties: { seat: { type: 'string' }, meal: { type: 'string', default: 'none' } },
                required: ['seat'],
              },
            }),
          },
          requestState: `state of ${flight}`,
        });
      const text =
        seat.action === 'accept'
          ? `${flight}: ${JSON.stringify(seat.content)}, ${String(context.mcpReq.requestState())}`
          : `${flight}: no seat, ${seat.action}`;
      return { content: [{ type: 'text', text }] };
    },
  );
  return add;
}

export interface TestServer extends Served {
  readonly done: Done;
  /** Changes the description of `add` and tells the clients. */
  change(description: string): void;
  /** Lets the server forget all sessions. */
  forgetSessions(): void;
}

/** A server of the official package: the stateless revision, and the others without sessions. */
export async function serveStateless(guard: Guard = () => false): Promise<TestServer> {
  const done: Done = { calls: [], cancelled: [] };
  let description = 'Adds two numbers.';
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: 'test', version: '1.2.3' },
      { capabilities: { tools: { listChanged: true } } },
    );
    addTools(server, done, description);
    server.registerPrompt(
      'greet',
      { description: 'Greets.', argsSchema: z.object({ name: z.string() }) },
      ({ name }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}.` } }],
      }),
    );
    server.registerResource('note', 'note://1', { mimeType: 'text/plain' }, ({ href }) => ({
      contents: [{ uri: href, text: 'a note' }],
    }));
    return server;
  });
  const node = toNodeHandler(handler);
  const served: Served = await serve(async (request, response) => {
    if (guard(request, response, served.url)) return;
    await node(Object.assign(request, { method: request.method ?? '', url: request.url ?? '' }), response);
  });
  return {
    ...served,
    done,
    change(next) {
      description = next;
      handler.notify.toolsChanged();
    },
    forgetSessions() {},
    async close() {
      await handler.close();
      await served.close();
    },
  };
}

/** A server of the official package that speaks only the revisions with a session. */
export function serveSessions(): Promise<TestServer> {
  return serveWithSessions(async ({ done, description, keep }) => {
    const server = new McpServer({ name: 'old', version: '0.9.0' }, { capabilities: { tools: { listChanged: true } } });
    const add = addTools(server, done, description);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: keep,
    });
    await server.connect(transport);
    return { transport, change: (next) => add.update({ description: next }) };
  });
}
