import { soon } from './soon.ts';
import type { EngineTab, Key } from '../engine.ts';

/** A control as a person looks for it: what it is, and what it is called. */
export interface Control {
  readonly role: 'button' | 'link' | 'textbox' | 'combobox';
  /** The whole name, or what it begins with. */
  readonly name: string | RegExp;
}

/** A control on the page: its middle in CSS px, and what its state is. */
interface Seen {
  readonly x: number;
  readonly y: number;
  readonly isEnabled: boolean;
  readonly value: string;
  /** What lies on its middle. */
  readonly coveredBy: string | null;
}

/** The hands and eyes of a person on one page. */
export interface Hands {
  readonly tab: EngineTab;
  /** What is written on the page, line by line: not what is in fields, and not what only a screen reader says. */
  read(): Promise<string>;
  /** What the page announces: its alerts and states. */
  readNotices(): Promise<readonly string[]>;
  has(control: Control): Promise<boolean>;
  isEnabled(control: Control): Promise<boolean>;
  /** The text in a field. */
  valueOf(field: Control): Promise<string>;
  /** Clicks. Waits for the control, and rejects with what the page has if it does not come. */
  click(control: Control, times?: 1 | 2): Promise<void>;
  /** Writes a text in the place of what is in a field. */
  fill(field: Control, text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** The name of what has the focus, e.g. `button “Send”`. */
  readFocus(): Promise<string>;
  /** Uncaught errors, console errors, violations of a policy: of all pages of this tab. */
  readProblems(): Promise<readonly string[]>;
}

/** Runs in the page. Finds controls, also those in open shadow trees. The first is the last that the page shows: a newer row is below. */
function lookFor(role: string, name: string, isPattern: boolean): { seen: Seen | null; all: readonly string[] } {
  const roots: ParentNode[] = [document];
  const elements: Element[] = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      elements.push(element);
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  const roleOf = (element: Element): string | null => {
    const given = element.getAttribute('role');
    if (given !== null) return given;
    if (element instanceof HTMLButtonElement) return 'button';
    if (element instanceof HTMLAnchorElement) return element.hasAttribute('href') ? 'link' : null;
    if (element instanceof HTMLSelectElement) return 'combobox';
    if (element instanceof HTMLTextAreaElement) return 'textbox';
    if (element instanceof HTMLInputElement)
      return /^(text|password|search|email|url)$/u.test(element.type) ? 'textbox' : null;
    return null;
  };
  /** Of a label: without the options of the list in it. */
  const textOf = (node: Node): string =>
    node.nodeType === 3
      ? (node.textContent ?? '')
      : node instanceof HTMLSelectElement
        ? ''
        : Array.from(node.childNodes, textOf).join('');
  const nameOf = (element: Element): string => {
    const label =
      element instanceof HTMLInputElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement
        ? Array.from(element.labels ?? [], textOf).join(' ')
        : (element.textContent ?? '');
    return (element.getAttribute('aria-label') ?? (label.trim() || (element.getAttribute('placeholder') ?? ''))).trim();
  };
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && getComputedStyle(element).visibility === 'visible';
  };
  const pattern = isPattern ? new RegExp(name, 'u') : undefined;
  const controls = elements.filter((element) => roleOf(element) !== null && isVisible(element));
  const found = controls.findLast((element) => {
    const its = nameOf(element);
    return roleOf(element) === role && (pattern ? pattern.test(its) : its === name);
  });
  const all = controls.map((element) => `${roleOf(element)} “${nameOf(element)}”`);
  if (!found) return { seen: null, all };
  const isOnScreen = (): boolean => {
    const { top, bottom } = found.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  };
  if (!isOnScreen()) found.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = found.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  /** The innermost element on the middle, also in a shadow tree. */
  const innermost = (tree: DocumentOrShadowRoot): Element | null => {
    const on = tree.elementFromPoint(x, y);
    return on?.shadowRoot && on.shadowRoot.elementFromPoint(x, y) !== on ? innermost(on.shadowRoot) : on;
  };
  const on = innermost(document);
  const covered = on === null || found.contains(on) ? null : `${on.tagName.toLowerCase()}.${on.className}`;
  const value = 'value' in found && typeof found.value === 'string' ? found.value : '';
  const isEnabled = !found.matches(':disabled') && found.getAttribute('aria-disabled') !== 'true';
  return { seen: { x, y, isEnabled, value, coveredBy: covered }, all };
}

/** Runs in the page. The texts that a person sees, of the page or of the elements with some roles. */
function readTexts(roles: readonly string[] | null): readonly string[] {
  const texts: string[] = [];
  const isVisible = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect();
    const { visibility, display } = getComputedStyle(element);
    return display === 'contents' || (width > 2 && height > 2 && visibility === 'visible');
  };
  const readInto = (node: Node, into: string[]): void => {
    if (node.nodeType === 3) into.push(node.textContent ?? '');
    if (!(node instanceof Element || node instanceof DocumentFragment || node instanceof Document)) return;
    if (
      node instanceof Element &&
      (/^(script|style|textarea|option|template)$/iu.test(node.tagName) || !isVisible(node))
    )
      return;
    if (node instanceof HTMLSlotElement) return node.assignedNodes().forEach((one) => readInto(one, into));
    // What is folded away is not read.
    if (node instanceof HTMLDetailsElement && !node.open) {
      const summary = node.querySelector(':scope > summary');
      return summary ? readInto(summary, into) : undefined;
    }
    const children = node instanceof Element && node.shadowRoot ? node.shadowRoot.childNodes : node.childNodes;
    for (const child of children) readInto(child, into);
    if (node instanceof Element && !getComputedStyle(node).display.startsWith('inline')) into.push('\n');
  };
  const tidy = (pieces: readonly string[]): string =>
    pieces
      .join('')
      .replace(/[^\S\n]+/gu, ' ')
      .replace(/\s*\n\s*/gu, '\n')
      .trim();
  if (roles === null) {
    readInto(document.body, texts);
    return [tidy(texts)];
  }
  const visit = (root: ParentNode): void => {
    for (const element of root.querySelectorAll('*')) {
      if (roles.includes(element.getAttribute('role') ?? '')) {
        const pieces: string[] = [];
        readInto(element, pieces);
        if (tidy(pieces) !== '') texts.push(tidy(pieces));
      }
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return texts;
}

export function createHands(tab: EngineTab): Hands {
  const look = ({ role, name }: Control) =>
    tab.run(lookFor, role, typeof name === 'string' ? name : name.source, typeof name !== 'string');
  // While a page is exchanged, there is none to ask.
  const lookOnce = (control: Control) => look(control).catch(() => ({ seen: null, all: [] }));

  async function find(control: Control): Promise<Seen> {
    let last: Awaited<ReturnType<typeof look>> = { seen: null, all: [] };
    await soon(async () => {
      last = await lookOnce(control);
      if (last.seen?.coveredBy != null)
        return `${control.role} “${String(control.name)}” is covered by ${last.seen.coveredBy}.`;
      return last.seen
        ? 'found'
        : `There is no ${control.role} “${String(control.name)}”. The page has: ${last.all.join(', ')}.`;
    }).toBe('found');
    return last.seen ?? { x: 0, y: 0, isEnabled: false, value: '', coveredBy: null };
  }

  const hands: Hands = {
    tab,
    read: () =>
      tab.run(readTexts, null).then(
        ([text = '']) => text,
        () => '',
      ),
    readNotices: () => tab.run(readTexts, ['alert', 'status']).catch(() => []),
    has: async (control) => (await lookOnce(control)).seen !== null,
    isEnabled: async (control) => (await lookOnce(control)).seen?.isEnabled === true,
    valueOf: async (field) => (await find(field)).value,
    async click(control, times = 1) {
      const { x, y } = await find(control);
      await tab.clickAt(x, y, times);
    },
    async fill(field, text) {
      await hands.click(field);
      await tab.run(() => {
        let focused = document.activeElement;
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) focused.select();
      });
      await tab.write(text);
    },
    press: (key) => tab.press(key),
    readFocus: () =>
      tab.run(() => {
        let focused = document.activeElement;
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        if (!focused) return '';
        return `${focused.tagName.toLowerCase()} “${focused.getAttribute('aria-label') ?? focused.textContent?.trim() ?? ''}”`;
      }),
    readProblems: () => tab.run(() => JSON.parse(sessionStorage.getItem('robot.problems') ?? '[]') as string[]),
  };
  return hands;
}
