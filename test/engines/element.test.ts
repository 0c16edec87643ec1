import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import { serveElement } from './support/element-site.ts';
import type { EngineTab } from './support/engine.ts';
import { type Conversation, type Pace, startModelServer } from './support/model-server.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = serveElement();
const model = during(startModelServer, (its) => its.stop());

const slow: Pace = { everyMs: 25, pieces: 100_000 };
const quick: Pace = { everyMs: 10, pieces: 20 };

/** What the element shows. */
const text = (tab: EngineTab): Promise<string> =>
  tab
    .run(() => document.querySelector('#chat')?.shadowRoot?.querySelector('[role=log]')?.textContent ?? '')
    .catch(() => '');
const state = (tab: EngineTab): Promise<string> =>
  tab
    .run(
      () => document.querySelector('#chat')?.shadowRoot?.querySelector<HTMLElement>('.bk-chat')?.dataset['state'] ?? '',
    )
    .catch(() => '');
const draft = (tab: EngineTab): Promise<string> =>
  tab.run(() => document.querySelector('#chat')?.shadowRoot?.querySelector('textarea')?.value ?? '');
/** Types into the field, as the focus of the page is there. */
async function type(tab: EngineTab, words: string): Promise<void> {
  await eventually(() =>
    tab.run(() => document.querySelector('#chat')?.shadowRoot?.querySelector('textarea') !== null),
  ).toBe(true);
  await tab.run((its: string) => {
    const field = document.querySelector('#chat')?.shadowRoot?.querySelector('textarea');
    field?.focus();
    // oxlint-disable-next-line typescript/no-deprecated -- the one way to type into a shadow tree that all drivers have
    document.execCommand('insertText', false, its);
  }, words);
}
const press = (tab: EngineTab, css: string) =>
  tab.run((its: string) => {
    document.querySelector('#chat')?.shadowRoot?.querySelector<HTMLElement>(its)?.click();
  }, css);

describe.each(engines)('a page of three script lines, in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );
  let conversation: Conversation;
  let tab: EngineTab;
  beforeAll(async () => {
    conversation = model().converse(quick);
    tab = await engine().open();
    await tab.goto(`${site()}?${new URLSearchParams({ model: conversation.baseURL })}`);
  });
  afterAll(() => tab?.close().catch(() => {}));

  // The tests are the steps of one visit.
  it('sends, and streams the answer', async () => {
    await type(tab, 'hello');
    await tab.press('Enter');
    await eventually(() => text(tab)).toMatch(/word 0 .*word 19 END/u);
    await eventually(() => state(tab)).toBe('idle');
  });

  it('stops with a text in the field', async () => {
    conversation.pace(slow);
    await type(tab, 'slowly');
    await tab.press('Enter');
    await eventually(() => text(tab)).toContain('slowlyword 0');
    await type(tab, 'A draft');
    await press(tab, '[part=stop]');
    await eventually(() => state(tab)).toBe('idle');
    expect(await draft(tab)).toBe('A draft');
    expect(conversation.answers).toHaveLength(2);
  });

  it('keeps the draft when a property changes', async () => {
    await tab.run(() => {
      document.querySelector('#chat')?.setAttribute('instructions', 'Be brief.');
    });
    await eventually(() => text(tab)).toContain('hello');
    expect(await draft(tab)).toBe('A draft');
  });

  it('asks for approval, also after a reload, and goes on', async () => {
    await tab.run(() => document.querySelector('#chat')?.shadowRoot?.querySelector('textarea')?.select());
    await type(tab, 'Pay 20.');
    await tab.press('Enter');
    await eventually(() => state(tab)).toBe('waiting');
    await tab.reload();
    await eventually(() => state(tab)).toBe('waiting');
    expect(await text(tab)).toContain('hello');
    await press(tab, '[data-part=approval] [data-state=primary]');
    await eventually(() => text(tab)).toContain('The tool said: Paid.');
    await eventually(() => state(tab)).toBe('idle');
  });

  it('says a wrong property in a sentence and an event, and recovers', async () => {
    const errors = await tab.run(async () => {
      const chat = document.querySelector('#chat');
      const heard: string[] = [];
      document.addEventListener('error', (event) => {
        if (event instanceof CustomEvent)
          heard.push(`${String(Reflect.get(Object(event.detail), 'code'))} ${event.composedPath()[0] === chat}`);
      });
      chat?.setAttribute('theme', 'blue');
      await new Promise((resolve) => setTimeout(resolve));
      const sentence = chat?.shadowRoot?.querySelector('[role=alert]')?.textContent ?? '';
      chat?.removeAttribute('theme');
      return [...heard, sentence];
    });
    expect(errors).toEqual([
      'INVALID_CONFIG true',
      expect.stringContaining('`theme` is "blue": use light, dark or auto'),
    ]);
    await eventually(() => text(tab)).toContain('hello');
  });

  it('goes on when it is moved, and is empty when it is gone', async () => {
    const counts = await tab.run(async () => {
      const chat = document.querySelector('#chat');
      const log = chat?.shadowRoot?.querySelector('[role=log]');
      document.body.append(document.createElement('main'));
      document.querySelector('main')?.append(chat ?? '');
      await new Promise((resolve) => setTimeout(resolve));
      const isSame = log === chat?.shadowRoot?.querySelector('[role=log]');
      chat?.remove();
      await new Promise((resolve) => setTimeout(resolve));
      const left = chat?.shadowRoot?.childElementCount;
      document.body.prepend(chat ?? '');
      return [isSame, left];
    });
    expect(counts).toEqual([true, 0]);
    await eventually(() => text(tab)).toContain('hello');
  });

  it('tells the page what happens, which may keep a message in the field', async () => {
    conversation.pace(quick);
    const asked = conversation.answers.length;
    const heard = await tab.run(async (baseURL: string) => {
      const chat = document.createElement('brooklet-chat');
      const told: string[] = [];
      for (const type of ['send', 'finish', 'sessioncreated'])
        document.addEventListener(type, (event) => {
          if (event.target === chat) told.push(event.type);
        });
      Object.assign(chat, { baseURL, model: 'm' });
      document.body.append(chat);
      document.addEventListener('send', (event) => event.preventDefault(), { once: true });
      const kept = await Reflect.apply(Reflect.get(chat, 'send'), chat, ['Not yet']);
      const sent = await Reflect.apply(Reflect.get(chat, 'send'), chat, ['Now']);
      await new Promise((resolve) => setTimeout(resolve));
      const created = Reflect.get(chat, 'sessionId');
      chat.remove();
      return [kept ?? 'kept', sent?.outcome, typeof created, ...told];
    }, conversation.baseURL);
    expect(heard).toEqual(['kept', 'completed', 'string', 'send', 'send', 'sessioncreated', 'finish']);
    expect(conversation.answers.length).toBe(asked + 1);
  });

  it('lets go of listeners, timers and the database when it is removed', async () => {
    const left = await tab.run(async (baseURL: string) => {
      const listening = new Set<string>();
      let count = 0;
      const { addEventListener, removeEventListener } = EventTarget.prototype;
      const keys = new Map<unknown, number>();
      const nameOf = (target: EventTarget, type: string, listener: unknown): string => {
        if (!keys.has(listener)) keys.set(listener, (count += 1));
        return `${target === window ? 'window' : 'document'} ${type} ${keys.get(listener)}`;
      };
      const isPage = (target: EventTarget): boolean => target === window || target === document;
      EventTarget.prototype.addEventListener = function (...args: Parameters<typeof addEventListener>) {
        const target = this ?? window;
        const [type, listener, options] = args;
        if (isPage(target) && listener) {
          const name = nameOf(target, type, listener);
          const signal = typeof options === 'object' ? options.signal : undefined;
          // A listener of an aborted signal is none.
          if (!signal?.aborted) listening.add(name);
          if (signal) addEventListener.call(signal, 'abort', () => listening.delete(name));
        }
        return addEventListener.apply(target, args);
      };
      EventTarget.prototype.removeEventListener = function (...args: Parameters<typeof removeEventListener>) {
        const target = this ?? window;
        if (isPage(target)) listening.delete(nameOf(target, args[0], args[1]));
        return removeEventListener.apply(target, args);
      };
      document.querySelector('#chat')?.remove();
      const chat = document.createElement('brooklet-chat');
      Object.assign(chat, { baseURL, model: 'm', sessionId: 'gone' });
      document.body.append(chat);
      await Reflect.apply(Reflect.get(chat, 'send'), chat, ['Once']);
      const during = listening.size;
      chat.remove();
      // A database that is open somewhere blocks its removal.
      const removal = await new Promise<string>((resolve) => {
        const request = indexedDB.deleteDatabase('brooklet');
        request.addEventListener('success', () => resolve('removed'));
        request.addEventListener('error', () => resolve('refused'));
      });
      // Preact ends effects of a removed tree after the next frame: both functions stay replaced, and the next test leaves the page.
      const shown = () => void (document.documentElement.dataset['listening'] = [...listening].join(', '));
      Object.assign(listening, {
        delete: (name: string) => Set.prototype.delete.call(listening, name) && (shown(), true),
      });
      shown();
      return [during > 0, removal];
    }, conversation.baseURL);
    expect(left).toEqual([true, 'removed']);
    await eventually(() => tab.run(() => document.documentElement.dataset['listening'])).toBe('');
  });

  it('is whole in a page with hostile styles', async () => {
    await tab.goto(`${site()}hostile.html?${new URLSearchParams({ model: conversation.baseURL })}`);
    conversation.pace(quick);
    await type(tab, 'hello');
    await tab.press('Enter');
    await eventually(() => text(tab)).toMatch(/END/u);
    const looks = await tab.run(() => {
      const root = document.querySelector('#chat')?.shadowRoot;
      const field = root?.querySelector('textarea');
      const float = document.querySelector('#float')?.shadowRoot?.querySelector('.bk-launcher');
      const { color, letterSpacing, textTransform, fontSize } = getComputedStyle(field ?? document.body);
      const { width = 0, height = 0 } = field?.getBoundingClientRect() ?? {};
      const corner = float?.getBoundingClientRect();
      return {
        style: [color, letterSpacing, textTransform, fontSize],
        isShown: width > 200 && height > 20,
        corner: [
          Math.round(innerWidth - (corner?.right ?? 0)) < 40,
          Math.round(innerHeight - (corner?.bottom ?? 0)) < 40,
        ],
      };
    });
    expect(looks).toEqual({
      style: ['rgb(20, 32, 30)', 'normal', 'none', '16px'],
      isShown: true,
      corner: [true, true],
    });
  });

  it('opens and closes behind its launcher by keyboard, and returns the focus', async () => {
    const focus = () =>
      tab.run(() => {
        const inner = document.activeElement?.shadowRoot?.activeElement;
        return inner?.getAttribute('part') ?? '';
      });
    await tab.run(() =>
      document.querySelector('#float')?.shadowRoot?.querySelector<HTMLElement>('.bk-launcher')?.focus(),
    );
    await tab.press('Enter');
    await eventually(focus).toBe('field');
    await tab.press('Escape');
    await eventually(focus).toBe('launcher');
    expect(
      await tab.run(() =>
        document.querySelector('#float')?.shadowRoot?.querySelector('.bk-launcher')?.getAttribute('aria-expanded'),
      ),
    ).toBe('false');
  });

  it('has no error in its console', () => {
    expect(tab.problems()).toEqual([]);
  });
});
