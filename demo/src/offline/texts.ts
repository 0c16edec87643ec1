/** What the offline model can do. */
export const abilities = `I am a small script, not a real model, but the tools I call are real:

- **The time**, here or elsewhere: “What time is it in Tokyo?”
- **Arithmetic**: “What is 17.5% of 240?”
- **Notes** kept in this browser: “Remember to water the plants”, “Save three notes: bread, milk, eggs”, “Show my notes”, “Delete the note about plants”. Changes need your approval.
- **Files**: “Which files are there?”, “Fix the typo in poem.txt”. You see the change before it happens.
- **Questions to you**: “Plan a walk with me”, “Ask me something”.
- **Longer work**: “How many primes are below 30 million?”, “Run a slow script” (reload while it runs), “Draw the brook”.

To try the page itself, ask me for **a long story** (then stop it, write another message, or reload), **some formatting**, **a diagram**, **a page**, **to double 3 twelve times** (more steps than one run may take), or **to fail midway**.

For real answers, connect a model in *Settings*: your key stays in this tab.`;

/** A long answer, for those who stop it. */
export const story = `# Where the brook goes

High up, under a stone that nobody has moved since the ice left, there is a spring. It does not look like the beginning of anything. A hand would cover it. The moss around it is a green that exists only there, and in the early morning a little mist stands over it, as if the hill were breathing.

## The first hundred metres

At first the water does not know that it is a brook. It goes where the slope goes. It divides around a tuft of grass, finds itself again, hesitates before a root, and then, because there is nothing else to do, climbs over. That is the whole art: *do not argue with the hill*.

> A brook is a sentence that the rain began and the sea will finish.

Three small things happen here, and they happen all the time:

1. A leaf lands, turns twice, and leaves for a country it has not heard of.
2. A wagtail stands on the flattest stone and bows to everybody.
3. The light comes through the alders in coins, and the water spends them at once.

## Through the village

By the mill the brook has learned to be useful. It turns a wheel that no longer grinds anything; the children keep it greased, because a wheel that turns is better than one that does not. Under the bridge it changes its voice. People who cross at night walk more slowly there, and could not tell you why.

In the gardens it is borrowed by the canful and returned, weeks later, as beans. The old man at number nine measures it every Sunday with a stick that has one notch for each year he remembers. In the dry summer he cut none. In the wet one he ran out of stick.

## The meadow

Then the valley opens, and there is no hurry any more. The brook draws its loops through the meadow the way you draw on the margin of a letter while you think about what to say. Herons stand in the bends like commas. Where it has cut a corner, a still pool stays behind, and in it the sky, and in the sky, upside down, a cow.

You could say that it wastes its time here. But look at the grass: the meadow is wide and green *because* the water could not make up its mind.

## And out

Below the last willows it meets the river. There is no ceremony. For the length of a field the two run side by side, one clear, one brown; then you can no longer say which is which. The river does not notice that it has grown, and the brook does not notice that it has gone.

Up under the stone, meanwhile, the spring has just begun.
`;

export const formatting = `## What replies may look like

Text can be **strong**, *soft*, ~~withdrawn~~ or \`literal\`. A link shows where it goes: [the Markdown guide](https://commonmark.org/help/). One that would run code is not offered: [press me](javascript:alert(1)).

| wire | streams | calls tools |
| --- | :-: | --: |
| chat completions | yes | yes |
| this script | yes | yes |

\`\`\`ts
const agent = createAgent({ client, tools, store: createIndexedDBStore() });
const session = agent.createSession();
agent.chat(session, 'Hello').subscribe((output) => console.log(output.content));
\`\`\`

The time that a brook takes over a fall of height $h$ is $t = \\sqrt{2h/g}$, whatever it costs: $5 or $6. All of its water is

$$
V = \\int_{t_0}^{t_1} \\! \\left( \\sum_{i=1}^{n} A_i \\, v_i(t) \\right) \\mathrm{d}t
$$

- [x] drawn block by block
- [ ] pictures from elsewhere load only when you say so:

![A placeholder picture](https://placehold.co/480x160/png)

> Raw HTML stays text: <b onclick="alert(1)">like this</b>.
`;
