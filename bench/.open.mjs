import { startBrowser } from './browser.mjs';
import { serve } from './server.mjs';
import { prepare } from './prepare.mjs';
import { writeFileSync } from 'node:fs';
if (process.argv[2]==='prep') await prepare();
const served = await serve(); const browser = await startBrowser(served);
const { page, devtools, close } = await browser.open('stores/brooklet');
await page.evaluate(() => globalThis.bench?.ask('fill', 0));
for (let i=0;i<6;i++){
await page.reload(); await page.waitForFunction(() => globalThis.bench !== undefined);
if(i===5){await devtools.send('Profiler.enable'); await devtools.send('Profiler.setSamplingInterval',{interval:200}); await devtools.send('Profiler.start');}
const r = await page.evaluate(async () => { await globalThis.bench.ask('start',0); const t=performance.now(); await globalThis.bench.ask('open',0); return [performance.now()-t, ...performance.getEntriesByType('measure').map(m=>m.name+' '+m.duration.toFixed(1)), ...performance.getEntriesByType('resource').filter(e=>e.startTime>t-1).map(e=>e.name.split('/').pop()+' '+(e.startTime-t).toFixed(1)+'+'+e.duration.toFixed(1))]; });
console.log(r.join(' | '));
if(i===5){const {profile}=await devtools.send('Profiler.stop'); const p=profile; const self={}; const id={}; p.nodes.forEach(n=>id[n.id]=n); p.samples.forEach((s,k)=>{const n=id[s];const key=n.callFrame.functionName+' '+n.callFrame.url.split('/').pop()+':'+n.callFrame.lineNumber+':'+n.callFrame.columnNumber; self[key]=(self[key]||0)+p.timeDeltas[k]}); Object.entries(self).sort((a,b)=>b[1]-a[1]).slice(0,16).forEach(([k,v])=>console.log((v/1000).toFixed(1),k));}
}
await close(); await browser.close(); await served.close?.(); process.exit(0);
