import { describe, expect, it } from 'vitest';
import { canary } from './support/canary.ts';
import { type Chat, chatOn } from './support/chat.ts';
import { readStored } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { findDeadPort, startWire } from './support/server.ts';
import { setStage } from './support/stage.ts';

const rivers = 'Rivers begin small 🏞️, in 山 and moor, and grow by what joins them: “déjà vu”, says the sea.';
const clouds = 'Clouds are rivers that have not made up their mind; they wander, and then they fall all at once.';
/** Characters in an event. */
const chunkSize = 8;
/** Returns the part of an answer that has arrived after this many events: the first event contains only the role. */
const upTo = (text: string, events: number): string => text.slice(0, (events - 1) * chunkSize);
const loadError = /Failed to load resource/;

const stage = setStage(new URL('support/page', import.meta.url), { mode: 'development' });

describe.each([
  ['a chat in a page', false],
  ['a chat in a page under StrictMode', true],
])('%s', (_, strict) => {
  async function openChat(baseURL = stage.wire.baseURL): Promise<Chat> {
    return chatOn(await stage.browser.open(stage.freshURL({ baseURL, ...(strict && { strict: '1' }) })));
  }

  /** Asks for the rivers, and waits until this many events of the answer are on the page. */
  async function openMidStream(events: number) {
    stage.wire.mock.onMessage('rivers', { content: rivers }, { chunkSize });
    const hold = stage.wire.hold('rivers', events);
    const chat = await openChat();
    await chat.say('Tell me of rivers.');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant streaming: ${upTo(rivers, events)}`]);
    return { chat, hold };
  }

  it('shows an answer while it streams, from one request', async () => {
    const { chat, hold } = await openMidStream(3);
    expect(await chat.says('Status')).toBe('running');
    hold.pass(4);
    await eventually(chat.log).toContain(`assistant streaming: ${upTo(rivers, 7)}`);
    hold.pass();
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);

    await eventually(() => chat.says('Status')).toBe('idle');
    expect(await chat.says('Error')).toBe('');
    await eventually(chat.sessions).toEqual(['Tell me of rivers. idle']);
    expect(await chat.tab.page.evaluate(() => globalThis.mounts)).toBe(strict ? 2 : 1);
    expect(stage.wire.exchanges).toHaveLength(1);
    const { path, headers, body, closed } = stage.wire.exchanges[0]!;
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${canary}`);
    expect(body).toMatchObject({ model: 'gpt-5-mini', stream: true, messages: [{ role: 'user' }] });
    expect((await closed).by).toBe('nobody');
  });

  it('runs the requested tool once, and shows the answer with its result', async () => {
    stage.wire.mock
      .on({ userMessage: '2 + 3', hasToolResult: false }, { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] })
      .on({ userMessage: '2 + 3', hasToolResult: true }, { content: 'It is 5.' });
    const chat = await openChat();
    await chat.say('How much is 2 + 3?');
    await eventually(chat.log).toEqual([
      'user: How much is 2 + 3?',
      'assistant complete: [add succeeded: 5]',
      'assistant complete: It is 5.',
    ]);

    await eventually(() => chat.says('Status')).toBe('idle');
    expect(await chat.done()).toEqual(['add 2 3']);
    expect(stage.wire.exchanges).toHaveLength(2);
    const [, call, result] = stage.wire.exchanges[1]!.body.messages;
    expect(call).toMatchObject({
      role: 'assistant',
      tool_calls: [{ id: result?.tool_call_id, function: { name: 'add', arguments: '{"a":2,"b":3}' } }],
    });
    expect(result).toMatchObject({ role: 'tool', content: '5' });
  });

  /** Sends a message whose answer requests a call that needs an approval. */
  async function openWaiting(): Promise<Chat> {
    stage.wire.mock
      .on({ userMessage: 'bill', hasToolResult: false }, { toolCalls: [{ name: 'pay', arguments: '{"amount":40}' }] })
      .on({ userMessage: 'bill', toolResultContains: 'paid 40' }, { content: 'It is paid.' })
      .on({ userMessage: 'bill', toolResultContains: 'Too much.' }, { content: 'Then not.' });
    const chat = await openChat();
    await chat.say('Pay the bill.');
    await eventually(() => chat.says('Status')).toBe('waiting');
    await eventually(chat.log).toEqual(['user: Pay the bill.', 'assistant complete: [pay awaiting-approval]']);
    expect(await chat.done()).toEqual([]);
    return chat;
  }

  it('pays once after the approval', async () => {
    const chat = await openWaiting();
    await chat.click('Approve');
    await eventually(chat.log).toEqual([
      'user: Pay the bill.',
      'assistant complete: [pay succeeded: paid 40]',
      'assistant complete: It is paid.',
    ]);
    expect(await chat.done()).toEqual(['pay 40']);
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('does not pay after a rejection, and sends the reason to the model', async () => {
    const chat = await openWaiting();
    await chat.click('Reject');
    await eventually(chat.log).toContain('assistant complete: Then not.');
    expect((await chat.log())[1]).toMatch(/^assistant complete: \[pay rejected/);
    expect(await chat.done()).toEqual([]);
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('still awaits the approval after a reload, and pays once', async () => {
    const chat = await openWaiting();
    await chat.tab.page.reload();
    await eventually(chat.log).toEqual(['user: Pay the bill.', 'assistant complete: [pay awaiting-approval]']);
    await eventually(() => chat.says('Status')).toBe('waiting');
    expect(await chat.done()).toEqual([]);
    expect(stage.wire.exchanges).toHaveLength(1);
    await chat.click('Approve');
    await eventually(chat.log).toContain('assistant complete: It is paid.');
    expect(await chat.done()).toEqual(['pay 40']);

    await chat.tab.page.reload();
    await eventually(chat.log).toContain('assistant complete: It is paid.');
    await eventually(() => chat.says('Status')).toBe('idle');
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('stops down to the socket, keeps the text so far, and answers the next message', async () => {
    const { chat } = await openMidStream(5);
    stage.wire.mock.onMessage('short', { content: 'Gladly.' });
    // The server is silent now: only an abort can close the connection.
    const stopped = await chat.tab.page
      .getByRole('button', { name: 'Stop' })
      .evaluate((button: HTMLElement) => (button.click(), Date.now()));
    const closing = await stage.wire.exchanges[0]!.closed;
    console.info(`stop → connection closed: ${closing.at - stopped} ms${strict ? ', under StrictMode' : ''}`);
    expect(closing.by).toBe('client');
    const cut = `assistant interrupted: ${upTo(rivers, 5)}`;
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', cut]);
    await eventually(() => chat.says('Status')).toBe('idle');
    expect(await chat.says('Error')).toBe('');

    await chat.say('A short one.');
    await eventually(chat.log).toEqual([
      'user: Tell me of rivers.',
      cut,
      'user: A short one.',
      'assistant complete: Gladly.',
    ]);
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('stops a run of another tab, down to its socket', async () => {
    stage.wire.mock.onMessage('rivers', { content: rivers.repeat(40) }, { chunkSize, latency: 5 });
    stage.wire.hold('rivers', 400);
    const chat = await openChat();
    await chat.say('Tell me of rivers.');
    await eventually(async () => (await chat.log())[1]).toContain(upTo(rivers, 5));
    const other = chatOn(await stage.browser.open(chat.tab.page.url()));
    await eventually(async () => (await other.log())[1]).toContain(`assistant streaming: ${upTo(rivers, 5)}`);
    await other.click('Stop');
    expect((await stage.wire.exchanges[0]!.closed).by).toBe('client');
    for (const tab of [chat, other]) await eventually(() => tab.says('Status')).toBe('idle');
    await eventually(async () => JSON.stringify(await chat.log())).toBe(JSON.stringify(await other.log()));
    expect((await other.log())[1]).toMatch(/^assistant interrupted: Rivers begin small/);
    expect(stage.wire.exchanges).toHaveLength(1);
  });

  it('states which server refused the key, and keeps the message', async () => {
    const message = `Incorrect API key provided: ${canary}.`;
    stage.wire.mock.onMessage('rivers', { error: { message, code: 'invalid_api_key' }, status: 401 });
    const chat = await openChat();
    chat.tab.expectProblem(loadError);
    await chat.say('Tell me of rivers.');
    await eventually(() => chat.says('Error code')).toBe('AUTHENTICATION_FAILED');
    expect(await chat.says('Error')).toMatch(new RegExp(`^401 from ${stage.wire.host}: the key was refused`));
    await eventually(() => chat.says('Status')).toBe('failed');
    expect(await chat.log()).toEqual(['user: Tell me of rivers.']);
    expect(stage.wire.exchanges).toHaveLength(1);

    // The error is shown again after a reload, and resume works.
    await chat.tab.page.reload();
    await eventually(() => chat.says('Error code')).toBe('AUTHENTICATION_FAILED');
    stage.wire.mock.clearFixtures().onMessage('rivers', { content: rivers });
    await chat.click('Resume');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    expect(await chat.says('Error')).toBe('');
  });

  it('states that there were too many requests', async () => {
    stage.wire.mock.onMessage('rivers', { error: { message: 'Slow down.', code: 'rate_limit_exceeded' }, status: 429 });
    const chat = await openChat();
    chat.tab.expectProblem(loadError);
    await chat.say('Tell me of rivers.');
    await eventually(() => chat.says('Error code')).toBe('RATE_LIMIT_EXCEEDED');
    expect(await chat.says('Error')).toContain(`429 from ${stage.wire.host}: too many requests. It said: "Slow down."`);
    expect(await chat.log()).toEqual(['user: Tell me of rivers.']);
    // The request is sent again twice before the error is shown.
    expect(stage.wire.exchanges).toHaveLength(3);
  });

  it('sends a request again after a 503, and shows no error', async () => {
    let attempts = 0;
    const isFirst = (): boolean => (attempts += 1) === 1;
    stage.wire.mock
      .on({ userMessage: 'rivers', predicate: isFirst }, { error: { message: 'Overloaded.' }, status: 503 })
      .onMessage('rivers', { content: rivers });
    const chat = await openChat();
    chat.tab.expectProblem(loadError);
    await chat.say('Tell me of rivers.');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    expect([await chat.says('Error'), stage.wire.exchanges.length]).toEqual(['', 2]);
  });

  it('ends the wait for another attempt with Stop', async () => {
    stage.wire.mock.onMessage('rivers', { error: { message: 'Overloaded.' }, status: 503 });
    stage.wire.mock.onMessage('lakes', { content: 'Lakes are still.' });
    const chat = await openChat();
    chat.tab.expectProblem(loadError);
    await chat.say('Tell me of rivers.');
    await eventually(() => stage.wire.exchanges.length).toBeGreaterThan(0);
    await chat.click('Stop');
    await eventually(() => chat.says('Status')).not.toBe('running');
    const attempts = stage.wire.exchanges.length;
    await chat.say('Tell me of lakes.');
    await eventually(async () => (await chat.log()).at(-1)).toBe('assistant complete: Lakes are still.');
    expect([await chat.says('Error'), stage.wire.exchanges.length]).toEqual(['', attempts + 1]);
  });

  it('marks an answer as interrupted when the connection is cut, and resumes it', async () => {
    stage.wire.mock.onMessage('rivers', { content: rivers }, { chunkSize, latency: 5, truncateAfterChunks: 6 });
    stage.wire.mock.onMessage('interrupted here', { content: 'And so on, to the sea.' });
    const hold = stage.wire.hold('rivers', 5);
    const chat = await openChat();
    chat.tab.expectProblem(loadError);
    await chat.say('Tell me of rivers.');
    await eventually(chat.log).toContain(`assistant streaming: ${upTo(rivers, 5)}`);
    hold.pass();
    await eventually(() => chat.says('Status')).toBe('interrupted');
    expect((await stage.wire.exchanges[0]!.closed).by).toBe('server');
    expect(await chat.says('Error code')).toBe('STREAM_INTERRUPTED');
    const [, cut = ''] = await chat.log();
    expect([5, 6].map((events) => `assistant interrupted: ${upTo(rivers, events)}`)).toContain(cut);

    await chat.click('Resume');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', cut, 'assistant complete: And so on, to the sea.']);
    await eventually(() => chat.says('Status')).toBe('idle');
    expect(await chat.says('Error')).toBe('');
    expect(stage.wire.exchanges[1]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('streams two sessions at the same time, and shows each separately', async () => {
    const { chat, hold: first } = await openMidStream(3);
    stage.wire.mock.onMessage('clouds', { content: clouds }, { chunkSize });
    const second = stage.wire.hold('clouds', 4);
    await chat.click('New session');
    await eventually(chat.log).toEqual([]);
    await eventually(() => chat.says('Status')).toBe('idle');
    await chat.say('Tell me of clouds.');
    await eventually(chat.log).toEqual(['user: Tell me of clouds.', `assistant streaming: ${upTo(clouds, 4)}`]);

    first.pass(3);
    await chat.click('Tell me of rivers.');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant streaming: ${upTo(rivers, 6)}`]);
    second.pass(4);
    await chat.click('Tell me of clouds.');
    await eventually(chat.log).toEqual(['user: Tell me of clouds.', `assistant streaming: ${upTo(clouds, 8)}`]);
    first.pass();
    await eventually(chat.sessions).toContain('Tell me of rivers. idle');
    expect((await stage.wire.exchanges[0]!.closed).by).toBe('nobody');
    expect(await chat.log()).toEqual(['user: Tell me of clouds.', `assistant streaming: ${upTo(clouds, 8)}`]);
    await chat.click('Tell me of rivers.');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    second.pass();
    await chat.click('Tell me of clouds.');
    await eventually(chat.log).toEqual(['user: Tell me of clouds.', `assistant complete: ${clouds}`]);

    expect(stage.wire.exchanges).toHaveLength(2);
    await eventually(chat.sessions).toEqual(['Tell me of clouds. idle', 'Tell me of rivers. idle']);
    for (const { body } of stage.wire.exchanges) expect(body.messages).toHaveLength(1);
  });

  it('restores an answer after a reload in mid-stream, and resumes it', async () => {
    const { chat } = await openMidStream(6);
    await chat.tab.page.reload();
    const restored = ['user: Tell me of rivers.', `assistant interrupted: ${upTo(rivers, 6)}`];
    await eventually(chat.log).toEqual(restored);
    expect((await stage.wire.exchanges[0]!.closed).by).toBe('client');
    await eventually(() => chat.says('Status')).toBe('interrupted');
    // The page has left, and no service has closed the connection.
    expect(await chat.says('Error code')).toBe('');
    await eventually(chat.sessions).toEqual(['Tell me of rivers. interrupted']);
    expect(stage.wire.exchanges).toHaveLength(1);

    stage.wire.mock.onMessage('interrupted here', { content: 'And so on, to the sea.' });
    await chat.click('Resume');
    await eventually(chat.log).toEqual([...restored, 'assistant complete: And so on, to the sea.']);
    await eventually(() => chat.says('Status')).toBe('idle');
    expect(stage.wire.exchanges).toHaveLength(2);
  });

  it('regenerates an answer after a reload in mid-stream', async () => {
    stage.wire.mock.onMessage('rivers', { content: rivers.repeat(20) }, { chunkSize, latency: 5 });
    stage.wire.hold('rivers', 150);
    const chat = await openChat();
    await chat.say('Tell me of rivers.');
    await eventually(async () => (await chat.log())[1]).toContain(upTo(rivers, 8));
    const shown = await chat.tab.page.evaluate(() => {
      const length = document.querySelector('article:last-of-type')?.textContent.length ?? 0;
      setTimeout(() => location.reload());
      return length;
    });
    await eventually(() => chat.says('Status')).toBe('interrupted');
    const [, cut = ''] = await chat.log();
    const restored = cut.slice('assistant interrupted: '.length);
    console.info(`reload in mid-stream: ${restored.length} of ${shown} characters came back`);
    expect(restored).not.toBe('');
    expect(rivers.repeat(20).startsWith(restored)).toBe(true);

    stage.wire.mock.clearFixtures().onMessage('rivers', { content: rivers });
    await chat.click('Regenerate');
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    await eventually(() => chat.says('Storage')).toBe('saved');
    await chat.tab.page.reload();
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
  });

  it('restores an answer after a crash in mid-stream', async () => {
    const { chat } = await openMidStream(6);
    // A crash fires no event: only what is stored before can be restored.
    await eventually(() => readStored(chat.tab.page)).toContain(upTo(rivers, 6).slice(-chunkSize));
    const url = chat.tab.page.url();
    await chat.tab.crash();
    expect((await stage.wire.exchanges[0]!.closed).by).toBe('client');

    const other = chatOn(await stage.browser.open(url));
    await eventually(other.log).toEqual(['user: Tell me of rivers.', `assistant interrupted: ${upTo(rivers, 6)}`]);
    await eventually(() => other.says('Status')).toBe('interrupted');
    expect(stage.wire.exchanges).toHaveLength(1);
  });

  it('waits for the network, and sends the message when the network is back', async () => {
    stage.wire.mock.onMessage('rivers', { content: rivers });
    const chat = await openChat();
    chat.tab.expectProblem(/ERR_INTERNET_DISCONNECTED/);
    const failing = chat.tab.page.waitForEvent('requestfailed');
    await stage.browser.context.setOffline(true);
    try {
      await chat.say('Tell me of rivers.');
      await failing;
      expect((await chat.log())[0]).toBe('user: Tell me of rivers.');
      expect([await chat.says('Status'), stage.wire.exchanges.length]).toEqual(['running', 0]);
    } finally {
      await stage.browser.context.setOffline(false);
    }
    await eventually(chat.log).toEqual(['user: Tell me of rivers.', `assistant complete: ${rivers}`]);
    expect(stage.wire.exchanges).toHaveLength(1);
    expect(await chat.says('Error')).toBe('');
  });

  it('states possible reasons if no server answers', async () => {
    const port = await findDeadPort();
    const chat = await openChat(`http://127.0.0.1:${port}/v1`);
    chat.tab.expectProblem(/ERR_CONNECTION_REFUSED/);
    await chat.say('Tell me of rivers.');
    await eventually(() => chat.says('Error code')).toBe('NETWORK_ERROR');
    expect(await chat.says('Error')).toMatch(new RegExp(`^No answer from 127.0.0.1:${port}.*network.*CORS`));
    expect(await chat.log()).toEqual(['user: Tell me of rivers.']);
  });

  it('states possible reasons if the server refuses pages', async () => {
    const closed = await startWire({ cors: false });
    try {
      closed.mock.onMessage('rivers', { content: rivers });
      const chat = await openChat(closed.baseURL);
      chat.tab.expectProblem(/blocked by CORS policy|ERR_FAILED/);
      await chat.say('Tell me of rivers.');
      await eventually(() => chat.says('Error code')).toBe('NETWORK_ERROR');
      expect(await chat.says('Error')).toMatch(new RegExp(`^No answer from ${closed.host}.*CORS`));
      await eventually(() => chat.says('Status')).toBe('failed');
    } finally {
      await closed.stop();
    }
  });
});
