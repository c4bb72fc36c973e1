/**
 * Measures whether pages of the console that stay open grow: Overview, and Requests while it follows requests as they come,
 * beside traffic. Every minute each page's heap after a forced garbage collection, its DOM nodes and its listeners. The slope
 * comes from least squares over the second half, since in the first one the charts fill and the browser compiles.
 *
 * Usage: node bench/consoleMemory.ts [minutes] [requests a second]
 */
import { setTimeout } from "node:timers/promises"
import { consoleRoutes } from "@signalbox/console"
import { Signalbox, signalbox } from "@signalbox/node"
import { everyGroup } from "../e2e/console/support/consoleHosts.ts"
import { openBrowser } from "../e2e/console/support/openBrowser.ts"
import { fitLine, type Point } from "./fitLine.ts"
import { inMemoryChat } from "./inMemoryChat.ts"
import { startListener } from "./startListener.ts"

const [minutes = 10, perSecond = 20] = process.argv.slice(2).map(Number)

/** Milliseconds between samples. */
const sampleEvery = 15_000
/** 95 % of a normal distribution are within as many standard errors. */
const deviations = 1.96
const hashes = ["#/overview?range=1h", "#/requests?live=on"]

const providers = ["north", "south", "east"]
const instance = await Signalbox.make({
  upstreams: providers.map(inMemoryChat),
  models: Array.from({ length: 20 }, (_, at) => ({
    id: `demo/model-${at}`,
    endpoints: providers.map((provider) => ({
      provider,
      price: { prompt: "0.000001", completion: "0.000002" }
    }))
  }))
})
let sent = 0
const traffic = setInterval(() => {
  void instance.chat({
    model: `demo/model-${sent++ % 20}`,
    messages: [{ role: "user", content: "Hello" }],
    user: `user ${sent % 50}`
  })
}, 1_000 / perSecond)
const routes = consoleRoutes(instance, {
  authorize: () => ({ user: "operator" }),
  allow: everyGroup
})
const { port, stop } = await startListener(signalbox(routes))
const browser = await openBrowser()

const pages = await Promise.all(
  hashes.map(async (hash) => {
    // A tab in the background would read nothing.
    const page = await (await browser.createBrowserContext()).newPage()
    await page.goto(`http://127.0.0.1:${port}/${hash}`)
    await page.waitForSelector("main table tbody tr")
    const client = await page.createCDPSession()
    await client.send("HeapProfiler.enable")
    return { hash, page, client, heap: [] as Array<Point>, nodes: 0, listeners: 0 }
  })
)
const started = performance.now()
for (let taken = 1; taken <= (minutes * 60_000) / sampleEvery; taken++) {
  await setTimeout(Math.max(0, taken * sampleEvery - (performance.now() - started)))
  for (const each of pages) {
    await each.client.send("HeapProfiler.collectGarbage")
    const { JSEventListeners = 0, JSHeapUsedSize = 0, Nodes = 0 } = await each.page.metrics()
    const minute = (performance.now() - started) / 60_000
    each.heap.push([minute, JSHeapUsedSize / 1_000])
    Object.assign(each, { nodes: Nodes, listeners: JSEventListeners })
    console.log(
      minute.toFixed(1).padStart(5),
      each.hash.padEnd(22),
      (JSHeapUsedSize / 1_000).toFixed(0).padStart(6),
      "kB",
      String(Nodes).padStart(6),
      "nodes",
      String(JSEventListeners).padStart(5),
      "listeners"
    )
  }
}
clearInterval(traffic)
for (const { hash, heap } of pages) {
  const settled = heap.filter(([minute]) => minute > minutes / 2)
  const { slope, standardError } = fitLine(settled)
  const sizes = settled.map(([, kilobytes]) => kilobytes / 1_000)
  console.log(
    `${hash}: heap ${Math.min(...sizes).toFixed(2)} to ${Math.max(...sizes).toFixed(2)} MB, slope`,
    `${slope.toFixed(1)} +- ${(deviations * standardError).toFixed(1)} kB a minute, ${sent} requests`
  )
}
await browser.close()
stop()
await instance.close()
