/** Ids of the sessions whose run another device has begun, and which waits for a person. Filled while a session is shown. */
export const asked = new Set<string>();
