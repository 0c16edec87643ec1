import type { ToolPart } from 'brooklet';
import { connectMCP, type MCPOptions } from 'brooklet/mcp';
import { call, settled } from '../../support/manual-client.ts';
import { callIdOf, callsOf, stage } from '../../support/stage.ts';
import { until } from '../../support/until.ts';
import type { Served } from './serve.ts';

const closers: (() => unknown)[] = [];

/** Closes after the test, in reverse order. */
export function later(close: () => unknown): void {
  closers.push(close);
}

export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

/** A connected server, and an agent with its tools. */
export async function connected<Server extends Served>(
  serve: () => Promise<Server>,
  options: Partial<MCPOptions> = {},
) {
  const http = await serve();
  later(() => http.close());
  const server = await connectMCP({ url: http.url, name: 'test', ...options });
  later(() => server.close());
  const s = stage();
  later(server.addTo(s.agent));
  return { ...s, http, server };
}

type Connected = Pick<Awaited<ReturnType<typeof connected>>, 'session' | 'client'>;

/** Lets the model call a tool. Resolves with the call once it waits or has ended. */
export async function request({ session, client }: Connected, name: string, input: object = {}): Promise<ToolPart> {
  void session.send('go');
  await settled();
  call(client.last(), [name, JSON.stringify(input)]);
  return atRest({ session });
}

export function atRest({ session }: Pick<Connected, 'session'>): Promise<ToolPart> {
  return until(() => {
    const last = callsOf(session).at(-1);
    const isBusy = last === undefined || ['requested', 'approved', 'started', 'streaming'].includes(last.status);
    if (isBusy) throw new Error('The call is under way.');
    return last;
  });
}

/** As `request`, and approves the call. */
export async function approved(s: Connected, name: string, input?: object): Promise<ToolPart> {
  await request(s, name, input);
  await s.session.approve(callIdOf(s.session));
  return atRest(s);
}
