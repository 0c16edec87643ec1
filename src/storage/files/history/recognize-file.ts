import { toObject, toText } from '../../../core/model/read-json.ts';
import { isMessageList, messagesIn } from '../../../history/documents.ts';
import { type HistoryFormat, knownFormats, lineFormatOf, wholeFormatOf } from '../../../history/formats.ts';
import { createPauses } from '../pause.ts';
import { historyLimits, openHistory } from './conversations.ts';
import { valuesOf } from './values.ts';

/** Values that are looked at. The first lines of a log may not say whose it is. */
const maxValues = 50;

/**
 * Returns the program that a file is of, by its first values: `brooklet` for an export of this package (`importSessions`), another one for
 * `importHistory`, `undefined` for a file that neither imports.
 *
 * Rejects with `INVALID_INPUT` where the beginning is not JSON.
 *
 * @param source text or a file
 * @example
 * const format = await recognizeFile(file);
 * if (format === 'brooklet') await importSessions(store, file);
 * else if (format !== undefined) await importHistory(store, file);
 */
export async function recognizeFile(source: string | Blob): Promise<HistoryFormat | 'brooklet' | undefined> {
  let isMessages = false;
  const options = { limits: historyLimits, pauses: createPauses(), expected: knownFormats };
  for (const text of await openHistory(source)) {
    let seen = 0;
    for await (const { value } of valuesOf(text, options)) {
      const object = toObject(value);
      if (object.format === 'brooklet') return 'brooklet';
      const whole = wholeFormatOf(object);
      if (whole) return whole.format;
      const document = messagesIn(object);
      if (document) return document.isGeminiCli ? 'gemini-cli' : 'messages';
      const line = lineFormatOf(object);
      if (line) return line;
      isMessages ||= isMessageList(value) || [object.role, object.type].some((word) => toText(word) !== '');
      if (++seen === maxValues) break;
    }
  }
  return isMessages ? 'messages' : undefined;
}
