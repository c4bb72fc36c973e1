/** What watching costs where the catalog is very long. */
import { UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { pickScope } from "../../vitest.scope.ts"

const providers = Array.from({ length: 40 }, (_, at) => `provider-${at}`)
const models = Array.from(
  { length: pickScope({ full: 5_000, sample: 500 }) },
  (_, at) => `author/model-${at}`
)
const total = models.length * providers.length
const managementKey = "sk-live-scale-management"

const startLongCatalog = () =>
  Signalbox.make({
    upstreams: providers.map((slug) => ({
      slug,
      name: slug,
      chat: {
        complete: () => Effect.fail(new UpstreamFailure({ kind: "overloaded", status: 503 })),
        stream: () => {
          throw new Error("nobody streams")
        },
        estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
      }
    })),
    models: models.map((id) => ({
      id,
      endpoints: providers.map((provider) => ({
        provider,
        contextLength: 1_000,
        price: { prompt: "0.000001", completion: "0.000001" }
      }))
    })),
    keys: [{ key: managementKey, kind: "management" }]
  })

describe("endpoints of a long catalog", () => {
  test("cost what is visible, and no more", async () => {
    const instance = await startLongCatalog()
    try {
      /** Tries each of these endpoints, which fail. */
      const attempt = (model: number, only: ReadonlyArray<string>) =>
        instance
          .chat({
            model: models[model]!,
            messages: [{ role: "user", content: "Hello" }],
            provider: { only: [...only] }
          })
          .catch(() => undefined)
      const read = (path: string) =>
        instance
          .fetch(
            new Request(`http://signalbox.invalid/api/v1/signalbox/endpoints${path}`, {
              headers: { authorization: `Bearer ${managementKey}` }
            })
          )
          .then((response) => response.text())

      for (const model of [0, 1, 2]) await attempt(model, providers)
      const page = await read("?sort=requests&limit=50")
      expect(JSON.parse(page).data.total_count).toBe(total)
      expect(page.length).toBeLessThan(200_000)
      expect((await read("?q=model-499%20provider-3&limit=50")).length).toBeLessThan(200_000)

      const text = await read("/events?sort=model&model=author/model-7&limit=25&interval=1&count=2")
      const [first = "", second = ""] = text.split("\n\n").filter((event) => event !== "")
      expect(first.length).toBeLessThan(50_000)
      // Nothing has happened to what is visible.
      expect(second.length).toBeLessThan(200)

      const events = instance.live.watchEndpoints({
        interval: 1,
        model: models[7]!,
        sort: "model",
        limit: 25
      })
      const changed: Array<string> = []
      let hasBegun = false
      for await (const { endpoints, total_count: matching } of events) {
        if (matching !== providers.length) break
        if (hasBegun) changed.push(...endpoints.map(({ endpoint_id: id }) => id))
        if (changed.length > 0) break
        if (!hasBegun) {
          await attempt(8, providers)
          await attempt(7, ["provider-3", "provider-39"])
        }
        hasBegun = true
      }
      // The other one is on the next page.
      expect(changed).toEqual(["author/model-7@provider-3"])
    } finally {
      await instance.close()
    }
  })
})
