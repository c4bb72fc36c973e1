/** Imports an adapter, makes an instance, and prints the cost. `--modules` prints the imported `effect` modules, `--express` also imports Express. */
import { registerHooks } from "node:module"

const modules = new Set()
if (process.argv.includes("--modules")) {
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOurs =
        !specifier.endsWith(".json") && !context.parentURL?.includes("/node_modules/effect/")
      if (isOurs && /^effect(?:\/|$)/.test(specifier)) modules.add(specifier)
      return next(specifier, context)
    }
  })
}
if (process.argv.includes("--express")) await import("express")
const { signalbox } = await import("@signalbox/express")
const { Signalbox } = await import("@signalbox/node")
const { openai } = await import("@signalbox/openai")
const price = { prompt: "0.00000025", completion: "0.000002" }
const instance = await Signalbox.make({
  upstreams: [openai({ apiKey: "sk-none" })],
  models: [
    { id: "openai/gpt-5-mini", endpoints: [{ provider: "openai", price, contextLength: 400_000 }] }
  ],
  keys: [{ key: "sk-my-first-key", kind: "member", user: "ada" }]
})
signalbox(instance)
const { system, user } = process.cpuUsage()
console.log(
  JSON.stringify({
    cpuMillis: (user + system) / 1000,
    rssMegabytes: process.memoryUsage.rss() / 1e6,
    modules: [...modules].toSorted((one, other) => one.localeCompare(other))
  })
)
await instance.close()
