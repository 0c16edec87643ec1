// A chat without a library, written by hand for the least loss: it stores the text with each network read, and once more when the page is left.

/** The functions of the page that the test calls. */
export interface FloorPage {
  /** Asks the model, shows the answer and stores it under this id. */
  ask(id: string, baseURL: string): void;
  /** The stored text. */
  find(id: string): Promise<string>;
}

declare global {
  var floor: FloorPage;
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('The database failed.')));
  });

const opening = indexedDB.open('floor', 1);
opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('answers'));
const opened = done(opening);

/** One blind put, committed at once: the form that every engine keeps. */
function put(database: IDBDatabase, id: string, text: string): Promise<void> {
  const transaction = database.transaction('answers', 'readwrite', { durability: 'relaxed' });
  transaction.objectStore('answers').put(text, id);
  transaction.commit();
  return new Promise((resolve) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => resolve());
  });
}

async function ask(id: string, baseURL: string): Promise<void> {
  const database = await opened;
  const row = document.body.appendChild(document.createElement('p'));
  let text = '';
  let stored = '';
  let isStoring = false;
  const store = async (): Promise<void> => {
    if (isStoring) return;
    isStoring = true;
    while (stored !== text) await put(database, id, (stored = text));
    isStoring = false;
  };
  addEventListener('pagehide', () => void put(database, id, text));
  const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Go on.' }] });
  const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', body });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done: isOver, value = '' } = (await reader?.read()) ?? { done: true };
    if (isOver) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const chunk: { readonly choices: readonly { readonly delta: { readonly content?: string } }[] } = JSON.parse(
        line.slice('data: '.length),
      );
      text += chunk.choices[0]?.delta.content ?? '';
    }
    row.textContent = text;
    void store();
  }
}

globalThis.floor = {
  ask: (id, baseURL) => void ask(id, baseURL).catch(() => {}),
  async find(id) {
    const text: unknown = await done((await opened).transaction('answers').objectStore('answers').get(id));
    return typeof text === 'string' ? text : '';
  },
};
