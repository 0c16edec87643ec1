import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { compatible, type Provider } from 'brooklet/providers';
import { KeyField, type KeyFieldProps, type ReadyKey } from 'brooklet/ui';
import { type ReactElement, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { until } from '../support/until.ts';
import { brook, canary, field, origin, page, press, showField } from './keyStage.tsx';

const pond: Provider = compatible('http://127.0.0.1:9/v1', 'Pond');

/** A service that answers all requests of a client alike. */
const answering = (answer: () => Response | Promise<Response>) => vi.fn<typeof fetch>(async () => answer());

const refusal = (status: number, error: object) => () => Response.json({ error }, { status });

const answer = (): Response =>
  new Response(
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    { headers: { 'content-type': 'text/event-stream' } },
  );

afterEach(() => vi.unstubAllGlobals());

describe('KeyField without a vault', () => {
  it('keeps a key in memory, releases it to its origin only, and shows that there is one', async () => {
    const { person, container, ready } = showField();
    await person.type(field(), `  "Bearer ${canary}"\n`);
    await press(person, 'Use this key');
    expect(ready).toHaveLength(1);
    expect(ready[0]).toMatchObject({ provider: brook, baseURL: brook.baseURL, keep: 'tab', lastFour: 'WXYZ' });
    expect(await ready[0]?.apiKey?.(origin)).toBe(canary);
    await expect(ready[0]?.apiKey?.('https://evil.example')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(screen.getByText('In the memory of this tab, ends in WXYZ')).toBeTruthy();
    expect(container.querySelector('input')).toBeNull();
    expect(page()).not.toContain('sk-canary');
    expect(JSON.stringify(ready)).not.toContain('sk-canary');
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('has the key in the page only as the content of a password field', async () => {
    const { person } = showField();
    await person.type(field(), canary);
    expect(field().type).toBe('password');
    expect(field().value).toBe(canary);
    expect(page()).not.toContain('sk-canary');
    expect(field().autocomplete).toBe('off');
  });

  it.each([
    ['', 'Paste a key first.'],
    ['sk with spaces', 'This has characters that no key contains. Copy the key again.'],
    ['密钥', 'This has characters that no key contains. Copy the key again.'],
  ])('refuses %j at once, and leaves it in its field', async (text, problem) => {
    const { person, ready } = showField();
    if (text !== '') await person.type(field(), text);
    await press(person, 'Use this key');
    expect(screen.getByRole('alert').textContent).toBe(problem);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(problem);
    expect(document.activeElement).toBe(field());
    expect(field().value).toBe(text);
    expect(ready).toEqual([]);
    await person.type(field(), 'x');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  describe('in a page that shows it until there is a key', () => {
    function Page(): ReactElement {
      const [hasKey, setHasKey] = useState(false);
      return (
        <main>
          {!hasKey && <KeyField provider={brook} onReady={() => setHasKey(true)} />}
          <textarea aria-label="Message" data-focus-home="" />
          <button type="button">Other</button>
        </main>
      );
    }
    const type = async (text: string): Promise<UserEvent> => {
      vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
      render(<Page />, { reactStrictMode: true });
      const person = userEvent.setup();
      await person.type(field(), text);
      return person;
    };
    const isGone = (): Promise<void> => waitFor(() => expect(screen.queryByRole('group')).toBeNull());

    it('leaves the focus to the message', async () => {
      await type(`${canary}{Enter}`);
      await isGone();
      await waitFor(() => expect(document.activeElement).toBe(field('Message')));
    });

    it('leaves the focus where a person has moved it since', async () => {
      const person = await type(canary);
      const other = screen.getByRole('button', { name: 'Other' });
      fireEvent.submit(field());
      other.focus();
      await isGone();
      await person.keyboard('{Shift}');
      expect(document.activeElement).toBe(other);
    });
  });

  it('needs no key where the service needs none', async () => {
    const { person, ready } = showField({ provider: pond });
    await press(person, 'Use this key');
    expect(ready).toEqual([{ provider: pond, baseURL: pond.baseURL, keep: 'tab' }]);
    expect(screen.getByText('Without a key')).toBeTruthy();
  });

  it('changes and forgets a key', async () => {
    const onForget = vi.fn<(provider: Provider) => void>();
    const { person, ready } = showField({ onForget });
    await person.type(field(), canary);
    await press(person, 'Use this key');
    await press(person, 'Change');
    expect(field().value).toBe('');
    await press(person, 'Cancel');
    await press(person, 'Change');
    await person.type(field(), 'sk-other-0123456789abcdefghij-ABCD');
    await press(person, 'Use this key');
    expect(ready.map(({ lastFour }) => lastFour)).toEqual(['WXYZ', 'ABCD']);
    await press(person, 'Forget');
    expect(screen.getByText('The key is erased here, and cannot be shown again.')).toBeTruthy();
    await press(person, 'Forget');
    expect(onForget.mock.calls).toEqual([[brook]]);
    expect(field().value).toBe('');
  });

  it('shows a key that the page has already, and discloses nothing of a short one', async () => {
    const ready: ReadyKey = { provider: brook, baseURL: brook.baseURL, keep: 'tab', apiKey: async () => canary };
    const { person } = showField({ ready });
    expect(screen.getByText('In the memory of this tab')).toBeTruthy();
    await press(person, 'Change');
    await person.type(field(), 'short-key');
    await press(person, 'Use this key');
    expect(screen.getByText('In the memory of this tab')).toBeTruthy();
  });

  it('offers a choice of providers, each with its own key', async () => {
    const onProvider = vi.fn<(provider: Provider) => void>();
    const { person } = showField({ provider: [brook, pond], onProvider });
    await person.type(field(), canary);
    await person.selectOptions(screen.getByRole('combobox', { name: 'Provider' }), 'Pond');
    expect(onProvider.mock.calls).toEqual([[pond]]);
    expect(field('API key for Pond').value).toBe('');
  });

  it.each(['', 'no address', 'ftp://brook.example/v1', 'javascript:alert(1)'])(
    'takes no key for the address %j',
    (baseURL) => {
      showField({ baseURL });
      expect(screen.getByRole('alert').textContent).toBe('The address of the service is not a web address.');
      expect(document.querySelector('input')).toBeNull();
    },
  );

  it('has a button that uses the key, with `onUse`: the one that was entered, and the one that is there', async () => {
    const onUse = vi.fn<NonNullable<KeyFieldProps['onUse']>>();
    const { person, ready } = showField({ onUse });
    await person.type(field(), canary);
    await press(person, 'Use this key');
    expect(onUse).toHaveBeenCalledExactlyOnceWith(ready[0], { isTested: false });
    await press(person, 'Use this key');
    expect(onUse).toHaveBeenCalledTimes(2);
    const [used] = onUse.mock.lastCall ?? [];
    expect(await used?.apiKey?.(origin)).toBe(canary);
  });

  it('renders fields of the page, which get what releases the typed key, then the key that is there', async () => {
    const released: string[] = [];
    const { person } = showField({
      onUse: () => {},
      renderFields: (apiKey) => (
        <button type="button" onClick={() => void apiKey(origin).then((key) => released.push(key))}>
          Read
        </button>
      ),
    });
    await press(person, 'Read');
    await person.type(field(), canary);
    await press(person, 'Read');
    await press(person, 'Use this key');
    await press(person, 'Read');
    await until(() => expect(released).toEqual(['', canary, canary]));
    expect(page()).not.toContain('sk-canary');
  });

  it('says that a service refuses pages, unless the address is that of a proxy', () => {
    const { container } = showField({ provider: { ...brook, pages: 'refused' } });
    expect(container.textContent).toContain('This service refuses requests from web pages');
    render(
      <KeyField provider={{ ...brook, pages: 'refused' }} baseURL="https://proxy.example/v1" onReady={() => {}} />,
    );
    expect(screen.getAllByText(/This service refuses/)).toHaveLength(1);
  });
});

describe('KeyField with a test', () => {
  it('sends one small request with the key, then reports the key', async () => {
    const send = answering(answer);
    const { person, ready } = showField({ test: true, request: { fetch: send } });
    await person.type(field(), canary);
    await press(person, 'Test and use');
    await waitFor(() => expect(ready).toHaveLength(1));
    expect(send).toHaveBeenCalledTimes(1);
    const [url, init] = send.mock.calls[0] ?? [];
    expect(JSON.stringify(url)).toBe(`"${origin}/v1/chat/completions"`);
    expect(new Headers(init?.headers).get('authorization')).toBe(`Bearer ${canary}`);
    expect(init?.body).toContain('"model":"small"');
  });

  it('tests the key that is there before it is used again, and says what is wrong', async () => {
    let status = 401;
    const fetch = answering(() => (status === 200 ? answer() : refusal(status, { message: 'No.' })()));
    const onUse = vi.fn<NonNullable<KeyFieldProps['onUse']>>();
    const ready: ReadyKey = { provider: brook, baseURL: brook.baseURL, keep: 'tab', apiKey: async () => canary };
    const { person } = showField({ onUse, ready, test: true, request: { fetch } });
    await press(person, 'Test and use');
    expect((await screen.findByRole('alert')).textContent).toContain('The key was refused');
    expect(onUse).not.toHaveBeenCalled();
    status = 503;
    await press(person, 'Test and use');
    await press(person, 'Use it anyway');
    expect(onUse).toHaveBeenLastCalledWith(ready, { isTested: false });
    status = 200;
    await press(person, 'Test and use');
    await until(() => expect(onUse).toHaveBeenLastCalledWith(ready, { isTested: true }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('tests with the first listed model where none is known', async () => {
    const send = vi.fn<typeof fetch>(async (url) =>
      JSON.stringify(url).endsWith('/models"') ? Response.json({ data: [{ id: 'listed' }] }) : answer(),
    );
    const { models: _models, ...unknown } = brook;
    const { person, ready } = showField({ provider: unknown, test: true, request: { fetch: send } });
    await person.type(field(), canary);
    await press(person, 'Test and use');
    await waitFor(() => expect(ready).toHaveLength(1));
    expect(send.mock.calls[1]?.[1]?.body).toContain('"model":"listed"');
  });

  it.each([
    [
      'a wrong key',
      refusal(401, { message: `Incorrect API key: ${canary}` }),
      'The key was refused. brook.example does not accept it.',
      false,
    ],
    ['a key without permission', refusal(403, { message: 'no' }), 'The key may not do this.', true],
    [
      'no credit',
      refusal(429, { code: 'insufficient_quota', message: 'pay' }),
      'The account has no credit. The key is right.',
      true,
    ],
    ['no such model', refusal(404, { code: 'model_not_found', message: 'no model' }), 'There is no such model.', true],
    ['too many requests', refusal(429, { message: 'slow down' }), 'The service is busy. The key was not tested.', true],
    [
      'a refusal that quotes the key',
      refusal(400, { message: `bad request for ${canary}` }),
      'The service refused the request.',
      true,
    ],
  ])('says what was wrong: %s', async (_name, respond, problem, mayUse) => {
    const { person, ready } = showField({ test: true, request: { fetch: answering(respond) } });
    await person.type(field(), canary);
    await press(person, 'Test and use');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(problem);
    expect(page()).not.toContain('sk-canary');
    expect(field().value).toBe(canary);
    expect(ready).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Use it anyway' }) !== null).toBe(mayUse);
    if (!mayUse) return;
    await press(person, 'Use it anyway');
    expect(ready).toHaveLength(1);
  });

  it.each([
    ['CORS', true, `Blocked by CORS. brook.example is reachable, but does not let pages of ${location.origin} read`],
    ['no server', false, 'Nothing answered. No server answered at brook.example.'],
  ])('distinguishes %s, by a request that has no key', async (_name, isThere, problem) => {
    const send = vi.fn<typeof fetch>(async (_url, init) => {
      if (init?.mode === 'no-cors' && isThere) return Response.json({});
      throw new TypeError('Failed to fetch');
    });
    const { person } = showField({ test: true, request: { fetch: send } });
    await person.type(field(), canary);
    await press(person, 'Test and use');
    expect((await screen.findByRole('alert')).textContent).toContain(problem);
    const probe = send.mock.calls.find(([, init]) => init?.mode === 'no-cors');
    expect(probe?.[0]).toBe(origin);
    expect(JSON.stringify(probe?.[1])).not.toContain('sk-canary');
    expect(probe?.[1]?.credentials).toBe('omit');
  });

  it('says that there is no network', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const send = vi.fn<typeof fetch>(() => Promise.reject(new TypeError('Failed to fetch')));
    const { person } = showField({ test: true, request: { fetch: send } });
    await person.type(field(), canary);
    await press(person, 'Test and use');
    expect((await screen.findByRole('alert')).textContent).toContain('No network. This browser is offline.');
    vi.restoreAllMocks();
  });

  it('stops a test, and aborts its request', async () => {
    let signal: AbortSignal | null | undefined;
    const send = vi.fn<typeof fetch>((_url, init) => {
      signal = init?.signal;
      return new Promise(() => {});
    });
    const { person, ready } = showField({ test: true, request: { fetch: send } });
    await person.type(field(), canary);
    await press(person, 'Test and use');
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    await press(person, 'Cancel');
    await waitFor(() => expect(signal?.aborted).toBe(true));
    await screen.findByRole('button', { name: 'Test and use' });
    expect(screen.queryByRole('alert')).toBeNull();
    expect(ready).toEqual([]);
    expect(field().value).toBe(canary);
  });
});
