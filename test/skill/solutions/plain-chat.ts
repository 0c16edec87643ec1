import { type Agent, extractTextContent } from 'brooklet';

export async function mountChat(agent: Agent, root: HTMLElement): Promise<void> {
  const session = await agent.openSession(agent.createSession());

  const list = document.createElement('div');
  const alert = document.createElement('p');
  alert.setAttribute('role', 'alert');
  const form = document.createElement('form');
  const input = document.createElement('input');
  input.setAttribute('aria-label', 'Message');
  const send = document.createElement('button');
  send.textContent = 'Send';
  const stop = document.createElement('button');
  stop.type = 'button';
  stop.textContent = 'Stop';
  stop.addEventListener('click', () => session.cancel());
  form.append(input, send, stop);
  root.replaceChildren(list, alert, form);

  async function answer(text: string): Promise<void> {
    alert.textContent = '';
    const { error } = await session.send(text, { whenBusy: 'queue' });
    alert.textContent = error?.message ?? '';
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void answer(input.value);
    input.value = '';
  });
  session.status$.subscribe((status) => {
    stop.hidden = status !== 'running';
  });
  session.messages$.subscribe((messages) => {
    const rows = messages.map((message) => {
      const row = document.createElement('p');
      row.className = message.role;
      row.textContent = extractTextContent(message);
      return row;
    });
    list.replaceChildren(...rows);
  });
}
