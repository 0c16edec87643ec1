export { createEngine, type Engine, type EnginePage } from './engine.ts';
export { type EngineName, engineNames } from './profile.ts';
