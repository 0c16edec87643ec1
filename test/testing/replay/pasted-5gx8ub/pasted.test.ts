import { extractTextContent, type SessionEvent } from 'brooklet';
import { replay } from 'brooklet/testing';
import { expect, test } from 'vitest';

test("Please pay the bill.", async () => {
  // To test your agent, pass its options: replay(log, { instructions, tools, toolResults: 'recorded' }).
  const { state } = await replay(log);
  expect(state.messages.map((message) => extractTextContent(message))).toEqual([
    "Please pay the bill.",
    "",
    "",
    "Paid with a change; the other tool is broken.",
    "Thank you!",
    "You are welcome.",
    "And now?",
  ]);
});

const log: readonly SessionEvent[] = [
  {"type":"session.started","sessionId":"e948d24d-92d7-40c7-86e0-179d41b6662b","seq":1,"at":1795376636959,"v":2},
  {"type":"message.added","message":{"id":"20ca3226-a75b-4c90-8cf0-96f73c531dbf","role":"user","content":[{"type":"text","text":"Please pay the bill."}],"timestamp":1795376637016},"seq":2,"at":1795376637017,"v":2},
  {"type":"run.started","runId":"49e91ccb-6ffc-4661-b229-19dd836c4274","seq":3,"at":1795376637017,"v":2},
  {"type":"instructions.changed","contentId":"seberibvj","messages":[{"id":"instructions","role":"system","content":[{"type":"text","text":"Be brief."}],"timestamp":0}],"seq":4,"at":1795376637271,"v":2},
  {"type":"tools.changed","contentId":"9zygqpmy2","tools":[{"name":"pay","description":"Pays an amount.","inputSchema":{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}},{"name":"break","description":"Always fails.","inputSchema":{"type":"object"}}],"seq":5,"at":1795376637271,"v":2},
  {"type":"reply.started","messageId":"9e126115-a156-4bb4-9ae5-273360ab917f","context":{"immutable":72,"compressed":0,"incremental":9,"scratch":0},"request":{"instructions":"seberibvj","tools":"9zygqpmy2","toolOutput":22500},"seq":6,"at":1795376637271,"v":2},
  {"type":"reasoning.delta","text":"I should pay.","seq":9,"at":1795376637325,"v":2,"since":7,"startedAt":1795376637324},
  {"type":"call.delta","text":"{\"n\":1}","callId":"3f8210bc-89b0-4202-8dfe-691b9772a248","seq":11,"at":1795376637325,"v":2,"name":"pay","since":10},
  {"type":"call.requested","name":"pay","inputText":"{\"n\":1}","callId":"3f8210bc-89b0-4202-8dfe-691b9772a248","input":{"n":1},"seq":12,"at":1795376637325,"v":2},
  {"type":"reply.ended","finish":"tool-calls","usage":{"input":100,"output":10},"seq":13,"at":1795376637326,"v":2},
  {"type":"approval.requested","callId":"3f8210bc-89b0-4202-8dfe-691b9772a248","toolVersion":"uwxpx1pbo","seq":14,"at":1795376637327,"v":2},
  {"type":"approval.decided","callId":"3f8210bc-89b0-4202-8dfe-691b9772a248","decidedBy":"user","verdict":"approved","input":{"n":2},"userName":"Ada","seq":15,"at":1795376637406,"v":2},
  {"type":"call.started","callId":"3f8210bc-89b0-4202-8dfe-691b9772a248","attempt":1,"seq":16,"at":1795376637407,"v":2},
  {"type":"call.ended","callId":"3f8210bc-89b0-4202-8dfe-691b9772a248","outcome":"succeeded","output":"paid 2","seq":17,"at":1795376637469,"v":2},
  {"type":"reply.started","messageId":"ae3e560e-73a6-43d5-a3b1-7d8a8e00ddd5","context":{"immutable":72,"compressed":0,"incremental":55,"scratch":0},"request":{"instructions":"seberibvj","tools":"9zygqpmy2","toolOutput":22500},"seq":18,"at":1795376637469,"v":2},
  {"type":"call.delta","text":"{}","callId":"6ec167f7-5ccf-4bab-98e3-9995347ccb9b","seq":20,"at":1795376637470,"v":2,"name":"break","since":19},
  {"type":"call.requested","name":"break","inputText":"{}","callId":"6ec167f7-5ccf-4bab-98e3-9995347ccb9b","input":{},"seq":21,"at":1795376637470,"v":2},
  {"type":"reply.ended","finish":"tool-calls","usage":{"input":120,"output":5},"seq":22,"at":1795376637471,"v":2},
  {"type":"approval.decided","callId":"6ec167f7-5ccf-4bab-98e3-9995347ccb9b","verdict":"approved","decidedBy":"policy","seq":23,"at":1795376637471,"v":2},
  {"type":"call.started","callId":"6ec167f7-5ccf-4bab-98e3-9995347ccb9b","attempt":1,"seq":24,"at":1795376637471,"v":2},
  {"type":"call.ended","callId":"6ec167f7-5ccf-4bab-98e3-9995347ccb9b","outcome":"failed","output":"The lever came off.","seq":25,"at":1795376637512,"v":2},
  {"type":"reply.started","messageId":"6cff742f-a93b-4955-8ed6-bfe6614662dd","context":{"immutable":72,"compressed":0,"incremental":78,"scratch":0},"request":{"instructions":"seberibvj","tools":"9zygqpmy2","toolOutput":22500},"seq":26,"at":1795376637513,"v":2},
  {"type":"text.delta","text":"Paid with a change; the other tool is broken.","seq":35,"at":1795376637513,"v":2,"since":27},
  {"type":"reply.ended","finish":"stop","usage":{"input":140,"output":20},"seq":36,"at":1795376637513,"v":2},
  {"type":"run.ended","runId":"49e91ccb-6ffc-4661-b229-19dd836c4274","outcome":"completed","seq":37,"at":1795376637524,"v":2},
  {"type":"message.added","message":{"id":"1ec335b1-c226-4f60-9e3e-a503b2c17600","role":"user","content":[{"type":"text","text":"Thank you!"}],"timestamp":1795376637525},"seq":38,"at":1795376637525,"v":2},
  {"type":"run.started","runId":"0f79d945-15ac-4503-8cb0-8d52d0b287e8","settings":{"model":"small"},"seq":39,"at":1795376637526,"v":2},
  {"type":"reply.started","messageId":"c244b400-b9e0-45fd-8acd-3f8c4628a510","context":{"immutable":72,"compressed":0,"incremental":100,"scratch":0},"request":{"instructions":"seberibvj","tools":"9zygqpmy2","model":"small","toolOutput":22500},"seq":40,"at":1795376637526,"v":2},
  {"type":"text.delta","text":"You are welcome.","seq":43,"at":1795376637526,"v":2,"since":41},
  {"type":"reply.ended","finish":"stop","usage":{"input":200,"output":4},"seq":44,"at":1795376637527,"v":2},
  {"type":"run.ended","runId":"0f79d945-15ac-4503-8cb0-8d52d0b287e8","outcome":"completed","seq":45,"at":1795376637527,"v":2},
  {"type":"run.started","runId":"24ce6923-2eff-4ed9-bc9e-74db641d4356","isCompaction":true,"seq":46,"at":1795376637527,"v":2},
  {"type":"context.compacted","compactionId":"d7746a69-a5f1-4de7-98b6-fc69c6d24924","cause":"user","strategy":"own","through":"6cff742f-a93b-4955-8ed6-bfe6614662dd","summary":"They paid.","tokens":{"before":180,"after":124},"seq":47,"at":1795376637584,"v":2},
  {"type":"run.ended","runId":"24ce6923-2eff-4ed9-bc9e-74db641d4356","outcome":"completed","seq":48,"at":1795376637584,"v":2},
  {"type":"message.added","message":{"id":"95c0023f-503a-49cb-b115-434caf017a92","role":"user","content":[{"type":"text","text":"And now?"}],"timestamp":1795376637585},"seq":49,"at":1795376637585,"v":2},
  {"type":"run.started","runId":"6bcebae1-85ec-4e92-b0a8-676aff75527b","seq":50,"at":1795376637585,"v":2},
  {"type":"reply.started","messageId":"3f9eee0b-8bdd-4a00-a0e0-95e272e08985","context":{"immutable":72,"compressed":37,"incremental":22,"scratch":0},"request":{"instructions":"seberibvj","tools":"9zygqpmy2","toolOutput":22500},"seq":51,"at":1795376637586,"v":2},
  {"type":"run.ended","runId":"6bcebae1-85ec-4e92-b0a8-676aff75527b","outcome":"failed","error":{"type":"LLM_SERVICE","code":"INSUFFICIENT_QUOTA","message":"No credit is left.","retryable":false},"seq":52,"at":1795376637606,"v":2},
];
