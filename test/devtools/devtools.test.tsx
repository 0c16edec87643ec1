import { type Agent, createAgent, defineTool } from 'brooklet';
import { type DevtoolsOptions, mountDevtools } from 'brooklet/devtools';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { fireEvent, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { framePassed } from '../support/frame.ts';

const hostile = '<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>';

// jsdom has neither constructed sheets nor scrolling.
beforeAll(() => {
  Object.assign(CSSStyleSheet.prototype, { replaceSync() {} });
  Object.assign(Element.prototype, { scrollIntoView() {} });
});

// Effects that wait for a frame need the window of jsdom.
afterAll(framePassed);

const unmounts: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const unmount of unmounts.splice(0)) unmount();
  document.body.replaceChildren();
});

function mount(agent: Agent, options?: DevtoolsOptions): () => void {
  const unmount = mountDevtools(agent, options);
  unmounts.push(unmount);
  return unmount;
}

/** What is in the shadow tree of the devtools. */
function devtools(): HTMLElement {
  const [root] = [...document.documentElement.children].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  if (root === undefined) return expect.unreachable('There are no devtools.');
  // The queries take any node that has children.
  return root as unknown as HTMLElement;
}

const launcher = (): HTMLElement => within(devtools()).getByRole('button', { name: 'Brooklet devtools' });
/** `findByRole` within a shadow tree throws beside the test when its time is over: its message needs an element. */
const drawer = (name = 'Brooklet devtools'): Promise<HTMLElement> =>
  waitFor(() => within(devtools()).getByRole('region', { name }));

async function open() {
  launcher().click();
  return within(await drawer());
}

function createTestAgent(isStored: boolean): Agent {
  const tool = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, execute: () => 'seen' });
  const client = createScriptedClient([[reply.call('look')], [reply.text(`It is ${hostile}`), reply.usage(30, 3)]]);
  return createAgent({ client, tools: [tool], model: 'm1', ...(isStored && { store: createMemoryStore() }) });
}

async function talk(agent: Agent): Promise<string> {
  const id = agent.createSession();
  const session = await agent.openSession(id);
  await session.send(`Look at ${hostile}`);
  return id;
}

describe('the devtools', () => {
  test('mount nothing and load nothing in production, unless asked', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const agent = createTestAgent(false);
    const before = document.body.innerHTML;
    mountDevtools(agent, { isOpen: true })();
    expect(document.body.innerHTML).toBe(before);
    mount(agent, { inProduction: true });
    launcher();
  });

  test('mount nothing where there is no document', () => {
    vi.stubGlobal('document', undefined);
    try {
      mountDevtools(createTestAgent(false), { isOpen: true })();
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test.each([true, false])(
    'show what happened before they were opened, and what happens then; with a store: %s',
    async (isStored) => {
      const agent = createTestAgent(isStored);
      mount(agent);
      const id = await talk(agent);
      const shown = await open();
      await shown.findByRole('button', { name: /run\.ended/ });
      const events = shown.getByRole('list', { name: 'Events' });
      const { length } = within(events).getAllByRole('button');
      agent.getSession(id)?.rename('A walk');
      await within(events).findByRole('button', { name: /session\.renamed/ });
      expect(within(events).getAllByRole('button')).toHaveLength(length + 1);
      expect(shown.getByRole('group', { name: 'Event' }).textContent).toContain('"title": "A walk"');
      fireEvent.change(shown.getByRole('combobox', { name: 'Events' }), { target: { value: 'run' } });
      await waitFor(() =>
        expect(
          within(events)
            .getAllByRole('button')
            .map((row) => [
              row.querySelector('.bk-event-type')?.textContent,
              row.querySelector('[data-kind]')?.getAttribute('title'),
            ]),
        ).toEqual([
          ['run.started', 'run'],
          ['run.ended', 'run'],
        ]),
      );
    },
  );

  test('read the whole log of a stored session once, and then what is new', async () => {
    const store = createMemoryStore();
    const writer = createAgent({ client: createScriptedClient([reply.text('Yes.')]), store });
    const id = await talk(writer);
    const read = vi.fn(store.read);
    const { events$, getSession } = createAgent({ client: createScriptedClient([]) });
    unmounts.push(mountDevtools({ events$, getSession, store: { ...store, read } }, { isOpen: true }));
    const shown = within(await drawer());
    await shown.findByRole('button', { name: /run\.ended/ });
    writer.getSession(id)?.rename('A walk');
    await shown.findByRole('button', { name: /session\.renamed/ });
    expect(read.mock.calls.filter(([of, options]) => of === id && (options?.after ?? -1) < 0)).toHaveLength(1);
    await writer.dispose();
  });

  test('show a stored session that nothing has opened, and open nothing', async () => {
    const store = createMemoryStore();
    const client = createScriptedClient([reply.text('Yes.')]);
    const first = createAgent({ client, store });
    const id = await talk(first);
    await first.dispose();
    const agent = createAgent({ client, store });
    mount(agent, { isOpen: true });
    const shown = within(await drawer());
    await shown.findByRole('button', { name: /run\.ended/ });
    fireEvent.click(shown.getByRole('tab', { name: 'State' }));
    await shown.findByText('not open in this page');
    expect(agent.getSession(id)).toBeUndefined();
  });

  test('show the state, the requests with their timings, and the review, as text', async () => {
    const agent = createTestAgent(true);
    mount(agent);
    await talk(agent);
    const shown = await open();
    fireEvent.click(shown.getByRole('tab', { name: 'State' }));
    await shown.findByText('completed, 2 steps');
    await shown.findByText('30 in, 3 out');

    fireEvent.click(shown.getByRole('tab', { name: 'Requests' }));
    const requests = within(await shown.findByRole('table', { name: 'Requests' }));
    const rows = requests
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['1', 'm1', expect.stringMatching(/ms$/), expect.stringMatching(/ms$/), '', '', 'tool-calls'],
      ['2', 'm1', expect.stringMatching(/ms$/), expect.stringMatching(/ms$/), '30', '3', 'stop'],
    ]);
    expect(shown.getByRole('table', { name: 'Tool calls' }).textContent).toMatch(/look.*succeeded/);
    fireEvent.click(requests.getByRole('button', { name: 'Request 1' }));
    await shown.findByRole('heading', { name: 'What the model was sent in step 1' });

    fireEvent.click(shown.getByRole('tab', { name: 'Review' }));
    const seen = await shown.findByRole('region', { name: 'What the person saw' });
    expect(seen.textContent).toContain(`Look at ${hostile}`);
    await waitFor(() => {
      fireEvent.keyDown(seen, { key: 'Home' });
      expect(seen.textContent).toContain('Nothing yet.');
    });
    expect(devtools().querySelectorAll('img, script, a')).toHaveLength(0);
    expect('hit' in globalThis).toBe(false);
  });

  test('select the session that did something last, and stay at the one that was chosen', async () => {
    const agent = createTestAgent(true);
    mount(agent);
    const first = await talk(agent);
    const shown = await open();
    const select = shown.getByRole<HTMLSelectElement>('combobox', { name: 'Session' });
    await waitFor(() => expect(select.value).toBe(first));
    const second = await talk(agent);
    await waitFor(() => expect(select.value).toBe(second));
    fireEvent.change(select, { target: { value: first } });
    await talk(agent);
    await waitFor(() => expect(select.options).toHaveLength(3));
    expect(select.value).toBe(first);
  });

  test('copy the session as a test, or say why not', async () => {
    const user = userEvent.setup();
    const agent = createTestAgent(false);
    mount(agent);
    await talk(agent);
    const shown = await open();
    await waitFor(() => expect(shown.getByRole('button', { name: 'Copy as test' })).toHaveProperty('disabled', false));
    await user.click(shown.getByRole('button', { name: 'Copy as test' }));
    await shown.findByText('Copied');
    expect(await navigator.clipboard.readText()).toContain(`import { replay } from 'brooklet/testing';`);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('There is no clipboard.'));
    await user.click(shown.getByRole('button', { name: 'Copy as test' }));
    await shown.findByText('Not copied: There is no clipboard.');
  });

  test('are in the language that is asked for, and stay when the page renders into its body', async () => {
    const agent = createTestAgent(false);
    mount(agent, { language: 'zh-CN' });
    document.body.replaceChildren();
    await talk(agent);
    launcher().click();
    const shown = within(await drawer('Brooklet 开发者工具'));
    fireEvent.click(shown.getByRole('tab', { name: '请求' }));
    await shown.findByRole('button', { name: '请求 2' });
    expect(shown.getByRole('heading', { name: '步骤 2 发送给模型的内容' })).toBeTruthy();
    expect(
      shown
        .getByRole('region', { name: /步骤 2/ })
        .closest('[lang]')
        ?.getAttribute('lang'),
    ).toBe('zh-CN');
  });

  test('say that a session without a store began before them', async () => {
    const agent = createTestAgent(false);
    const id = await talk(agent);
    mount(agent);
    agent.getSession(id)?.rename('Later');
    const shown = await open();
    await shown.findByText(/The log begins with event \d+/);
  });

  test('are left with the keyboard, and return the focus', async () => {
    const user = userEvent.setup();
    const field = document.body.appendChild(document.createElement('input'));
    mount(createTestAgent(false));
    launcher().focus();
    await user.keyboard('{Enter}');
    const shown = within(await drawer());
    const focused = (): Element | null => (devtools() as unknown as ShadowRoot).activeElement;
    await waitFor(() => expect(focused()).toBe(shown.getByRole('tab', { name: 'Log' })));
    fireEvent.keyDown(shown.getByRole('tab', { name: 'Log' }), { key: 'ArrowLeft' });
    await waitFor(() => expect(shown.getByRole('tab', { name: 'Review' }).getAttribute('aria-selected')).toBe('true'));
    fireEvent.keyDown(shown.getByRole('tab', { name: 'Review' }), { key: 'Escape' });
    expect(within(devtools()).queryByRole('region', { name: 'Brooklet devtools' })).toBeNull();
    expect(focused()).toBe(launcher());

    field.focus();
    launcher().click();
    fireEvent.click(within(await drawer()).getByRole('button', { name: 'Close' }));
    expect(document.activeElement).toBe(field);
  });

  test('leave nothing when they are unmounted, also while the drawer is being loaded', async () => {
    const page = document.documentElement.outerHTML;
    const agent = createTestAgent(true);
    const unmount = mount(agent, { isOpen: true });
    unmount();
    const again = mount(agent);
    const id = await talk(agent);
    await open();
    again();
    expect(document.documentElement.outerHTML).toBe(page);
    agent.getSession(id)?.rename('Nobody looks');
    await agent.dispose();
  });
});
