/** Resolves when everything that waited for the next frame has been called. */
export async function framePassed(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
}
