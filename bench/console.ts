/**
 * Measures what the pages of the console cost an instance with 5,000 models of 40 endpoints: the bytes of each answer and the
 * longest time for which a request keeps the event loop from other work, over an hour of recorded traffic; then what each page
 * costs a browser. Each figure is the minimum of the rounds, because other processes only add time.
 *
 * Usage: node bench/console.ts [models] [endpoints of each] [requests] [rounds]
 */
import { setTimeout } from "node:timers/promises"
import { consoleRoutes } from "@signalbox/console"
import { Signalbox, signalbox } from "@signalbox/node"
import type { Browser } from "puppeteer-core"
import { everyGroup } from "../e2e/console/support/consoleHosts.ts"
import { canOpenBrowser, openBrowser } from "../e2e/console/support/openBrowser.ts"
import { inMemoryChat } from "./inMemoryChat.ts"
import { startListener } from "./startListener.ts"

const [models = 5_000, endpoints = 40, requests = 3_000, rounds = 5] = process.argv
  .slice(2)
  .map(Number)

const providers = Array.from({ length: endpoints }, (_, at) => `provider-${at}`)
const instance = await Signalbox.make({
  upstreams: providers.map(inMemoryChat),
  models: Array.from({ length: models }, (_, at) => ({
    id: `author-${at % 60}/model-${at}`,
    endpoints: providers.map((provider, price) => ({
      provider,
      price: { prompt: `0.00000${1 + (price % 9)}`, completion: "0.000002" }
    }))
  }))
})
for (let at = 0; at < requests; at++) {
  await instance.chat({
    model: `author-${at % 60}/model-${at % Math.min(models, 600)}`,
    messages: [{ role: "user", content: "Hello" }]
  })
}

const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  "live.listModels": () => instance.live.listModels({ limit: 25 }),
  "live.listModels, searched": () => instance.live.listModels({ q: "model-4999", limit: 25 }),
  "live.listProviders": () => instance.live.listProviders({ limit: 25 }),
  "live.listProviders, one": () => instance.live.listProviders({ provider: "provider-7" }),
  "live.listEndpoints": () => instance.live.listEndpoints({ limit: 25 }),
  "reports.health, all": () => instance.health(),
  "reports.health, none": () => instance.health({ endpoints: "none" }),
  "incidents.list": () => instance.incidents.list(),
  "generations.list": () => instance.generations.list({ limit: 50 }),
  "traffic.previewControl": () =>
    instance.traffic.previewControl({ kind: "provider", id: "provider-7", state: "disabled" })
}

/** Milliseconds of the longest turn while the work goes on. */
const measureHold = async (work: () => Promise<unknown>) => {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const turn = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const begun = performance.now()
  const answer = await work()
  const took = performance.now() - begun
  // The turn in which the answer came counts, too.
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return { bytes: JSON.stringify(answer).length, longest, took }
}

console.log(`${models} models of ${endpoints} endpoints, ${requests} requests, ${rounds} rounds`)
console.log("operation                        kB    longest turn, ms    whole, ms")
for (const [name, work] of Object.entries(operations)) {
  const runs: Array<Awaited<ReturnType<typeof measureHold>>> = []
  for (let round = 0; round < rounds; round++) runs.push(await measureHold(work))
  const least = (pick: (run: (typeof runs)[number]) => number) => Math.min(...runs.map(pick))
  console.log(
    name.padEnd(28),
    (least(({ bytes }) => bytes) / 1_000).toFixed(1).padStart(6),
    least(({ longest }) => longest)
      .toFixed(1)
      .padStart(19),
    least(({ took }) => took)
      .toFixed(1)
      .padStart(12)
  )
}

/** What a browser does to draw a page, and to take the live events of the five seconds after. */
const measurePage = async (browser: Browser, origin: string, path: string) => {
  const page = await browser.newPage()
  let largest = 0
  page.on("response", (response) => {
    const isStream = response.headers()["content-type"]?.startsWith("text/event-stream") === true
    if (isStream) return
    response.buffer().then(
      ({ length }) => (largest = Math.max(largest, length)),
      // The page has gone on.
      () => undefined
    )
  })
  await page.evaluateOnNewDocument(`globalThis.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: "longtask", buffered: true })`)
  await page.goto(`${origin}/#/${path}`, { waitUntil: "networkidle2" })
  await page.waitForSelector("main h1")
  const { TaskDuration: drawn = 0 } = await page.metrics()
  await setTimeout(5_000)
  const { Nodes: nodes = 0, TaskDuration: kept = 0 } = await page.metrics()
  const longest = Number(await page.evaluate("globalThis.longest"))
  await page.close()
  return { largest, longest, drawn: drawn * 1_000, kept: (kept - drawn) * 1_000, nodes }
}

/** The pages by the paths of their addresses, as the navigation lists them. */
const listPages = async (browser: Browser, origin: string) => {
  const page = await browser.newPage()
  await page.goto(origin)
  await page.waitForSelector("main h1")
  const paths = await page.$$eval("nav a[href^='#/']", (links) =>
    links.map((link) => (link.getAttribute("href") ?? "").replace(/^#\/|\?.*$/g, ""))
  )
  await page.close()
  return paths
}

if (canOpenBrowser) {
  const routes = consoleRoutes(instance, {
    authorize: () => ({ user: "operator" }),
    allow: everyGroup
  })
  const { port, stop } = await startListener(signalbox(routes))
  const origin = `http://127.0.0.1:${port}`
  const browser = await openBrowser()
  console.log(
    "page          drawn, ms of CPU    next 5 s    longest task, ms    largest answer, kB    nodes"
  )
  for (const path of await listPages(browser, origin)) {
    const runs: Array<Awaited<ReturnType<typeof measurePage>>> = []
    for (let round = 0; round < rounds; round++) {
      runs.push(await measurePage(browser, origin, path))
    }
    const least = (name: keyof (typeof runs)[number]) =>
      Math.min(...runs.map((run) => run[name])).toFixed(0)
    console.log(
      path.padEnd(14),
      least("drawn").padStart(17),
      least("kept").padStart(11),
      least("longest").padStart(19),
      (Number(least("largest")) / 1_000).toFixed(1).padStart(21),
      least("nodes").padStart(8)
    )
  }
  await browser.close()
  stop()
}
await instance.close()
