import type { ServerResponse } from 'node:http';
import { listen } from '../server.ts';

/** One answer of OpenAI's Responses API, which the test writes piece by piece. */
export interface Answer {
  /** The text of the last message of the user. */
  readonly question: string;
  write(text: string): void;
  end(): void;
  /** Whether the page has closed the connection before the end. */
  readonly isCut: () => boolean;
}

/** A server that streams an answer for each request, on the test's command. */
export interface Answers {
  readonly url: string;
  readonly asked: readonly Answer[];
  /** Refuses every request from now on with this status. */
  refuse(status: number): void;
  reset(): void;
  stop(): Promise<void>;
}

const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

export async function startAnswers(): Promise<Answers> {
  let asked: Answer[] = [];
  let refusal: number | undefined;
  const { host, stop } = await listen((incoming, response) => {
    if (incoming.method === 'OPTIONS') return void response.writeHead(204, cors).end();
    if (refusal !== undefined) return void response.writeHead(refusal, cors).end('{"error":{"message":"Refused."}}');
    let body = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    incoming.on('end', () => {
      response.writeHead(200, { ...cors, 'content-type': 'text/event-stream' }).flushHeaders();
      asked.push(answerOn(response, questionIn(body)));
    });
  });
  return {
    url: `http://${host}`,
    get asked() {
      return asked;
    },
    refuse: (status) => void (refusal = status),
    reset() {
      asked = [];
      refusal = undefined;
    },
    stop,
  };
}

function answerOn(response: ServerResponse, question: string): Answer {
  const send = (event: object): void => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  return {
    question,
    write: (delta) => send({ type: 'response.output_text.delta', output_index: 0, delta }),
    end() {
      send({ type: 'response.completed', response: { status: 'completed', output: [] } });
      response.end();
    },
    isCut: () => response.destroyed && !response.writableFinished,
  };
}

/** The last text in the body of a request. */
function questionIn(body: string): string {
  const texts = Array.from(body.matchAll(/"text":("(?:[^"\\]|\\.)*")/gu), ([, text = '""']) =>
    String(JSON.parse(text)),
  );
  return texts.at(-1) ?? body;
}
