import type { Scratch } from '../context/options.ts';
import { AgentError, fail } from '../error.ts';
import { defined, toJson } from '../json.ts';
import type { LLMClient } from '../model/llm.ts';
import type { RunNeed, RunSettings } from '../model/settings.ts';
import type { SessionState } from '../model/state.ts';
import type { RunOptions } from './session.ts';

/** The options of a run that cannot be stored: live objects. */
export interface RunHandles {
  readonly client?: LLMClient;
  readonly scratch?: Scratch;
}

/**
 * Returns the part of a run's options that is stored: a copy, merged over `base`, the settings of the run that is resumed or regenerated.
 *
 * @returns `undefined` when the agent's own options apply
 * @throws AgentError `INVALID_INPUT` for options that JSON cannot represent
 */
export function toRunSettings(options: RunOptions, base: RunSettings = {}): RunSettings | undefined {
  const { client, scratch, model, temperature, maxTokens, output, providerParams } = options;
  const { contextWindow, autoCompress, maxSteps, budget } = options;
  const spec = output && { name: output.name, schema: output.schema, strict: output.strict };
  const stored = defined({ model, temperature, maxTokens, output: spec, providerParams, contextWindow, autoCompress });
  const needs: readonly RunNeed[] = [
    ...(client !== undefined || base.needs?.includes('client') ? (['client'] as const) : []),
    ...(scratch !== undefined || base.needs?.includes('scratch') ? (['scratch'] as const) : []),
  ];
  const settings = copied({
    ...base,
    ...stored,
    ...defined({ maxSteps, budget }),
    ...(needs.length > 0 && { needs }),
  });
  return Object.keys(settings).length > 0 ? settings : undefined;
}

/** Returns the settings of the run that answered a message, as recorded in the last run or in the replies to the message. */
export function settingsOf({ messages, run }: SessionState, promptId: string): RunSettings | undefined {
  if (run?.promptId === promptId) return run.settings;
  const after = messages.slice(messages.findIndex(({ id }) => id === promptId) + 1);
  const next = after.findIndex(({ role }) => role === 'user');
  return after.slice(0, next < 0 ? undefined : next).find(({ settings }) => settings !== undefined)?.settings;
}

/** Returns the options of a run that are not stored, merged over those of the run that is resumed or regenerated. */
export function toRunHandles({ client, scratch }: RunOptions, before: RunHandles = {}): RunHandles {
  return { ...before, ...defined({ client, scratch }) };
}

/**
 * Checks that all options are present that a run needs.
 *
 * @throws AgentError `MISSING_OPTION` that names the missing options
 */
export function checkHandles(settings: RunSettings | undefined, handles: RunHandles): void {
  const missing = settings?.needs?.filter((need) => handles[need] === undefined) ?? [];
  if (missing.length > 0) throw missingOption(missing);
}

function missingOption(missing: readonly RunNeed[]): AgentError {
  const names = missing.map((need) => `\`${need}\``).join(' and ');
  const message = `The run was started with a ${names} of its own, which cannot be stored. Pass ${names} again: resume({ ${missing.join(', ')} }).`;
  return new AgentError(message, { code: 'MISSING_OPTION' });
}

/** Returns a copy. Invariant: a later change of the caller's object does not change the log. */
function copied(settings: RunSettings): RunSettings {
  try {
    toJson(settings);
  } catch (cause) {
    return fail(
      'INVALID_INPUT',
      `An option of the run cannot be stored. ${cause instanceof Error ? cause.message : ''}`,
      cause,
    );
  }
  const copy: RunSettings = JSON.parse(JSON.stringify(settings));
  return copy;
}
