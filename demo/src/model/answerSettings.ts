import type { JsonObject, RunOptions } from 'brooklet';

/** How a model answers. A missing field is as the service, or the agent, has it. */
export interface AnswerSettings {
  readonly effort?: Effort;
  /** From 0 to 2. */
  readonly temperature?: number;
  /** Tokens of one answer. */
  readonly maxTokens?: number;
  /** Requests to the model that one run may make. After that many the user decides whether the run continues. */
  readonly maxSteps?: number;
}

/** How long a model thinks before it answers. */
export const efforts = ['low', 'medium', 'high'] as const;
export type Effort = (typeof efforts)[number];

/** The fields that are numbers, with the limits of each. */
const ranges = {
  temperature: { least: 0, most: 2, isWhole: false },
  maxTokens: { least: 1, most: 1_000_000, isWhole: true },
  maxSteps: { least: 1, most: 1_000, isWhole: true },
} as const;
export type NumberName = keyof typeof ranges;

/** Requests of a run where the user has chosen nothing. */
export const usualSteps = 8;

/** Returns the fields that are valid: a file from elsewhere may contain anything. */
export function readAnswerSettings(stored: JsonObject): AnswerSettings {
  const { effort } = stored;
  const known = efforts.find((one) => one === effort);
  const numberIn = (name: NumberName): object => {
    const value = stored[name];
    return typeof value === 'number' && isInRange(name, value) ? { [name]: value } : {};
  };
  return {
    ...(known && { effort: known }),
    ...numberIn('temperature'),
    ...numberIn('maxTokens'),
    ...numberIn('maxSteps'),
  };
}

function isInRange(name: NumberName, value: number): boolean {
  const { least, most, isWhole } = ranges[name];
  return value >= least && value <= most && (!isWhole || Number.isInteger(value));
}

/** Reads a typed number. Returns `undefined` for an empty text, and `'invalid'` for what is no number within the limits. */
export function readNumber(name: NumberName, text: string): number | undefined | 'invalid' {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return undefined;
  return /^\d+(?:\.\d+)?$/u.test(typed) && isInRange(name, Number(typed)) ? Number(typed) : 'invalid';
}

/** Returns the settings of a run: those of its chat, else those for all chats. `toParams`: how the service of the model takes the effort. */
export function toRunOptions(
  own: AnswerSettings,
  shared: AnswerSettings,
  toParams: (effort: Effort) => JsonObject | undefined,
): RunOptions {
  const { effort, temperature, maxTokens, maxSteps } = { ...shared, ...own };
  const providerParams = effort && toParams(effort);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(providerParams && { providerParams }),
  };
}

/** Returns the parameter that a service takes the effort by; `undefined` for a model on this device. */
export function effortParams(providerId: string | undefined, effort: Effort): JsonObject | undefined {
  switch (providerId) {
    case undefined:
      return undefined;
    case 'openai':
      return { reasoning: { effort } };
    case 'anthropic':
      return { output_config: { effort } };
    default:
      return { reasoning_effort: effort };
  }
}
