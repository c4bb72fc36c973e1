/** An instance where a provider fails: another one takes over its traffic, except for a model that it has alone. */
import type { Signalbox as Instance } from "@signalbox/core"
import { waitUntil } from "../../support/waitUntil.ts"
import { hostile, startConsoleInstance } from "./consoleInstance.ts"

const price = { prompt: "0.000001", completion: "0.000001" }

export const startFailingInstance = async (): Promise<Instance> => {
  const instance = await startConsoleInstance({
    models: [{ id: "demo/single", endpoints: [{ provider: "overloaded", price }] }]
  })
  await ask(instance, "demo/model", 12)
  await ask(instance, "demo/single", 12)
  await waitUntil(
    async () => (await instance.incidents.list({})).data[0]?.endpoints.length === 2,
    "there is no incident of both endpoints"
  )
  return instance
}

const ask = (instance: Instance, model: string, times: number) =>
  Promise.all(
    Array.from({ length: times }, () =>
      instance
        .chat(
          {
            model,
            messages: [{ role: "user", content: "Hello" }],
            provider: { order: ["overloaded", "steady"] }
          },
          { caller: { kind: "member", user: hostile } }
        )
        .catch(() => {})
    )
  )
