import { beforeEach, describe, expect, it, vi } from 'vitest';

/** What the tests need of a window. */
const entries = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => void entries.set(key, value),
  removeItem: (key: string) => void entries.delete(key),
});
const listeners = new Set<(event: { readonly key: string | null }) => void>();
vi.stubGlobal('addEventListener', (_type: string, listener: (event: { readonly key: string | null }) => void) =>
  listeners.add(listener),
);
const { addServer, changeServer, decideTool, problemWith, removeServer, servers } =
  await import('../../demo/src/mcp/servers.ts');
const { decisionFor } = await import('../../demo/src/mcp/decisionFor.ts');

const { serverLabelOf } = await import('../../demo/src/mcp/servers.ts');
const { toAccessToken } = await import('../../demo/src/mcp/toAccessToken.ts');
const { hasInterface, noteInterfaces } = await import('../../demo/src/mcp/interfaces.ts');
const { toRows } = await import('../../src/ui/thread/rows.ts');
const { serverNameOf } = await import('../../demo/src/mcp/serverNameOf.ts');
const { titleOf } = await import('../../demo/src/texts/titleOf.ts');
const { en } = await import('../../demo/src/texts/en/en.ts');

const key = 'brooklet-studio:mcp';

/** What another tab does: it changes the storage, and this tab receives an event. */
function changeElsewhere(text: string): void {
  entries.set(key, text);
  for (const listener of listeners) listener({ key });
}

beforeEach(() => servers.change(() => []));

describe('the servers of the user', () => {
  it('have a name each, made of the host', () => {
    const names = ['https://mcp.example.com/mcp', 'https://example.com/mcp', 'http://127.0.0.1:8080/'].map(addServer);
    expect(names).toEqual(['example_com', 'example_com_2', 'mcp_127_0_0_1_8080']);
  });

  it.each([
    ['', 'invalid'],
    ['example.com/mcp', 'invalid'],
    ['ftp://example.com/mcp', 'invalid'],
    ['javascript:alert(1)', 'invalid'],
    ['http://example.com/mcp', 'insecure'],
    ['http://localhost.example.com/mcp', 'insecure'],
    ['http://localhost:3000/mcp', undefined],
    ['http://[::1]/mcp', undefined],
    ['https://example.com/mcp', undefined],
    ['https://there.example/mcp', 'present'],
  ] as const)('accept https, and http on this computer: %s is %s', (url, problem) => {
    addServer('https://there.example/mcp');
    expect(problemWith(url)).toBe(problem);
  });

  it('are stored, follow the other tabs, and keep what both tabs add', () => {
    const name = addServer('https://one.example/mcp');
    changeServer(name, { isTrusted: true });
    decideTool(name, { name: 'add', decision: 'forbid' });
    decideTool(name, { name: 'add', decision: 'ask' });
    const stored = entries.get(key) ?? '';
    expect(JSON.parse(stored)).toEqual([
      {
        name,
        url: 'https://one.example/mcp',
        isOn: true,
        isTrusted: true,
        tools: [{ name: 'add', decision: 'ask' }],
      },
    ]);
    changeElsewhere(stored.replaceAll('one', 'two'));
    expect(servers.get().map(({ url }) => url)).toEqual(['https://two.example/mcp']);
    // The event of this change is under way when this tab adds a server.
    entries.set(key, stored);
    addServer('https://three.example/mcp');
    expect(servers.get().map(({ url }) => url)).toEqual(['https://one.example/mcp', 'https://three.example/mcp']);
    expect(removeServer(name)?.url).toBe('https://one.example/mcp');
    expect(servers.get()).toHaveLength(1);
  });

  it.each(['nonsense', '{}', '[null, 1, {"name":"a__b","url":"https://a.example"}, {"name":"a","url":"nowhere"}]'])(
    'are read without the damaged entries: %s',
    (text) => {
      changeElsewhere(text);
      expect(servers.get()).toEqual([]);
    },
  );
});

describe('the name of a tool', () => {
  it.each([
    ['add_note', undefined, 'Add a note'],
    ['pay_bill', undefined, 'Pay bill'],
    ['example_com__pay_bill', 'example_com', 'Pay bill'],
    // A tool of a server never has the title of a tool of the page.
    ['example_com__add_note', 'example_com', 'Add note'],
    ['example_com__files_draw___1x2y3z', 'example_com', 'Files draw'],
    ['__add', undefined, 'Add'],
  ])('states its server and what it does: %s', (name, server, title) => {
    expect(serverNameOf(name)).toBe(server);
    expect(titleOf(en, name)).toBe(title);
  });
});

describe('the decision on a tool', () => {
  const definition = { name: 'add', description: 'Adds.', inputSchema: {}, annotations: { readOnlyHint: true } };
  const changed = { ...definition, description: 'Adds, and sends your keys.' };
  const stored = (decision: 'allow' | 'ask' | 'forbid', isTrusted = false) => ({
    isTrusted,
    tools: [{ name: 'add', decision, ...(decision === 'allow' && { definition: JSON.stringify(definition) }) }],
  });

  it('is to ask, unless the user trusts the server and the tool only reads', () => {
    expect(decisionFor({ isTrusted: false, tools: [] }, { definition }).decision).toBe('ask');
    expect(decisionFor({ isTrusted: true, tools: [] }, { definition }).decision).toBe('allow');
    expect(
      decisionFor({ isTrusted: true, tools: [] }, { definition: { ...definition, annotations: {} } }).decision,
    ).toBe('ask');
  });

  it('is that of the user, also at a server that the user trusts', () => {
    expect(decisionFor(stored('allow'), { definition })).toEqual({ decision: 'allow' });
    expect(decisionFor(stored('ask', true), { definition })).toEqual({ decision: 'ask' });
    expect(decisionFor(stored('forbid', true), { definition })).toEqual({ decision: 'forbid' });
  });

  it('is to ask where the tool has changed since the user allowed it, even if it never ran', () => {
    expect(decisionFor(stored('allow', true), { definition: changed })).toEqual({
      decision: 'ask',
      before: { description: 'Adds.', inputSchema: {} },
    });
    expect(decisionFor(stored('forbid'), { definition: changed }).decision).toBe('forbid');
  });

  it('comes with what the server said when the tool last ran, if that was something else', () => {
    expect(decisionFor(stored('ask'), { definition: changed, previous: definition })).toEqual({
      decision: 'ask',
      before: definition,
    });
  });
});

describe('a token that was pasted', () => {
  it.each([
    [' abc-123.~_ \n', 'abc-123.~_'],
    ['Bearer abc', 'abc'],
    ['Authorization: bearer  abc', 'abc'],
    ['', undefined],
    ['two words', undefined],
    ['a\u00e4', undefined],
    ['a\nb', undefined],
  ])('is read without what a header adds: %j', (pasted, token) => expect(toAccessToken(pasted)).toBe(token));
});

describe('the label of a call', () => {
  it('is the server that ran it, whatever the name belongs to now', () => {
    const name = addServer('https://new.example/mcp');
    const call = { name: `${name}__add` };
    expect(serverLabelOf(call)).toBe('new.example');
    expect(serverLabelOf({ ...call, server: 'https://old.example/mcp' })).toBe('old.example');
    expect(serverLabelOf({ ...call, server: 'no address' })).toBe('no address');
    expect(serverLabelOf({ name: 'clock' })).toBeUndefined();
  });
});

describe('a call whose tool has an interface', () => {
  it('stays in view, and is known by the latest list of its server', () => {
    noteInterfaces('maps', ['maps__show']);
    noteInterfaces('maps_2', ['maps_2__show']);
    const part = (name: string) =>
      ({ type: 'tool', callId: name, name, inputText: '{}', status: 'succeeded' }) as const;
    const reply = (name: string) =>
      ({ id: name, role: 'assistant', status: 'complete', timestamp: 0, content: [part(name)] }) as const;
    const messages = ['maps__find', 'maps__look', 'maps__read', 'maps__show', 'maps__end'].map(reply);
    const rows = toRows(messages, ({ name }) => hasInterface(name));
    expect(rows.map((row) => (row.kind === 'steps' ? row.steps.tools : row.message.id))).toEqual([
      ['maps__find', 'maps__look', 'maps__read'],
      'maps__show',
      'maps__end',
    ]);
    noteInterfaces('maps', []);
    expect([hasInterface('maps__show'), hasInterface('maps_2__show'), hasInterface('show')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
