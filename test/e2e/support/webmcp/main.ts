import { createAgent, defineTool, toolParts } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { followPageTools, isWebMCPSupported, listPageTools, offerTools, type PageTool } from 'brooklet/webmcp';

/** What the page saw. */
export interface Seen {
  readonly isSupported: boolean;
  readonly tools: readonly { readonly name: string; readonly origin: string }[];
  readonly outputs: readonly unknown[];
  readonly ran: readonly unknown[];
}

declare global {
  /** Lets an agent call the tools of the frames, and an agent of the browser call the tools of the page. */
  var walk: (otherOrigin: string) => Promise<Seen>;
}

const add = (name: string, ran: unknown[], needsApproval = false) =>
  defineTool({
    name,
    description: 'Adds two numbers.',
    input: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
    needsApproval,
    execute: ({ a, b }) => {
      ran.push([name, a, b]);
      return { sum: Number(a) + Number(b), at: location.origin };
    },
  });

function addFrame(src: string): void {
  const frame = document.createElement('iframe');
  frame.allow = 'tools *';
  frame.src = src;
  document.body.append(frame);
}

/** Resolves with the tools of the page once there are as many. */
function toolsOnceThereAre(count: number, fromOrigins: readonly string[]): Promise<readonly PageTool[]> {
  return new Promise((resolve) => {
    const agent = createAgent({ client: createScriptedClient([]) });
    const followed = followPageTools(agent, {
      fromOrigins,
      onChange(tools) {
        if (tools.length < count) return;
        followed.stop();
        resolve(tools);
      },
    });
  });
}

globalThis.walk = async (otherOrigin) => {
  const ran: unknown[] = [];
  const { isSupported } = await offerTools([add('free', ran), add('dear', ran, true)], {
    approve: ({ input }) => input.a === 1,
  });
  if (!isSupported) return { isSupported: isWebMCPSupported(), tools: await listPageTools(), outputs: [], ran };
  addFrame('./?frame=same');
  addFrame(`${otherOrigin}/?frame=other&parent=${encodeURIComponent(location.origin)}`);
  const tools = await toolsOnceThereAre(2, [otherOrigin]);

  const client = createScriptedClient([
    tools.map(({ tool }) => reply.call(tool.name, { a: 1, b: 2 })),
    [reply.call(tools[0]?.tool.name ?? '', { a: 'x', b: 2 })],
    [reply.text('Done.')],
  ]);
  const agent = createAgent({ client, tools: tools.map(({ tool }) => tool) });
  const session = await agent.openSession(agent.createSession());
  const sent = session.send('Go.');
  session.messages$.subscribe((messages) => {
    for (const { callId, status } of messages.flatMap(toolParts))
      if (status === 'awaiting-approval') void session.approve(callId).catch(() => {});
  });
  await sent;

  const { modelContext } = document;
  const own = (await modelContext.getTools()).filter(({ window: owner }) => owner === window);
  const called: unknown[] = [];
  for (const tool of own)
    for (const input of [{ a: 'x' }, { a: 1, b: 1 }, { a: 2, b: 2 }])
      called.push([tool.name, await modelContext.executeTool(tool, input)]);
  return {
    isSupported,
    tools: tools.map(({ tool, origin }) => ({ name: tool.name, origin })),
    outputs: [
      ...session
        .getMessages()
        .flatMap(toolParts)
        .map(({ status, output }) => [status, output]),
      ...called,
    ],
    ran,
  };
};

declare global {
  interface Document {
    readonly modelContext: {
      getTools(): Promise<readonly { readonly name: string; readonly window: unknown }[]>;
      executeTool(tool: object, input: object): Promise<string>;
    };
  }
}

const query = new URLSearchParams(location.search);
const parent = query.get('parent');
if (query.has('frame')) await offerTools([add(`in_${query.get('frame')}`, [])], parent ? { exposedTo: [parent] } : {});
