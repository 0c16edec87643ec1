// The answers of the server on each wire. No I/O.

/**
 * The answer that a prompt requests, written in its text, e.g. `chunks=2000 rate=200 kind=text wait=0`.
 *
 * @typedef {object} Wish
 * @property {number} chunks
 * @property {number} rate chunks a second; 0: as fast as they go
 * @property {'text' | 'input'} kind text, or the input of a call of the tool `write`
 * @property {number} wait ms from the head of the answer to its first chunk
 */

/** @param {Partial<Wish>} wish */
export function ask({ chunks = 1, rate = 0, kind = 'text', wait = 0 }) {
  return `chunks=${chunks} rate=${rate} kind=${kind} wait=${wait}`;
}

/**
 * The wish of the last prompt in a request's body. The answer to a tool's result is one word.
 *
 * @param {string} body
 * @returns {Wish}
 */
export function wishOf(body) {
  const found = [...body.matchAll(/chunks=(\d+) rate=(\d+) kind=(text|input) wait=(\d+)/g)].at(-1);
  if (!found) throw new Error('The question does not say what it wants.');
  const [, chunks, rate, kind, wait] = found;
  if (/"role":"tool"/.test(body.slice(found.index))) return { chunks: 1, rate: 0, kind: 'text', wait: 0 };
  return { chunks: Number(chunks), rate: Number(rate), kind: kind === 'input' ? 'input' : 'text', wait: Number(wait) };
}

const words =
  `Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor invidunt ut labore.\n`.match(
    /\S+\s/g,
  );

/**
 * The n-th piece of every answer: a word or, of a tool's input, 20 characters.
 *
 * @param {Wish['kind']} kind
 * @param {number} index
 */
function pieceOf(kind, index) {
  return kind === 'input' ? `${index} `.padEnd(20, 'abcdefghij klmnopqrs') : (words?.[index % words.length] ?? '');
}

/**
 * Characters of the answer to a wish; of a tool's input, those of its content.
 *
 * @param {Partial<Wish>} wish
 */
export function lengthOf({ kind = 'text', chunks = 1 }) {
  let length = 0;
  for (let index = 0; index < chunks; index++) length += pieceOf(kind, index).length;
  return length;
}

/**
 * An answer on one wire.
 *
 * @typedef {object} Answer
 * @property {string} begin
 * @property {(index: number) => string} piece
 * @property {string} end
 */

/** @param {object} json */
const event = (json) => `data: ${JSON.stringify(json)}\n\n`;

const inputBegin = '{"path":"a.txt","content":"';
const inputEnd = '"}';

/** @param {object} delta @param {string | null} [finish] */
const chatChunk = (delta, finish = null) =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });

/** @param {string} text */
const chatInput = (text) => chatChunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });

/**
 * OpenAI's `/chat/completions`.
 *
 * @param {Wish['kind']} kind
 * @param {string} id
 * @returns {Answer}
 */
export function chatCompletions(kind, id) {
  const begin = chatChunk({ role: 'assistant', content: '' });
  const done = 'data: [DONE]\n\n';
  if (kind === 'text')
    return {
      begin,
      piece: (index) => chatChunk({ content: pieceOf(kind, index) }),
      end: chatChunk({}, 'stop') + done,
    };
  const call = { index: 0, id, type: 'function', function: { name: 'write', arguments: '' } };
  return {
    begin: begin + chatChunk({ tool_calls: [call] }) + chatInput(inputBegin),
    piece: (index) => chatInput(pieceOf(kind, index)),
    end: chatInput(inputEnd) + chatChunk({}, 'tool_calls') + done,
  };
}

/**
 * AG-UI's events. The agent runs on the server here, and runs the tool, too.
 *
 * @param {Wish['kind']} kind
 * @param {string} id
 * @returns {Answer}
 */
export function agui(kind, id) {
  const run = { threadId: 'thread', runId: `run-${id}` };
  const begin = event({ type: 'RUN_STARTED', ...run });
  const end = event({ type: 'RUN_FINISHED', ...run });
  if (kind === 'text')
    return {
      begin: begin + event({ type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' }),
      piece: (index) => event({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: pieceOf(kind, index) }),
      end: event({ type: 'TEXT_MESSAGE_END', messageId: id }) + end,
    };
  const toolCallId = `call-${id}`;
  /** @param {string} delta */
  const input = (delta) => event({ type: 'TOOL_CALL_ARGS', toolCallId, delta });
  return {
    begin:
      begin +
      event({ type: 'TOOL_CALL_START', toolCallId, toolCallName: 'write', parentMessageId: id }) +
      input(inputBegin),
    piece: (index) => input(pieceOf(kind, index)),
    end:
      input(inputEnd) +
      event({ type: 'TOOL_CALL_END', toolCallId }) +
      event({ type: 'TOOL_CALL_RESULT', messageId: `result-${id}`, toolCallId, content: 'written', role: 'tool' }) +
      end,
  };
}
