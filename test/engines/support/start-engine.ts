import { engineNames, type EngineName, findEngines } from '../../../scripts/find-engines.mjs';
import { startChromium } from './chromium.ts';
import type { Engine, StartOptions } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startWebKit, startWebKitOnDisk } from './webkit.ts';

const starters: Readonly<Record<EngineName, (options: StartOptions) => Promise<Engine>>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebKit,
  'webkit-disk': startWebKitOnDisk,
};

/** `ENGINES=firefox,webkit` names the engines that must run, installed or not. */
const asked = process.env.ENGINES?.split(',');

const found = findEngines();

/** The engines of this run: those asked for, else those that are installed. */
export const engines: readonly EngineName[] = engineNames.filter((name) =>
  asked ? asked.includes(name) : found.some((engine) => engine.name === name && engine.missing.length === 0),
);

/** Starts an engine with a new profile. Rejects, with what is missing, where it is not installed. */
export async function startEngine(name: EngineName, options: Omit<StartOptions, 'programs'> = {}): Promise<Engine> {
  const { programs = {}, missing = [] } = found.find((engine) => engine.name === name) ?? {};
  if (missing.length > 0) throw new Error(`${name} is not installed: ${missing.join(', ')} not found.`);
  return starters[name]({ ...options, programs });
}
