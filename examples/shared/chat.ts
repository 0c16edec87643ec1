import { type AgentSession, extractTextContent, fingerprintOf, type Message, type ToolPart, toolParts } from 'brooklet';

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

/** Draws a message, and what a page adds to it. */
const drawMessage = (message: Message): HTMLElement =>
  createElement('article', { className: message.role, textContent: extractTextContent(message) });

/** Keeps an element showing the messages of a session. */
export function showMessages(
  session: AgentSession,
  list: Element,
  draw: (message: Message) => readonly Node[] = () => [],
): void {
  session.messages$.subscribe((messages) => {
    list.replaceChildren(...messages.flatMap((message) => [drawMessage(message), ...draw(message)]));
  });
}

/** Adds a field in which a person writes to a session, and shows why a run failed. */
export function addComposer(session: AgentSession, list: Element): void {
  const input = createElement('input', { ariaLabel: 'Message', placeholder: 'Message' });
  const error = createElement('p', { role: 'alert' });
  const form = createElement('form', {}, input, createElement('button', { textContent: 'Send' }));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = input.value;
    input.value = '';
    const result = await session.send(text, { whenBusy: 'queue' });
    error.textContent = result.error?.message ?? '';
  });
  list.after(form, error);
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
