import { createContext } from 'react';

/** Whether links and remote pictures are shown as text: in a review, nothing may navigate or load. */
export const InertContent = createContext(false);
