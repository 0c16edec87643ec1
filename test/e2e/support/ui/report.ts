/** A long answer with all that Markdown has. */
export const report = `# Brooks of the valley

A *brook* is a **small stream**. Its bed is described by \`width × depth\`, see [the survey](https://survey.example/brooks?year=2026) for all of them[^1].

## What was measured

1. The source
   - its height above the sea
   - [x] its temperature
   - [ ] its minerals
2. The mouth

| Brook | Length | Flow in spring | Flow in autumn | Remark |
| :---- | -----: | -------------: | -------------: | :----- |
| Mill brook | 12,400 m | 1,000,000 l | 128,000 l | QUOTA_EXCEEDED in the driest week |
| Birch brook | 3,150 m | 240,000 l | 31,000 l | passes two ponds |

> The water of a brook is never the same,
> and the brook always is.

\`\`\`ts
export function flow(width: number, depth: number, speed: number): number {
  return width * depth * speed; // m³/s
}
\`\`\`

![A map of the brooks](https://maps.example/brooks.png)

[^1]: The survey was made **on foot**.
`;
