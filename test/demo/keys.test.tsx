import { afterEach, describe, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('the keys of the page', () => {
  it.each([
    ['Macintosh', { metaKey: true }, { ctrlKey: true }, ['⌘', 'B'], 'Meta+B'],
    ['Windows NT', { ctrlKey: true }, { metaKey: true }, ['Ctrl', 'B'], 'Control+B'],
  ] as const)('are those of the keyboard (%s)', async (userAgent, ours, others, caps, aria) => {
    vi.stubGlobal('navigator', { userAgent });
    const { ariaKeys, isPressed, keyCaps, keys } = await import('../../demo/src/base/shortcuts.ts');
    const press = (init: KeyboardEventInit) =>
      isPressed(new KeyboardEvent('keydown', { key: 'b', ...init }), keys.sidebar);
    expect([press(ours), press(others), press({ ...ours, ...others }), press({})]).toEqual([true, false, false, false]);
    expect([keyCaps(keys.sidebar), ariaKeys(keys.sidebar)]).toEqual([caps, aria]);
  });

  it('that could be meant for a text act in an empty field only', async () => {
    const { isPressed, keys } = await import('../../demo/src/base/shortcuts.ts');
    const field = document.body.appendChild(document.createElement('textarea'));
    const pressed: boolean[] = [];
    field.addEventListener('keydown', (event) => pressed.push(isPressed(event, keys.answerAgain)));
    const press = () =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, shiftKey: true }));
    press();
    field.value = 'typed';
    press();
    expect(pressed).toEqual([true, false]);
    field.remove();
  });
});
