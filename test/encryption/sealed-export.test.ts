import { openSealedExport, sealExport } from 'brooklet/encryption';
import { describe, expect, test } from 'vitest';

const text = '{"format":"brooklet","version":1}\n{"seq":1,"text":"café 🏞"}\n';

describe('an encrypted export', () => {
  test.each([text, '', 'x'.repeat(3_000_000)])('opens with its key', async (content) => {
    const { file, key } = await sealExport(content);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect((await openSealedExport(file, key)) === content).toBe(true);
  });

  test('has another key each time, and nothing in the clear', async () => {
    const [one, other] = [await sealExport(text), await sealExport(text)];
    expect(one.key).not.toBe(other.key);
    expect(Buffer.from(await one.file.arrayBuffer()).toString('latin1')).not.toMatch(/format|caf/);
    await expect(openSealedExport(one.file, other.key)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test.each([18, 25, 40, -1])('does not open where the byte at %d was changed', async (at) => {
    const { file, key } = await sealExport(text);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] ?? 0) ^ 1;
    await expect(openSealedExport(new Blob([bytes]), key)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('does not open where it was cut', async () => {
    const { file, key } = await sealExport(text);
    for (const size of [file.size - 1, 30, 18])
      await expect(openSealedExport(file.slice(0, size), key)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('is told from another file', async () => {
    const { key } = await sealExport(text);
    for (const content of ['', text, 'brooklet-sealed 2\n'])
      await expect(openSealedExport(new Blob([content]), key)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test.each(['', 'AAAA', '***'])('does not open with the key %j', async (key) => {
    const { file } = await sealExport(text);
    await expect(openSealedExport(file, key)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
