/** A type whose fields may be set, for an object that is filled in while a log is read. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
