import { type Agent, extractTextContent, toAgentError } from 'brooklet';

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

  // oxlint-disable-next-line typescript/no-misused-promises -- the handler catches what it awaits
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    alert.textContent = '';
    try {
      // Throws where the message is refused: the text then stays in the field.
      const sent = session.send(input.value, { whenBusy: 'queue' });
      input.value = '';
      const { error } = await sent;
      alert.textContent = error?.message ?? '';
    } catch (thrown) {
      alert.textContent = toAgentError(thrown).message;
    }
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
