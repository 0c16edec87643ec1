/** One answer of a service. */
export interface Answer {
  readonly think?: string;
  readonly say?: string;
  /** Calls of tools by name, with their inputs. */
  readonly calls?: readonly (readonly [name: string, input: object])[];
  /** How the stream ends. Default: in good order. `cut`: without the end mark. `never`: it stays open. */
  readonly ends?: 'cut' | 'never';
}

/** How a service writes its answers. */
export interface AnswerStyle {
  readonly wire: 'chat' | 'responses' | 'anthropic';
  /** The field of reasoning on chat completions; without it the service sends none. */
  readonly reasoning?: 'reasoning_content' | 'reasoning' | 'details';
  /** How the service forms the ids of calls. Default `call_<n>`. */
  readonly ids?: 'kimi' | 'short' | 'anthropic';
  /** Whether calls have a signature (Gemini). */
  readonly signs?: boolean;
}

/** Returns the server-sent events of an answer. What the service must recognize later is added to `issued`. */
export function toBody(style: AnswerStyle, answer: Answer, issued: Set<string>): string {
  const events = style.wire === 'chat' ? chat(style, answer, issued) : named(style, answer, issued);
  const lines = events.map((event) => {
    const type = 'type' in event && style.wire !== 'chat' ? `event: ${String(event.type)}\n` : '';
    return `${type}data: ${JSON.stringify(event)}\n\n`;
  });
  return lines.join('') + (style.wire === 'chat' && answer.ends === undefined ? 'data: [DONE]\n\n' : '');
}

function issue(issued: Set<string>, value: string): string {
  issued.add(value);
  return value;
}

/** Calls of all services: the id of a call states which service sent it. */
let calls = 0;

function idOf({ ids }: AnswerStyle, issued: Set<string>, name: string, input: object): string {
  calls += 1;
  const n = calls;
  const id =
    ids === 'kimi'
      ? `functions.${name}:${n}`
      : ids === 'short'
        ? `aB3${String(n).padStart(6, '0')}`
        : ids === 'anthropic'
          ? `toolu_01${n}`
          : `call_${n}_of_the_service`;
  issued.add(`id ${id}`);
  issued.add(`call ${name} ${JSON.stringify(input)} ${id}`);
  return id;
}

function chat(style: AnswerStyle, answer: Answer, issued: Set<string>): readonly object[] {
  const { think, say, calls = [], ends } = answer;
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  });
  const thought = (text: string): object =>
    style.reasoning === 'details'
      ? {
          reasoning: text,
          reasoning_details: [
            { type: 'reasoning.text', index: 0, text, signature: issue(issued, `sig-${issued.size}`) },
          ],
        }
      : { [style.reasoning ?? '']: text };
  if (think !== undefined && style.reasoning && say !== undefined) issued.add(`thought by ${say}`);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(think !== undefined && style.reasoning ? [chunk(thought(think))] : []),
    ...(say === undefined ? [] : [chunk({ content: say })]),
    ...calls.map(([name, input], index) => {
      const id = idOf(style, issued, name, input);
      if (think !== undefined && style.reasoning === 'details') issued.add(`thought with ${id}`);
      const signature = style.signs && index === 0 ? issue(issued, `sig-${issued.size}`) : undefined;
      return chunk({
        tool_calls: [
          {
            index,
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
            ...(signature && { extra_content: { google: { thought_signature: signature } } }),
          },
        ],
      });
    }),
    ...(ends === undefined
      ? [
          chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
          { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } },
        ]
      : []),
  ];
}

function named(style: AnswerStyle, answer: Answer, issued: Set<string>): readonly object[] {
  return style.wire === 'responses' ? responses(style, answer, issued) : anthropic(style, answer, issued);
}

function responses(
  style: AnswerStyle,
  { think, say, calls = [], ends }: Answer,
  issued: Set<string>,
): readonly object[] {
  const items: (readonly [item: object, ...events: object[]])[] = [];
  if (think !== undefined) {
    const id = `rs_${issued.size}`;
    const encrypted_content = issue(issued, `sealed-${issued.size}`);
    items.push([
      { type: 'reasoning', id, summary: [{ type: 'summary_text', text: think }], encrypted_content },
      {
        type: 'response.reasoning_summary_part.added',
        item_id: id,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      { type: 'response.reasoning_summary_text.delta', item_id: id, summary_index: 0, delta: think },
      {
        type: 'response.reasoning_summary_part.done',
        item_id: id,
        summary_index: 0,
        part: { type: 'summary_text', text: think },
      },
    ]);
  }
  if (say !== undefined) {
    const id = `msg_${issued.size}`;
    const content = [{ type: 'output_text', text: say, annotations: [] }];
    items.push([
      { type: 'message', id, status: 'completed', role: 'assistant', content },
      { type: 'response.output_text.delta', item_id: id, content_index: 0, delta: say },
    ]);
  }
  for (const [name, input] of calls) {
    const call_id = idOf(style, issued, name, input);
    const id = `fc_${call_id}`;
    const text = JSON.stringify(input);
    items.push([
      { type: 'function_call', id, status: 'completed', call_id, name, arguments: text },
      { type: 'response.function_call_arguments.delta', item_id: id, delta: text },
    ]);
  }
  // The service stores its items, and their order.
  for (const [index, [item]] of items.entries())
    issue(issued, `item ${idOfItem(item)} ${idOfItem(items[index + 1]?.[0])}`);
  const response = { id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'm' };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    ...items.flatMap(([item, ...events], output_index) => [
      { type: 'response.output_item.added', output_index, item: begunItem(item) },
      ...events.map((event) => ({ ...event, output_index })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    ...(ends === undefined
      ? [
          {
            type: 'response.completed',
            response: {
              ...response,
              status: 'completed',
              output: items.map(([item]) => item),
              usage: {
                input_tokens: 10,
                input_tokens_details: { cached_tokens: 0 },
                output_tokens: 5,
                output_tokens_details: { reasoning_tokens: 0 },
              },
            },
          },
        ]
      : []),
  ];
}

function idOfItem(item: object | undefined): string {
  return item !== undefined && 'id' in item ? String(item.id) : '';
}

/** Returns an item as its first event states it. */
function begunItem(item: object): object {
  return {
    ...item,
    ...('content' in item && { content: [] }),
    ...('summary' in item && { summary: [] }),
    ...('arguments' in item && { arguments: '' }),
    ...('status' in item && { status: 'in_progress' }),
  };
}

function anthropic(
  style: AnswerStyle,
  { think, say, calls = [], ends }: Answer,
  issued: Set<string>,
): readonly object[] {
  const blocks: (readonly [start: object, ...deltas: object[]])[] = [];
  if (think !== undefined)
    blocks.push([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: think },
      { type: 'signature_delta', signature: issue(issued, `sig-${issued.size}`) },
    ]);
  if (say !== undefined)
    blocks.push([
      { type: 'text', text: '' },
      { type: 'text_delta', text: say },
    ]);
  for (const [name, input] of calls)
    blocks.push([
      { type: 'tool_use', id: idOf(style, issued, name, input), name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    ]);
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    ...(ends === undefined
      ? [
          {
            type: 'message_delta',
            delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
            usage: { output_tokens: 5 },
          },
          { type: 'message_stop' },
        ]
      : []),
  ];
}
