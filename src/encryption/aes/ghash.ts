// GHASH of NIST SP 800-38D with tables of eight bits: WebCrypto has AES-GCM only as a promise, and a page that is being unloaded does
// not resume after a promise. Tests compare with WebCrypto.
import type { CodecBytes } from '../../storage/codec.ts';

/** Authenticates data and ciphertext: `hash` returns the value that the tag is made of. */
export interface Ghash {
  hash(data: CodecBytes, ciphertext: CodecBytes): CodecBytes;
}

/** Four words of 32 bits for each value of a byte. */
type Table = Uint32Array;

/** @param subkey H: the encryption of 16 zero bytes */
export function createGhash(subkey: CodecBytes): Ghash {
  const products = toProducts(subkey);
  return {
    hash(data, ciphertext) {
      const sum = new Uint32Array(4);
      addAll(sum, products, data);
      addAll(sum, products, ciphertext);
      const view = new DataView(new ArrayBuffer(16));
      // Lengths in bits; no row is as long as 512 MB.
      view.setUint32(4, data.length * 8);
      view.setUint32(12, ciphertext.length * 8);
      addBlock(sum, products, view, 0);
      for (const [index, word] of sum.entries()) view.setUint32(index * 4, word);
      return new Uint8Array(view.buffer);
    },
  };
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** Returns the products of H and each byte. The highest bit of a byte is the lowest power. */
function toProducts(subkey: CodecBytes): Table {
  const table = new Uint32Array(1_024);
  const view = new DataView(subkey.buffer, subkey.byteOffset);
  let [a, b, c, d] = [view.getUint32(0), view.getUint32(4), view.getUint32(8), view.getUint32(12)];
  for (let bit = 128; bit > 0; bit >>= 1) {
    table.set([a, b, c, d], bit * 4);
    const carry = d & 1 ? 0xe1000000 : 0;
    d = (d >>> 1) | (c << 31);
    c = (c >>> 1) | (b << 31);
    b = (b >>> 1) | (a << 31);
    a = (a >>> 1) ^ carry;
  }
  for (let bit = 2; bit < 256; bit <<= 1)
    for (let lower = 1; lower < bit; lower++)
      for (let word = 0; word < 4; word++)
        table[(bit + lower) * 4 + word] = at(table, bit * 4 + word) ^ at(table, lower * 4 + word);
  return table;
}

/** By the eight bits that leave the field: what is added to the first word. */
const reductions = Uint32Array.from({ length: 256 }, (_, byte) => {
  let word = byte;
  for (let bit = 0; bit < 8; bit++) word = (word >>> 1) ^ (word & 1 ? 0xe1000000 : 0);
  return word;
});

/** Adds bytes, the last block filled with zeros. */
function addAll(sum: Uint32Array, products: Table, bytes: CodecBytes): void {
  const whole = bytes.length - (bytes.length % 16);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < whole; from += 16) addBlock(sum, products, view, from);
  if (whole === bytes.length) return;
  const last = new Uint8Array(16);
  last.set(bytes.subarray(whole));
  addBlock(sum, products, new DataView(last.buffer), 0);
}

/** Adds a block, and multiplies by H, byte by byte from the last one. */
function addBlock(sum: Uint32Array, products: Table, bytes: DataView, from: number): void {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let index = 3; index >= 0; index--) {
    const word = at(sum, index) ^ bytes.getUint32(from + index * 4);
    for (let shift = 0; shift < 32; shift += 8) {
      const carry = at(reductions, d & 255);
      const product = ((word >>> shift) & 255) * 4;
      d = ((d >>> 8) | (c << 24)) ^ at(products, product + 3);
      c = ((c >>> 8) | (b << 24)) ^ at(products, product + 2);
      b = ((b >>> 8) | (a << 24)) ^ at(products, product + 1);
      a = (a >>> 8) ^ carry ^ at(products, product);
    }
  }
  sum[0] = a;
  sum[1] = b;
  sum[2] = c;
  sum[3] = d;
}
