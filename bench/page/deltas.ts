/** A piece of an answer. */
export interface Delta {
  readonly text: string;
  /** Whether it belongs to the input of a tool call. */
  readonly isInput: boolean;
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments?: string } }[];
    };
  }[];
}

/** What everybody would write by hand: fetch, decode, split, parse. It trusts the server, and has no errors, limits or time-outs. */
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
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    const events = (rest + decoder.decode(piece.value, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    const deltas: Delta[] = [];
    for (const event of events) {
      if (event === 'data: [DONE]') continue;
      const chunk: Chunk = JSON.parse(event.slice('data: '.length));
      const { content, tool_calls: calls } = chunk.choices[0]?.delta ?? {};
      if (content) deltas.push({ text: content, isInput: false });
      const input = calls?.[0]?.function.arguments;
      if (input) deltas.push({ text: input, isInput: true });
    }
    yield deltas;
  }
}
