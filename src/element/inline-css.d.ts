// The text of a style sheet, as Vite resolves it.
declare module '*.css?inline' {
  const text: string;
  export default text;
}
