/** A piece of an answer. */
export interface Delta {
  readonly text: string;
  /** Whether it belongs to the input of a tool call. */
  readonly isInput: boolean;
}

interface Call {
  readonly id?: string;
  readonly function: { readonly arguments?: string };
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string; readonly tool_calls?: readonly Call[] } }[];
}

/**
 * The loop that a page would write by hand: fetch, decode, split, parse; if a tool is called, run it and ask again. The loop trusts the server,
 * and has no errors, limits or time-outs.
 */
export async function* ask(
  api: string,
  messages: readonly object[],
  signal: AbortSignal,
): AsyncGenerator<readonly Delta[]> {
  const response = await fetch(`${api}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'm', stream: true, messages }),
    signal,
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let id = '';
  let input = '';
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    const events = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    const deltas: Delta[] = [];
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const chunk: Chunk = JSON.parse(event.slice('data: '.length));
      const { content, tool_calls: calls } = chunk.choices[0]?.delta ?? {};
      if (content) deltas.push({ text: content, isInput: false });
      const call = calls?.[0];
      if (call?.id) ({ id } = call);
      if (call?.function.arguments) {
        deltas.push({ text: call.function.arguments, isInput: true });
        input += call.function.arguments;
      }
    }
    yield deltas;
  }
  if (input === '') return;
  const calls = [{ id, type: 'function', function: { name: 'write', arguments: input } }];
  yield* ask(
    api,
    [
      ...messages,
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: id, content: write(JSON.parse(input)) },
    ],
    signal,
  );
}

/** The tool, which does nothing. */
function write(_file: { readonly path: string; readonly content: string }): string {
  return 'written';
}
