import { configure, screen, waitFor } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

// The machine may be busy, and lazily loaded chunks come over the network here.
configure({ asyncUtilTimeout: 15_000 });

/** A streamed answer of OpenAI's, written chunk by chunk by the test. */
function createAnswer() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (newController) => void (controller = newController) });
  const encoder = new TextEncoder();
  const write = (data: string): void => controller?.enqueue(encoder.encode(`data: ${data}\n\n`));
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (content: string) => write(JSON.stringify({ choices: [{ index: 0, delta: { content } }] })),
    end() {
      write(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      write('[DONE]');
      controller?.close();
    },
  };
}

test('the chat of the README streams an answer, stops an answer, and shows why an answer failed', async () => {
  const answers = [createAnswer(), createAnswer()];
  const requests: { readonly url: string; readonly init: RequestInit }[] = [];
  vi.stubGlobal('prompt', () => 'sk-of-the-reader');
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const answer = answers[requests.length];
    requests.push({ url, init });
    const refusal = new Response('{"error":{"message":"No."}}', { status: 401 });
    return Promise.resolve(answer?.response ?? refusal);
  });
  await import('./readme/chat.tsx');
  const ask = async (text: string): Promise<void> => {
    await userEvent.type(await screen.findByRole('textbox'), `${text}{Enter}`);
  };
  const stop = await screen.findByRole<HTMLInputElement>('button', { name: 'Stop' });
  expect(stop.disabled).toBe(true);

  await ask('What is a brooklet?');
  await screen.findByText('What is a brooklet?');
  await waitFor(() => expect(requests).toHaveLength(1));
  answers[0]?.send('A very ');
  await screen.findByText('A very');
  expect(stop.disabled).toBe(false);
  answers[0]?.send('small brook.');
  answers[0]?.end();
  await screen.findByText('A very small brook.');
  await waitFor(() => expect(stop.disabled).toBe(true));
  expect(requests[0]?.url).toBe('https://api.openai.com/v1/chat/completions');
  expect(new Headers(requests[0]?.init.headers).get('authorization')).toBe('Bearer sk-of-the-reader');

  await ask('And a brook?');
  await waitFor(() => expect(requests).toHaveLength(2));
  answers[1]?.send('A small');
  await screen.findByText('A small');
  await userEvent.click(stop);
  await waitFor(() => expect(requests[1]?.init.signal?.aborted).toBe(true));
  await waitFor(() => expect(stop.disabled).toBe(true));
  await screen.findByText('A small');

  await ask('Go on?');
  await screen.findByText(/401 from api\.openai\.com: the key was refused/);
});
