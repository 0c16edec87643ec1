import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { AgentError } from 'brooklet';
import { compatible, type Model, openai, type Provider } from 'brooklet/providers';
import { chinese, ModelPicker, type ModelPickerProps } from 'brooklet/ui';
import { StrictMode } from 'react';
import { describe, expect, it, vi } from 'vitest';

const brook: Provider = {
  ...compatible('https://brook.example/v1', 'Brook'),
  models: {
    large: { name: 'Brook Large', contextWindow: 1_050_000, price: { input: 2, output: 10 } },
    small: { contextWindow: 128_000, price: { input: 0, output: 0 } },
  },
};

const onChange = () => vi.fn<ModelPickerProps['onChange']>();

function show(props: Partial<ModelPickerProps> = {}): { person: UserEvent; rerender: (more: typeof props) => void } {
  const toPicker = (more: typeof props) => (
    <StrictMode>
      <ModelPicker provider={brook} value="large" onChange={() => {}} models={[]} {...props} {...more} />
    </StrictMode>
  );
  const { rerender } = render(toPicker({}));
  return { person: userEvent.setup(), rerender: (more) => rerender(toPicker(more)) };
}

const button = (): HTMLElement => screen.getByRole('button', { expanded: false });
const options = (): readonly string[] => screen.queryAllByRole('option').map((its) => its.textContent ?? '');
const field = (): HTMLInputElement => screen.getByRole('combobox');
const active = (): string =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';

/** A list in the place of that of the service, which answers when the test says so. */
function hold(): {
  models: (signal: AbortSignal) => Promise<readonly Model[]>;
  signals: AbortSignal[];
  answer: (models: readonly Model[] | Error) => Promise<void>;
} {
  const signals: AbortSignal[] = [];
  let settle: ((models: readonly Model[] | Error) => void) | undefined;
  return {
    signals,
    models: (signal) => {
      signals.push(signal);
      return new Promise((resolve, reject) => {
        settle = (models) => (models instanceof Error ? reject(models) : resolve(models));
      });
    },
    answer: async (models) => {
      await act(async () => settle?.(models));
    },
  };
}

describe('ModelPicker', () => {
  it('shows what the page puts into its button, and is named all the same', async () => {
    const { person } = show({ children: <svg data-testid="icon" />, labels: { button: () => 'Answer again with…' } });
    expect(screen.getByTestId('icon')).toBeTruthy();
    expect(button().getAttribute('aria-label')).toBe('Answer again with…');
    expect(button().textContent).toBe('');
    await person.click(button());
    expect(field()).toBe(document.activeElement);
  });

  it('is a button with the name of the model', () => {
    const { rerender } = show();
    expect(button().getAttribute('aria-label')).toBe('Model: Brook Large');
    rerender({ value: 'unknown/model' });
    expect(button().textContent).toBe('unknown/model');
    rerender({ value: '' });
    expect(button().textContent).toBe('Choose a model');
  });

  it('lists recent models first, each once, with window and price, and marks the chosen one', async () => {
    const models = [{ id: 'a' }, { id: 'b', contextWindow: 8_192, price: { input: 0.25, output: 2 } }, { id: 'c' }];
    const { person } = show({ models, value: 'c', recent: ['gone', 'c', 'a', 'a'] });
    await person.click(button());
    const recent = within(screen.getByRole('group', { name: 'Recent' }));
    expect(recent.getAllByRole('option').map((its) => its.textContent)).toEqual(['c', 'gone', 'a']);
    expect(recent.getByRole('option', { selected: true }).textContent).toBe('c');
    const others = within(screen.getByRole('group', { name: 'Models' }));
    expect(others.getAllByRole('option').map((its) => its.textContent)).toEqual(['b8.19K tokens$0.25 / $2']);
    expect(screen.getByTitle('Reads up to 8,192 tokens')).toBeTruthy();
  });

  it('is a combobox: the focus stays in the field, arrows move, Enter chooses, the button has the focus again', async () => {
    const change = onChange();
    const models = [{ id: 'a' }, { id: 'b', name: 'Bee' }, { id: 'c' }];
    const { person } = show({ models, value: 'a', onChange: change });
    await person.click(button());
    expect(document.activeElement).toBe(field());
    expect(field().getAttribute('aria-expanded')).toBe('true');
    expect(active()).toBe('a');
    await person.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(active()).toBe('a');
    await person.keyboard('{ArrowUp}{ArrowUp}');
    expect(active()).toBe('Bee');
    expect(document.activeElement).toBe(field());
    await person.keyboard('{Enter}');
    expect(change.mock.calls).toEqual([['b', { id: 'b', name: 'Bee' }]]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button());
  });

  it('finds by all words of id and name, and takes a name that is not listed', async () => {
    const change = onChange();
    const models = [{ id: 'x/brook-mini', name: 'Brook Mini' }, { id: 'x/brook-maxi' }, { id: 'pond' }];
    const { person } = show({ models, value: '', onChange: change });
    await person.click(button());
    await person.keyboard('MINI x/');
    expect(options()).toEqual(['Brook Mini', 'Use “MINI x/”']);
    await person.clear(field());
    await person.keyboard(' own-model ');
    expect(options()).toEqual(['Use “own-model”']);
    expect(screen.getByText('No model of this name is listed.')).toBeTruthy();
    await person.keyboard('{Enter}');
    expect(change.mock.calls).toEqual([['own-model', undefined]]);
  });

  it('does not choose at the Enter of an input method, nor where nothing is listed', async () => {
    const change = onChange();
    const { person } = show({ models: [], value: '', onChange: change });
    await person.click(button());
    await person.keyboard('{Enter}');
    expect(screen.getByText('The service lists no models. Type the name of one.')).toBeTruthy();
    await person.keyboard('own');
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    expect(change).not.toHaveBeenCalled();
  });

  it('closes by Escape, by its button, by Tab past the last button, and by a press outside', async () => {
    const { person } = show();
    await person.click(button());
    await person.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button());
    await person.keyboard('{ArrowDown}');
    await person.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await person.click(button());
    await person.pointer({ target: document.body, keys: '[MouseLeft]' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('reads the list when it opens, shows known models meanwhile, and keeps what it has read', async () => {
    const { models, signals, answer } = hold();
    const { person } = show({ models });
    expect(signals).toEqual([]);
    await person.click(button());
    expect(screen.getByText('Loading the list…')).toBeTruthy();
    expect(options().map((text) => text.slice(0, 5))).toEqual(['Brook', 'small']);
    await answer([{ id: 'large', name: 'Largest' }, { id: 'new' }]);
    expect(options()).toEqual(['Largest', 'new']);
    expect(screen.queryByText('Loading the list…')).toBeNull();
    await person.keyboard('{Escape}');
    expect(button().getAttribute('aria-label')).toBe('Model: Largest');
    await person.click(button());
    expect(options()).toEqual(['Largest', 'new']);
  });

  it('aborts the request when it closes', async () => {
    const { models, signals, answer } = hold();
    const { person } = show({ models });
    await person.click(button());
    const last = signals.at(-1);
    expect(last?.aborted).toBe(false);
    await person.keyboard('{Escape}');
    expect(last?.aborted).toBe(true);
    await answer([{ id: 'late' }]);
    await person.click(button());
    expect(options().join()).not.toContain('late');
  });

  it('says why a list cannot be read, stays usable, and tries again', async () => {
    const change = onChange();
    const { models, signals, answer } = hold();
    const { person } = show({ models, onChange: change });
    await person.click(button());
    await answer(new AgentError('401 from brook.example', { code: 'AUTHENTICATION_FAILED' }));
    expect(screen.getByRole('alert').textContent).toBe(
      'The list could not be loaded. The key was refused, or there is none yet.',
    );
    expect(options()).toHaveLength(2);
    const before = signals.length;
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(signals).toHaveLength(before + 1);
    await answer(new AgentError('It is broken.', { code: 'STREAM_MALFORMED' }));
    expect(screen.getByRole('alert').textContent).toContain('It is broken.');
    await person.type(field(), 'own{ArrowUp}{Enter}');
    expect(change.mock.calls).toEqual([['own', undefined]]);
  });

  it('asks the service itself, with the key, and shows its facts', async () => {
    const send = vi.fn<typeof fetch>(async () =>
      Response.json({
        data: [{ id: 'listed', context_length: 64_000, pricing: { prompt: '0.000001', completion: '0.000002' } }],
      }),
    );
    const { person } = show({ models: undefined, request: { apiKey: 'sk-canary', fetch: send } });
    await person.click(button());
    await waitFor(() => expect(options()).toContain('listed64K tokens$1 / $2'));
    const [url, init] = send.mock.calls[0] ?? [];
    expect(JSON.stringify(url)).toBe('"https://brook.example/v1/models"');
    expect(new Headers(init?.headers).get('authorization')).toBe('Bearer sk-canary');
    expect(document.body.innerHTML).not.toContain('sk-canary');
  });

  it('forgets the list of another service', async () => {
    const { person, rerender } = show({ models: async () => [{ id: 'of-brook' }] });
    await person.click(button());
    await waitFor(() => expect(options()).toContain('of-brook'));
    rerender({ provider: openai, models: () => new Promise(() => {}) });
    expect(options()).not.toContain('of-brook');
    expect(screen.getByRole('dialog', { name: 'Models of OpenAI' })).toBeTruthy();
  });

  it('shows some of thousands of models, and finds all', async () => {
    const models = Array.from({ length: 5_000 }, (_none, at) => ({ id: `model-${at}` }));
    const { person } = show({ models, value: '' });
    await person.click(button());
    expect(options()).toHaveLength(200);
    expect(screen.getByText('4,800 more: type to find them')).toBeTruthy();
    fireEvent.change(field(), { target: { value: '4999' } });
    expect(options()).toEqual(['model-4999', 'Use “4999”']);
  });

  it('does not open while it is disabled, and speaks other languages', async () => {
    const { person, rerender } = show({ isDisabled: true });
    await person.click(screen.getByRole('button'));
    expect(screen.queryByRole('dialog')).toBeNull();
    rerender({ isDisabled: false, labels: chinese.model });
    expect(button().getAttribute('aria-label')).toBe('模型：Brook Large');
  });
});
