// The files of a build of Studio. What is loaded first is one file: the bundler splits it into dozens where the rooms share modules with it. So is
// what the rooms share: the page names each file that a room needs. A page that loads its modules one by one opens in twice the time.

/** Small modules of Studio that several rooms share, and that need nothing but what is loaded first. */
const sharedByRooms =
  /\/demo\/src\/(?:stored|messageOf|callReady|devices\/(?:engine|arrival)|mcp\/(?:servers|serverNameOf|signInNote)|skills\/list|workspace\/place|ui\/(?:AddressForm|RoomIcon|Switch)|conversation\/(?:Diff|ToolInput|ToolOutput)|texts\/(?:format|useAllTexts))\.tsx?$/u;

/** Small modules of the package that are loaded together: each file that the page need not name is some 15 bytes of the first load. */
const sharedByFolders = [
  /\/src\/core\/(?:context\/(?:prepare-request|visible-messages)|model\/(?:annotation|data-url|fingerprint|hash|interface-of|message-text|read-json|rebase|summary|tool-result|upcast|write-id)|session\/to-media-part|tools\/(?:approval-rules|rejection))\.ts$/u,
  /\/src\/llm\/transport\//u,
  /\/src\/(?:keys\/|storage\/small-database)/u,
  /\/src\/llm\/providers\//u,
  /\/src\/review\/(?:ann|call|comp|create|kind|output|step|time)|\/src\/core\/context\/rebuild-request/u,
  /\/src\/mcp\/(?:definition|errors|param-headers|value|versions)|\/src\/core\/tools\/version-of|\/demo\/src\/mcp\/states/u,
  /\/src\/storage\/files\/(?:event-shape|limits|lines|mask\/|parse|pause|watch)/u,
];

/** @satisfies {import('vite').Rolldown.OutputOptions} */
export const studioFiles = {
  // The page names some 80 files: names without words are 0.6 kB less of the first load.
  chunkFileNames: 'assets/[hash].js',
  codeSplitting: {
    groups: [
      { name: 'studio', tags: ['$initial'] },
      { name: 'rooms', test: sharedByRooms },
      ...sharedByFolders.map((test, index) => ({ name: `shared${index}`, test })),
    ],
  },
};
