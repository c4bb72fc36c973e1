import { assert, it } from "vitest"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { parseModelList } from "../../../src/engine/catalog/source/parseModelList.ts"
import * as Price from "../../../src/engine/catalog/endpoint/Price.ts"
import { describeWithReference } from "../../reference.ts"
import { toEndpointConfigs, type TableRow } from "./endpointTable.ts"
import { readModelList, readEndpointTable, makeUpstreams } from "./referenceCatalog.ts"

/** Every path at which two JSON values differ, and how: `pricing.image: added "0"`. */
const differences = (before: unknown, after: unknown, at = ""): ReadonlyArray<string> => {
  if (Object.is(before, after)) return []
  if (before === undefined) return [`${at}: added ${JSON.stringify(after)}`]
  if (after === undefined) return [`${at}: dropped`]
  if (!isBranch(before) || !isBranch(after)) {
    return [`${at}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`]
  }
  return Array.from(new Set([...Object.keys(before), ...Object.keys(after)])).flatMap((name) =>
    differences(before[name], after[name], at === "" ? name : `${at}.${name}`)
  )
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const countEach = (all: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const each of all) counts[each] = (counts[each] ?? 0) + 1
  return counts
}

describeWithReference("the reference list of models", (path) => {
  it("is unchanged after loading, with its omissions", () => {
    const list = readModelList(path)
    const { models } = Configuration.make(1, [], parseModelList(list))
    assert.strictEqual(models.length, 364)
    const changes = list.data.flatMap((entry, place) => differences(entry, models[place]!.card))
    assert.deepStrictEqual(countEach(changes), {
      'pricing.image: added "0"': 347,
      'pricing.request: added "0"': 364,
      // It has the parameters of its model.
      // Unknown limits are left out.
      "top_provider.context_length: dropped": 4,
      "top_provider.max_completion_tokens: dropped": 72,
      // The specification has text and integers there, and no null.
      'architecture.instruct_type: null became "none"': 311
    })
  })

  it("is unchanged when an upstream serves all of it at the stated prices", () => {
    const list = readModelList(path)
    const models = parseModelList(list, { servedBy: { provider: "reference" } })
    const configuration = Configuration.make(1, makeUpstreams(models), models)
    const endpoints = configuration.models.flatMap((model) => model.endpoints)
    assert.strictEqual(endpoints.length, 364)
    const changes = list.data.flatMap((entry, place) =>
      differences(entry, configuration.models[place]!.card)
    )
    assert.deepStrictEqual(countEach(changes), {
      'pricing.image: added "0"': 347,
      'pricing.request: added "0"': 364,
      // It has the parameters of its model.
      // The endpoint has the length of the model. Unknown limits are left out.
      "top_provider.context_length: null became 128000": 1,
      "top_provider.context_length: null became 200000": 1,
      "top_provider.context_length: null became 2000000": 2,
      "top_provider.max_completion_tokens: dropped": 72,
      // The specification has text and integers there, and no null.
      'architecture.instruct_type: null became "none"': 311
    })
    for (const [place, { price }] of endpoints.entries()) {
      assert.deepStrictEqual(
        differences(list.data[place]!.pricing, Price.toPriceList(price)).toSorted(),
        [
          ...("image" in list.data[place]!.pricing ? [] : ['image: added "0"']),
          'request: added "0"'
        ]
      )
    }
  })

  it("finds each model under its name and its canonical name", () => {
    const list = readModelList(path)
    const { resolve } = Configuration.make(1, [], parseModelList(list))
    for (const { canonical_slug, id } of list.data) {
      assert.strictEqual(resolve(id)?.model.id, id)
      // Variants share a canonical name, which finds one of them.
      assert.strictEqual(resolve(canonical_slug)?.model.card.canonical_slug, canonical_slug)
    }
  })
})

describeWithReference("the reference table of endpoints", (path) => {
  const load = () => {
    const table = readEndpointTable(path)
    const models = Object.entries(table).map(([id, lines]) => ({
      id,
      endpoints: toEndpointConfigs(lines)
    }))
    const upstreams = makeUpstreams(models)
    const configuration = Configuration.make(1, upstreams, models)
    const read = Object.values(table).flatMap((lines, place) =>
      lines.map((line, rank) => ({
        line,
        endpoint: configuration.models[place]!.endpoints[rank]!
      }))
    )
    return { configuration, lines: read.map(({ line }) => line), read, table }
  }

  it("is loaded completely", () => {
    const { configuration, read, table } = load()
    assert.strictEqual(configuration.models.length, 219)
    assert.strictEqual(configuration.models.length, Object.keys(table).length)
    assert.strictEqual(read.length, 1347)
    assert.strictEqual(
      configuration.models.flatMap(({ endpoints }) => endpoints).length,
      read.length
    )
    assert.strictEqual(new Set(read.map(({ endpoint }) => endpoint.provider)).size, 94)
    assert.strictEqual(new Set(read.map(({ endpoint }) => endpoint.id)).size, read.length)
    assert.strictEqual(
      Math.max(...configuration.models.map(({ endpoints }) => endpoints.length)),
      39
    )
    // Entries with several endpoints of one provider.
    assert.strictEqual(read.filter(({ endpoint }) => endpoint.tag.includes("/")).length, 61)
  })

  it("keeps prices to the last digit, and unstated ones unknown", () => {
    const { read } = load()
    const parts = [
      ["prompt", "input"],
      ["completion", "output"],
      ["input_cache_read", "cache_read"],
      ["input_cache_write", "cache_write"],
      ["internal_reasoning", "reasoning"],
      ["audio", "input_audio"],
      ["audio_output", "output_audio"]
    ] as const
    const paths: Array<string> = []
    for (const { endpoint, line } of read) {
      assert.strictEqual(Price.isKnown(endpoint.price), line.cost !== null)
      const list = Price.toPriceList(endpoint.price)
      for (const [part, name] of parts) {
        const perMillion = line.cost?.[name]
        if (perMillion === undefined) continue
        paths.push(part)
        // The list omits prices that are zero.
        assert.strictEqual(Number(`${list[part] ?? "0"}e6`), perMillion, `${endpoint.id} ${part}`)
        assert.notMatch(list[part] ?? "0", /e/i)
      }
    }
    assert.deepStrictEqual(countEach(paths), {
      prompt: 1286,
      completion: 1286,
      input_cache_read: 918,
      input_cache_write: 341,
      internal_reasoning: 17,
      audio: 31,
      audio_output: 2
    })
  })

  it("keeps limits, names and capabilities", () => {
    const { read } = load()
    for (const { endpoint, line } of read) {
      assert.strictEqual(endpoint.provider, line.provider)
      assert.strictEqual(endpoint.upstreamModel, line.model_id)
      assert.strictEqual(endpoint.contextLength ?? 0, line.limit.context)
      assert.strictEqual(endpoint.maxCompletionTokens ?? 0, line.limit.output)
      assert.strictEqual(endpoint.maxPromptTokens ?? 0, line.limit.input ?? 0)
      assert.strictEqual(endpoint.supportedParameters?.has("tools") ?? false, line.tool_call)
      assert.strictEqual(
        endpoint.supportedParameters?.has("structured_outputs") ?? false,
        line.structured_output === true
      )
    }
  })

  it("has only these unsupported fields", () => {
    const { lines } = load()
    assert.deepStrictEqual(countEach(lines.flatMap(listUnmappedFields)), {
      // Prices of long prompts: a card shows such overrides, but an endpoint does not.
      "cost.tiers": 121,
      "cost.cache_input": 2,
      // Omitted and denied promises are equal: nothing is promised.
      "structured_output: null": 510,
      "status: alpha": 1,
      "status: beta": 10,
      "status: deprecated": 26
    })
  })
})

/** Every field of a line that an endpoint supports. */
const mappedFields: ReadonlySet<string> = new Set([
  "provider",
  "model_id",
  ...["input", "output", "cache_read", "cache_write", "reasoning"].map((name) => `cost.${name}`),
  ...["input_audio", "output_audio"].map((name) => `cost.${name}`),
  ...["context", "output", "input"].map((name) => `limit.${name}`),
  "tool_call",
  "structured_output"
])

const listUnmappedFields = (line: TableRow): ReadonlyArray<string> => {
  const { cost, limit, status, structured_output, ...others } = line
  const names = [
    ...Object.keys(others),
    ...Object.keys(cost ?? {}).map((name) => `cost.${name}`),
    ...Object.keys(limit).map((name) => `limit.${name}`)
  ]
  return [
    ...names.filter((name) => !mappedFields.has(name)),
    ...(status === null ? [] : [`status: ${status}`]),
    ...(structured_output === null ? ["structured_output: null"] : [])
  ]
}
