// A module of its own: the meter is not needed to begin a conversation.
export { ContextMeter } from 'brooklet/ui';
