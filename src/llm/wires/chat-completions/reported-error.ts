import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { toList, toObject, toText, toWord } from '../../../core/model/read-json.ts';

/**
 * Returns the error that a document of an answer reports, in the shape of an error reply; `undefined` where it reports none. Beside `error`:
 * `choices[0].error` (OpenRouter), `x_groq.error`, `base_resp` (MiniMax), `error_code` and `error_msg` (Baidu), `code` and `message`
 * (DashScope, SiliconFlow) and `detail` (FastAPI) where there is no choice.
 *
 * @param event the name of the document's server-sent event
 */
export function toReportedError(json: JsonObject, event?: string): Json | undefined {
  if (json.error || json.object === 'error' || event === 'error') return json;
  const choices = toList(json.choices);
  const inner = toObject(choices[0]).error || toObject(json.x_groq).error;
  if (inner) return { error: inner };
  const { status_code, status_msg } = toObject(json.base_resp);
  if (isCode(status_code)) return { error: { code: status_code, message: toWord(status_msg) } };
  if (choices.length > 0) return undefined;
  if (isCode(json.error_code)) return { error: { code: json.error_code, message: toWord(json.error_msg) } };
  if (isCode(json.code) && toText(json.message) !== '') return json;
  return toText(json.detail) !== '' || isJsonObject(toList(json.detail)[0]) ? json : undefined;
}

/** Whether a code is not that of success. */
function isCode(code: Json | undefined): code is string | number {
  return !/^(|0|200|ok|success)$/i.test(toWord(code));
}
