import { expect, test } from 'vitest';
import { loadCoder } from '../../src/sync/nats/coder.ts';
import { sealHead } from '../../src/sync/nats/head-draft.ts';
import { type Head, openRow } from '../../src/sync/nats/head.ts';
import { aesCodec } from '../support/codec.ts';
import { writeAt } from './support/writes.ts';

const origin = { writeId: 'log/phone:1', device: 'phone', kind: 'kept', of: '1' } as const;

/** A head whose row states its origin, as a store with a codec has it. */
async function createSealed() {
  const coder = await loadCoder(await aesCodec())();
  const { summary } = writeAt('a', 0);
  const { seq, updatedAt } = summary;
  const bare = { seq, nth: 1, after: 0, updatedAt, size: 0, folded: 0, writeId: origin.writeId };
  const head: Head = await sealHead(coder, 'a', { ...bare, row: { ...summary, origin } });
  return { coder, head };
}

test('the origin of a row is encrypted with it', async () => {
  const { coder, head } = await createSealed();
  expect((await openRow(coder, 'a', head)).origin).toEqual(origin);
  const { writeId: _writeId, ...rest } = head;
  expect(JSON.stringify(rest)).not.toContain('phone');
});

test('a row does not open with the id of another write, which its origin would not be about', async () => {
  const { coder, head } = await createSealed();
  await expect(openRow(coder, 'a', { ...head, writeId: 'log/Mallory:1' })).rejects.toMatchObject({
    code: 'STORAGE_CORRUPT',
  });
});
