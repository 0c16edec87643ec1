import { describe, expect, it } from 'vitest';
import { during } from '../e2e/support/stage.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('parts');
const passphrase = 'correct horse battery';
const key = 'sk-a-key-of-a-person-0001';
const question = 'Which otter is the largest?';

describe.each(engines)('in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  it('a vault keeps keys and conversations encrypted, over a reload', async () => {
    const tab = await engine().open();
    await tab.goto(site());
    const id = await tab.run(
      (...its: [string, string, string]) => globalThis.parts.protect(...its),
      passphrase,
      key,
      question,
    );
    const stored = await tab.run(() => globalThis.parts.stored());
    expect(stored.length).toBeGreaterThan(100);
    for (const secret of [key, 'otter']) expect(stored).not.toContain(secret);

    await tab.reload();
    expect(await tab.run(() => globalThis.parts.status())).toBe('locked');
    expect(await tab.run(() => globalThis.parts.key())).toBe('AUTHENTICATION_LOCKED');
    expect(await tab.run((its: string) => globalThis.parts.read(its), id)).toBe('STORAGE_LOCKED');
    expect(await tab.run((its: string) => globalThis.parts.unlock(its), 'another passphrase')).toBe(
      'AUTHENTICATION_FAILED',
    );
    expect(await tab.run((its: string) => globalThis.parts.unlock(its), passphrase)).toBe('open');
    expect(await tab.run(() => globalThis.parts.key())).toBe(key);
    expect(await tab.run((its: string) => globalThis.parts.read(its), id)).toContain(question);

    // A second tab has a vault of its own.
    const other = await engine().open();
    await other.goto(site());
    expect(await other.run((its: string) => globalThis.parts.unlock(its), passphrase)).toBe('open');
    expect(await other.run((its: string) => globalThis.parts.read(its), id)).toContain(question);
    await tab.run(() => globalThis.parts.lock());
    expect(await tab.run((its: string) => globalThis.parts.read(its), id)).toBe('STORAGE_LOCKED');
    await other.close();
    await tab.close();
  });

  it('a vault that tabs share is unlocked once for all of them, and locked by any', async () => {
    const first = await engine().open();
    await first.goto(site());
    await first.run((...its: [string, string]) => globalThis.parts.protectShared(...its), passphrase, key);
    const second = await engine().open();
    await second.goto(site());
    expect(await second.run(() => globalThis.parts.sharedIs('open'))).toBe('open');
    expect(await second.run(() => globalThis.parts.sharedKey())).toBe(key);
    expect(await second.run(() => globalThis.parts.stored())).not.toContain(key);
    // A reload of the first finds the key in the second.
    await first.reload();
    expect(await first.run(() => globalThis.parts.sharedKey())).toBe(key);

    await second.run(() => globalThis.parts.lockShared());
    expect(await first.run(() => globalThis.parts.sharedIs('locked'))).toBe('locked');
    expect(await first.run(() => globalThis.parts.sharedKey())).toBe('AUTHENTICATION_LOCKED');
    expect(await first.run((its: string) => globalThis.parts.unlockShared(its), passphrase)).toBe('open');
    expect(await second.run(() => globalThis.parts.sharedIs('open'))).toBe('open');
    expect(await second.run(() => globalThis.parts.sharedKey())).toBe(key);
    await first.close();
    await second.close();
  });

  it('an export is read again', async () => {
    const tab = await engine().open();
    await tab.goto(site());
    const questions = ['What is an otter?', '川獺とは何ですか'];
    await tab.run((...its: [string, readonly string[]]) => globalThis.parts.fill(...its), 'from', questions);
    const file = await tab.run((its: string) => globalThis.parts.export(its), 'from');
    expect(file.split('\n').length).toBeGreaterThan(10);
    const read = (text: string) => tab.run((...its: [string, string]) => globalThis.parts.import(...its), 'to', text);
    expect(await read(file)).toEqual({ results: ['added', 'added'], titles: expect.arrayContaining(questions) });
    expect((await read(file)).results).toEqual(['skipped', 'skipped']);
    // The import carries everything: the copy is exported as the original was.
    await tab.reload();
    expect(sorted(await tab.run((its: string) => globalThis.parts.export(its), 'to'))).toEqual(sorted(file));
    await tab.close();
  });
});

const sorted = (file: string): readonly string[] => file.split('\n').toSorted();
