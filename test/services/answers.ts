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
  const items: object[] = [];
  if (think !== undefined)
    items.push({
      type: 'reasoning',
      id: `rs_${issued.size}`,
      summary: [{ type: 'summary_text', text: think }],
      encrypted_content: issue(issued, `sealed-${issued.size}`),
    });
  if (say !== undefined)
    items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: say }] });
  for (const [name, input] of calls)
    items.push({
      type: 'function_call',
      call_id: idOf(style, issued, name, input),
      name,
      arguments: JSON.stringify(input),
    });
  return [
    { type: 'response.created', response: { status: 'in_progress' } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    ...(ends === undefined
      ? [
          {
            type: 'response.completed',
            response: { status: 'completed', output: items, usage: { input_tokens: 10, output_tokens: 5 } },
          },
        ]
      : []),
  ];
}

function anthropic(
  style: AnswerStyle,
  { think, say, calls = [], ends }: Answer,
  issued: Set<string>,
): readonly object[] {
  const blocks: (readonly [start: object, ...deltas: object[]])[] = [];
  if (think !== undefined)
    blocks.push([
      { type: 'thinking', thinking: '' },
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
    { type: 'message_start', message: { model: 'm', usage: { input_tokens: 10 } } },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    ...(ends === undefined
      ? [
          {
            type: 'message_delta',
            delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
            usage: { output_tokens: 5 },
          },
          { type: 'message_stop' },
        ]
      : []),
  ];
}
