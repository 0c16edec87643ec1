export const pathInput = {
  type: 'string',
  minLength: 1,
  maxLength: 1_000,
  description: 'Path of the file in the workspace, with / between folders, e.g. notes/plan.md',
} as const;

export const hashDescription = 'The hash of the file, as read_file or the last change of the file returned it.';
