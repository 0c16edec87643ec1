import { configure, screen, waitFor, within } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';

// The machine may be busy, and lazily loaded chunks come over the network here.
configure({ asyncUtilTimeout: 15_000 });

/** A streamed answer of OpenAI's, written chunk by chunk by the test. */
function createAnswer() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (newController) => void (controller = newController) });
  const encoder = new TextEncoder();
  const write = (event: object): void => controller?.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (delta: string) => write({ type: 'response.output_text.delta', output_index: 0, delta }),
    end() {
      write({ type: 'response.completed', response: { status: 'completed', output: [] } });
      controller?.close();
    },
  };
}

test('the chat of the README streams an answer, stops an answer, and shows why an answer failed', async () => {
  const answers = [createAnswer(), createAnswer()];
  const requests: { readonly url: string; readonly init: RequestInit }[] = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const answer = answers[requests.length];
    requests.push({ url, init });
    const refusal = new Response('{"error":{"message":"No."}}', { status: 401 });
    return Promise.resolve(answer?.response ?? refusal);
  });
  const { default: App } = await import('./readme/App.tsx');
  createRoot(document.body.appendChild(document.createElement('div'))).render(<App />);
  await userEvent.type(await screen.findByLabelText('API key for OpenAI'), 'sk-of-the-reader{Enter}');
  const ask = async (text: string): Promise<void> => {
    await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), `${text}{Enter}`);
  };
  const findStop = () => screen.findByRole('button', { name: 'Stop' });
  const expectStopped = () => waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull());

  await ask('What is a brooklet?');
  await within(screen.getByRole('log')).findByText('What is a brooklet?');
  await waitFor(() => expect(requests).toHaveLength(1));
  answers[0]?.send('A very ');
  await within(screen.getByRole('log')).findByText('A very');
  await findStop();
  answers[0]?.send('small brook.');
  answers[0]?.end();
  await within(screen.getByRole('log')).findByText('A very small brook.');
  await expectStopped();
  expect(requests[0]?.url).toBe('https://api.openai.com/v1/responses');
  expect(new Headers(requests[0]?.init.headers).get('authorization')).toBe('Bearer sk-of-the-reader');
  expect(location.hash.length).toBeGreaterThan(8);

  await ask('And a brook?');
  await waitFor(() => expect(requests).toHaveLength(2));
  answers[1]?.send('A small');
  await within(screen.getByRole('log')).findByText('A small');
  const stop = await findStop();
  const place = stop.getBoundingClientRect().top;
  answers[1]?.send(' river,\nand\nso\non.');
  await within(screen.getByRole('log')).findByText(/so\s+on\./);
  // A button that text moves between mousedown and mouseup gets no click.
  expect(stop.getBoundingClientRect().top).toBe(place);
  await userEvent.click(stop);
  await waitFor(() => expect(requests[1]?.init.signal?.aborted).toBe(true));
  await expectStopped();
  await within(screen.getByRole('log')).findByText(/A small river/);

  await ask('Go on?');
  await within(await screen.findByRole('alert')).findByText('The key was refused');
  await screen.findByLabelText('API key for OpenAI');
});
