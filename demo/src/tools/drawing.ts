import { defineTool } from 'brooklet';

const width = 720;
const height = 240;

/** Returns a picture: the page shows the picture, and the model sees it if its provider accepts pictures. */
export const drawBrook = defineTool({
  name: 'draw_brook',
  description: 'Draws the brook with some waves, as a picture.',
  input: {
    type: 'object',
    properties: { waves: { type: 'integer', minimum: 1, maximum: 12 } },
    required: ['waves'],
    additionalProperties: false,
  },
  idempotent: true,
  async execute(input) {
    const waves = Number(input['waves']);
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext('2d');
    if (pen === null) throw new Error('This browser has no 2D canvas: use a current browser.');
    drawWaves(pen, waves);
    const png = await canvas.convertToBlob({ type: 'image/png' });
    const data = toBase64(new Uint8Array(await png.arrayBuffer()));
    return [
      { type: 'text', text: `The brook, with ${waves} waves.` },
      { type: 'image', mediaType: 'image/png', data, name: 'The brook' },
    ];
  },
  present: (input) => ({ summary: `The brook, with ${Number(input['waves'])} waves` }),
});

function drawWaves(pen: OffscreenCanvasRenderingContext2D, waves: number): void {
  pen.fillStyle = '#e4f3f0';
  pen.fillRect(0, 0, width, height);
  pen.lineCap = 'round';
  for (let wave = 0; wave < waves; wave += 1) {
    const depth = (wave + 1) / (waves + 1);
    pen.strokeStyle = `hsl(${176 + 20 * depth} 55% ${62 - 30 * depth}%)`;
    pen.lineWidth = 1.5 + 3 * depth;
    pen.beginPath();
    for (let x = -10; x <= width + 10; x += 6)
      pen.lineTo(x, height * depth + Math.sin(x / (38 + 30 * depth) + 1.7 * wave) * (5 + 9 * depth));
    pen.stroke();
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
