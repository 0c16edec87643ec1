import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useObservable } from 'brooklet/react';
import { Menu } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { firstValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getOverlay, openOverlay, overlay$, type Overlay } from '../../demo/src/base/overlay.ts';
import { becomeSession, getSessionId, goTo, route$ } from '../../demo/src/base/route.ts';
import { useCloseOnVisit } from '../../demo/src/shell/useCloseOnVisit.ts';

/** A dialog with fields. */
function Stage(): ReactElement {
  useCloseOnVisit(useObservable(overlay$, getOverlay));
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input aria-label="text" />
      <input aria-label="search" type="search" />
      <input aria-label="choice" type="radio" />
      <button type="submit">Save</button>
    </form>
  );
}

/** Changes the address, and waits until the page has noticed it. */
async function moves(move: () => void): Promise<void> {
  await act(async () => {
    const moved = firstValueFrom(route$);
    move();
    await moved;
  });
}
const back = () => moves(() => history.back());
const open = (overlay: Overlay) => act(() => openOverlay(overlay));
const type = (name: string, text: string) => fireEvent.input(screen.getByLabelText(name), { target: { value: text } });

beforeEach(async () => {
  await moves(() => goTo(`one-${Math.random()}`));
  await moves(() => goTo('two'));
  render(<Stage />);
});
afterEach(cleanup);

describe('what lies over the page', () => {
  it.each(['palette', 'help', 'settings', 'import'] as const)('is closed by Back: %s', async (is) => {
    open({ is });
    await back();
    expect(getSessionId()).toContain('one');
    expect(getOverlay()).toEqual({ is: 'none' });
  });

  it('is closed by Back, with the text of a search', async () => {
    open({ is: 'settings' });
    type('search', 'a model');
    fireEvent.click(screen.getByLabelText('choice'));
    await back();
    expect(getOverlay()).toEqual({ is: 'none' });
  });

  it('stays with a text that was typed, and is closed once it is gone or submitted', async () => {
    open({ is: 'settings' });
    type('text', 'a key');
    await back();
    expect(getOverlay()).toEqual({ is: 'settings' });
    fireEvent.submit(screen.getByRole('button').closest('form')!);
    await moves(() => history.forward());
    expect(getOverlay()).toEqual({ is: 'none' });

    open({ is: 'later', sessionId: 'two' });
    type('text', 'a prompt');
    type('text', '');
    await back();
    expect(getOverlay()).toEqual({ is: 'none' });
  });

  it('is closed with what was typed, where it is the palette', async () => {
    open({ is: 'palette' });
    type('text', 'sett');
    await back();
    expect(getOverlay()).toEqual({ is: 'none' });
  });

  it('stays where the page itself shows another session', async () => {
    open({ is: 'settings' });
    await moves(() => becomeSession('three'));
    await moves(() => goTo('four'));
    expect(getOverlay()).toEqual({ is: 'settings' });
    await back();
    expect(getOverlay()).toEqual({ is: 'none' });
  });
});

it('a menu is closed by Back', async () => {
  render(<Menu label="More" lines={[{ name: 'a', label: 'One' }]} />);
  fireEvent.click(screen.getByRole('button', { name: 'More' }));
  expect(screen.getByRole('menu')).toBeTruthy();
  await back();
  expect(screen.queryByRole('menu')).toBeNull();
});
