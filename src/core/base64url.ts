/** Returns bytes as letters, digits, `-` and `_`: a text that a person can copy, and that the fragment of an address can contain. */
export function toBase64Url(bytes: ArrayBuffer): string {
  const text = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Returns the bytes of such a text; `undefined` for any other. */
export function fromBase64Url(text: string): ReturnType<Uint8ArrayConstructor['of']> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
