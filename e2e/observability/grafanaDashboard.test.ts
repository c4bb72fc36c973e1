/** The dashboard of `examples/grafana` against the metrics of an instance with storage. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { DecisionCapability } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { beforeAll, expect, test } from "vitest"

const Target = Schema.Struct({ expr: Schema.String, legendFormat: Schema.String })
const Dashboard = Schema.fromJsonString(
  Schema.Struct({
    templating: Schema.Struct({ list: Schema.Array(Schema.Struct({ query: Schema.Unknown })) }),
    panels: Schema.Array(
      Schema.Struct({
        id: Schema.Int,
        gridPos: Schema.Struct({ x: Schema.Int, y: Schema.Int, w: Schema.Int, h: Schema.Int }),
        targets: Schema.optionalKey(Schema.Array(Target))
      })
    )
  })
)

const dashboard = Schema.decodeUnknownSync(Dashboard)(
  readFileSync(join(import.meta.dirname, "../../examples/grafana/signalbox.json"), "utf8")
)
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? [])

/** Reports more tokens than its worst case, so that there is an implausible attempt to count. */
const answer: DecisionCapability["decide"] = () =>
  Effect.succeed({
    verdicts: new Map([["calm", { weights: [1, 1] }]]),
    usage: { inputTokens: 10, outputTokens: 1_000_000 },
    method: "native"
  })
let isStalled = false
const immodest: DecisionCapability = {
  decide: (call) => (isStalled ? Effect.never : answer(call)),
  estimateWorstCase: () => ({ inputTokens: 10, outputTokens: 2 })
}

/** The labels of each sample, by its name. */
const labels = new Map<string, Set<string>>()

beforeAll(async () => {
  const instance = await Signalbox.make({
    stores: sqlite({ path: ":memory:" }),
    upstreams: [
      { slug: "one", name: "One", decisions: immodest },
      { slug: "two", name: "Two", decisions: { ...immodest, decide: answer } }
    ],
    strategy: { name: "first", first: ({ contenders }) => contenders[0]! },
    hedging: {},
    models: [
      {
        id: "a/b",
        endpoints: [
          { provider: "one", price: { prompt: "0.0000001", completion: "0.0000001" } },
          { provider: "two", price: { prompt: "0.0000002", completion: "0.0000002" } }
        ]
      }
    ]
  })
  const decide = (cache = false) =>
    instance.decide(
      {
        model: "a/b",
        state: "the sea",
        questions: { calm: { type: "noul", instructions: "Is it calm?" } },
        provider: { hedge: true }
      },
      { cache }
    )
  for (let count = 0; count < 20; count++) await decide()
  for (let count = 0; count < 2; count++) await decide(true)
  // The next one has a second attempt, which answers.
  isStalled = true
  await decide()
  for (const [, name = "", set = ""] of (await instance.metrics()).matchAll(
    /^(signalbox_\w+)(?:\{(.*)\})? /gm
  )) {
    const known = labels.get(name) ?? new Set()
    labels.set(name, known)
    for (const [, label = ""] of set.matchAll(/(\w+)="/g)) known.add(label)
  }
  await instance.close()
})

const listMetrics = (text: string): ReadonlyArray<string> => text.match(/signalbox_\w+/g) ?? []

test("every metric that the dashboard names exists, and no other one is missing", () => {
  const named = new Set(listMetrics(JSON.stringify([targets, dashboard.templating])))
  expect(Array.from(named).toSorted()).toEqual(Array.from(labels.keys()).toSorted())
})

test.each(targets)("the metrics of $expr have its labels", ({ expr, legendFormat }) => {
  // Prometheus adds the process.
  const known = new Set(["instance"])
  for (const name of listMetrics(expr)) for (const label of labels.get(name) ?? []) known.add(label)
  const used = [
    ...Array.from(expr.matchAll(/by \(([^)]*)\)/g), ([, list = ""]) => list.split(", ")),
    ...Array.from(expr.matchAll(/(\w+)(?:=~|!=|=)"/g), ([, label = ""]) => [label]),
    ...Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = ""]) => [label])
  ].flat()
  expect(used.filter((label) => !known.has(label))).toEqual([])
})

test("no two panels overlap", () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)}, ${y + Math.floor(at / w)}`)
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})
