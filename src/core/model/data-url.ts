/** Returns the media type and the base64 text of a `data:` URL; nothing for other text. */
export function readDataURL(text: string): readonly string[] {
  return /^data:([^;,]+);base64,(.*)$/s.exec(text)?.slice(1) ?? [];
}
