import {
  type Agent,
  type AgentSession,
  extractTextContent,
  fingerprintOf,
  type Message,
  toAgentError,
  type ToolPart,
  toolParts,
} from 'brooklet';

/** Creates an element with properties and children. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
  ...children: Node[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/**
 * Opens the conversation whose id is in the address, or a new one. The address survives a reload, also one before the conversation is stored.
 * A conversation that was deleted is not opened: the page then says so.
 */
export async function openFromAddress(agent: Agent): Promise<AgentSession> {
  const id = location.hash.slice(1) || agent.createSession();
  history.replaceState(null, '', `#${id}`);
  addEventListener('hashchange', () => location.reload());
  try {
    return await agent.openSession(id, { create: true });
  } catch (error) {
    const newChat = createElement('a', { href: '#', textContent: 'New chat' });
    const text = `${toAgentError(error).message} `;
    document.body.append(createElement('p', { role: 'alert' }, document.createTextNode(text), newChat));
    throw error;
  }
}

/** Draws a message, and what a page adds to it. */
const drawMessage = (message: Message): HTMLElement =>
  createElement('article', { className: message.role, textContent: extractTextContent(message) });

/** Keeps an element showing the messages of a session, and below them those that wait for the end of a run. */
export function showMessages(
  session: AgentSession,
  list: Element,
  draw: (message: Message) => readonly Node[] = () => [],
): void {
  session.state$.subscribe(({ messages, queue }) => {
    const waiting = queue.map(({ message }) => drawMessage(message));
    list.replaceChildren(...messages.flatMap((message) => [drawMessage(message), ...draw(message)]), ...waiting);
  });
}

/**
 * Adds a field in which a person writes to a session, buttons that stop and continue a run, and a line that shows why a run failed; where the address has the
 * conversation, a link to a new one.
 */
export function addComposer(session: AgentSession, list: Element): void {
  const input = createElement('input', { ariaLabel: 'Message', placeholder: 'Message' });
  const error = createElement('p', { role: 'alert' });
  const stop = createElement('button', { type: 'button', textContent: 'Stop', onclick: () => session.cancel() });
  const goOn = createElement('button', { textContent: 'Continue', onclick: () => void session.resume() });
  const form = createElement('form', {}, input, createElement('button', { textContent: 'Send' }), stop);
  // See `openFromAddress`: Back returns to this conversation.
  if (location.hash === `#${session.id}`) form.append(createElement('a', { href: '#', textContent: 'New chat' }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (input.value.trim() === '') return;
    try {
      // Throws where the message is refused: the text then stays in the field.
      void session.send(input.value, { whenBusy: 'queue' });
      input.value = '';
    } catch (thrown) {
      error.textContent = toAgentError(thrown).message;
    }
  });
  session.state$.subscribe(({ run }) => (error.textContent = run?.error?.message ?? ''));
  session.storage$.subscribe((storage) => {
    if ('error' in storage) error.textContent = storage.error.message;
  });
  session.status$.subscribe((status) => {
    stop.disabled = status !== 'running';
    goOn.hidden = !['interrupted', 'failed', 'limit'].includes(status);
  });
  list.after(form, error, goOn);
}

/** Draws the calls of a message that wait for a person, with the buttons that decide them. The first decision of any tab counts. */
export function drawDecisions(
  session: AgentSession,
  message: Message,
  describe: (call: ToolPart) => string,
): readonly Node[] {
  return toolParts(message)
    .filter(({ status }) => status === 'awaiting-approval')
    .map((call) => {
      const fingerprint = fingerprintOf(call);
      const approve = () => void session.approve(call.callId, { fingerprint }).catch(console.warn);
      const reject = () => void session.reject(call.callId, { fingerprint }).catch(console.warn);
      return createElement(
        'fieldset',
        {},
        createElement('legend', { textContent: describe(call) }),
        createElement('button', { textContent: 'Approve', onclick: approve }),
        createElement('button', { textContent: 'Reject', onclick: reject }),
      );
    });
}
