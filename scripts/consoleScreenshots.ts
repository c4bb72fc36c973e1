/** Writes the pictures of the console in `docs/images`, from an instance with a made-up day behind it. */
import { randomUUID } from "node:crypto"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { ModelConfig } from "@signalbox/core"
import { defaultAccountId, GenerationStore, memoryStores } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BrowserTab } from "../e2e/console/support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "../e2e/console/support/consoleHosts.ts"
import { openBrowser } from "../e2e/console/support/openBrowser.ts"
import { openAccount } from "../examples/servers/src/demo/traffic/openAccount.ts"
import { startTraffic } from "../examples/servers/src/demo/traffic/startTraffic.ts"
import { withTrafficModels } from "../examples/servers/src/demo/traffic/trafficModels.ts"
import { options } from "../examples/servers/src/router.ts"
import { buildConsole } from "./buildConsole.ts"

const images = join(import.meta.dirname, "../docs/images")
const [host] = browserHosts
const day = 86_400_000

/** Milliseconds of live traffic, for the health of endpoints. */
const trafficMillis = 30_000

const configured = withTrafficModels(options)
if (!Array.isArray(configured.models)) throw new Error("the demo lists its models")
const models: ReadonlyArray<ModelConfig> = configured.models
const chats = models.flatMap(({ endpoints, id }) =>
  endpoints.length > 1 ? [{ id, providers: endpoints.map(({ provider }) => provider) }] : []
)

/** A request some time ago, more of them by day than by night. */
const makeGeneration = (startedAt: number): Generation => {
  const { id: model, providers } = draw(chats)
  const isFailed = Math.random() < 0.04
  const hasFallback = Math.random() < 0.15
  const served = draw(providers)
  const latencyMillis = Math.round(300 * Math.exp(Math.random() * 2))
  const usage = {
    inputTokens: 400 + Math.round(Math.random() * 2_000),
    outputTokens: 50 + Math.round(Math.random() * 500)
  }
  const cost = BigInt(usage.inputTokens * 400 + usage.outputTokens * 1_200)
  const failed = {
    endpoint: `${model}@${providers[0]}`,
    provider: `${providers[0]}`,
    outcome: "overloaded",
    status: 503,
    latencyMillis: 120
  }
  const answered = {
    endpoint: `${model}@${served}`,
    provider: served,
    outcome: "served",
    status: 200,
    latencyMillis,
    firstEventMillis: Math.round(latencyMillis / 4),
    usage,
    cost
  }
  const base = {
    id: `gen-${randomUUID()}`,
    account: defaultAccountId,
    workspace: "00000000-0000-4000-8000-000000000000",
    operation: "chat" as const,
    startedAt,
    requestedModel: model,
    configuration: 1,
    strategy: "price-weighted",
    streamed: true as const,
    user: draw(["ada", "grace", "edsger", "barbara"]),
    rejected: [],
    demoted: []
  }
  // Safe: the ids and amounts are those of a record.
  return (isFailed
    ? { ...base, latencyMillis: 120, attempts: [failed], error: "AllAttemptsFailed" }
    : {
        ...base,
        latencyMillis: latencyMillis + (hasFallback ? 120 : 0),
        model,
        provider: served,
        attempts: hasFallback ? [failed, answered] : [answered],
        usage,
        cost,
        finishReason: "stop"
      }) as unknown as Generation
}

type Generation = Parameters<(typeof GenerationStore)["Service"]["record"]>[0]

const draw = <A>(list: ReadonlyArray<A>): A => list[Math.floor(Math.random() * list.length)]!

const seed = GenerationStore.use((store) => {
  const now = Date.now()
  const generations = Array.from({ length: 30_000 }, () => now - Math.random() * day)
    .filter((at) => Math.random() < 0.6 + 0.4 * Math.sin(((at % day) / day) * 2 * Math.PI))
    .toSorted((a, b) => a - b)
    .map(makeGeneration)
  return Effect.forEach(generations, (generation) => store.record(generation), { discard: true })
})

await buildConsole()
const instance = await Signalbox.make({
  ...configured,
  stores: Layer.provideMerge(Layer.effectDiscard(seed), memoryStores)
})
const stopTraffic = startTraffic(instance, await openAccount(instance))
await setTimeout(trafficMillis)
const running = await host!.start(makeOpenConsole(instance), consoleMount)
const browser = await openBrowser()
const root = `${running.origin}${consoleMount}/`
mkdirSync(images, { recursive: true })

const takePicture = async (
  name: string,
  hash: string,
  { isDark = false, width = 1_280 }: { readonly isDark?: boolean; readonly width?: number } = {}
): Promise<void> => {
  await using tab = await BrowserTab.open(browser, root, width)
  if (isDark) {
    await tab.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }])
  }
  await tab.goTo(hash)
  // Charts are drawn when their data has come.
  await setTimeout(1_500)
  await tab.page.screenshot({ path: join(images, `${name}.png`) })
  console.log(
    `docs/images/${name}.png${tab.problems.length > 0 ? `: ${tab.problems.join("; ")}` : ""}`
  )
}

const findLinks = async (): Promise<ReadonlyArray<string>> => {
  await using tab = await BrowserTab.open(browser, root)
  await tab.goTo("#/now")
  return (
    await tab.page.$$eval("nav a", (links) => links.map((link) => link.getAttribute("href")))
  ).flatMap((href) => href ?? [])
}

for (const hash of await findLinks()) {
  const page = hash.replace("#/", "")
  if (page !== "route") await takePicture(`console-${page}`, hash)
}
await takePicture("console-now-phone", "#/now", { isDark: true, width: 400 })
const { data } = await instance.generations.list({ limit: 100, outcome: "answered" })
const shown = data.find(({ attempt_count: attempts }) => attempts > 1) ?? data[0]
if (shown !== undefined) {
  await takePicture("console-request", `#/requests/${shown.id}`)
  const request = {
    model: shown.requested_model,
    messages: [{ role: "user", content: "Hello" }],
    provider: {
      sort: "latency",
      ignore: chats.find(({ id }) => id === shown.requested_model)?.providers.slice(0, 1)
    }
  }
  await takePicture(
    "console-route",
    `#/route?request=${encodeURIComponent(JSON.stringify(request))}`,
    { isDark: true }
  )
}
stopTraffic()
await browser.close()
await running.close()
await instance.close()
