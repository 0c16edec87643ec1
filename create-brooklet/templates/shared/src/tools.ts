import { defineTool } from 'brooklet';

/** The model can save a note, and only with your approval. */
export const saveNote = defineTool({
  name: 'save_note',
  description: 'Saves a note for the user.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  needsApproval: true,
  execute: (input) => {
    localStorage.setItem('note', JSON.stringify(input));
    return 'saved';
  },
});
