/** The catalog as the unmodified reference client reads it, behind every host. */
import { readFileSync } from "node:fs"
import * as errors from "@openrouter/sdk/models/errors"
import type { GetModelsRequest } from "@openrouter/sdk/models/operations"
import { parseModelList } from "@signalbox/core/upstream"
import { describe, expect, test } from "vitest"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import { CatalogTestServer, catalogKeys } from "./CatalogTestServer.ts"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { otherModels, textModels } from "./catalogFixture.ts"

const hosts = pickHosts(import.meta.filename)

type Parameter = Exclude<keyof GetModelsRequest, "httpReferer" | "appTitle" | "appCategories">

/** A value of the parameter, and the ids it selects, in order. */
type ParameterCases<P extends Parameter> = ReadonlyArray<
  readonly [NonNullable<GetModelsRequest[P]>, ...ReadonlyArray<string>]
>

/** The type fails to compile when a parameter of the client is missing. */
const parameterCases: { readonly [P in Parameter]: ParameterCases<P> } = {
  offset: [[3, "bolt/delta", "corp/epsilon"]],
  limit: [[2, "acme/alpha", "acme/beta"]],
  category: [
    ["programming", "acme/alpha", "acme/beta"],
    ["legal", "acme/beta"],
    ["marketing/seo", "bolt/gamma"]
  ],
  supportedParameters: [
    ["tools", "acme/alpha", "acme/beta"],
    ["temperature,tools", "acme/alpha"]
  ],
  outputModalities: [
    ["image", "acme/picture"],
    ["video, decisions", "acme/judge", "bolt/film"],
    ["all", ...textModels, ...otherModels]
  ],
  inputModalities: [["image", "acme/beta"], ["text,file", "bolt/gamma"], ["image,file"]],
  sort: [
    ["pricing-low-to-high", "bolt/gamma", "acme/beta", "acme/alpha", "bolt/delta", "corp/epsilon"],
    ["pricing-high-to-low", "bolt/delta", "acme/alpha", "acme/beta", "bolt/gamma", "corp/epsilon"],
    ["context-high-to-low", "bolt/gamma", "acme/beta", "acme/alpha", "bolt/delta", "corp/epsilon"],
    [
      "throughput-high-to-low",
      "acme/beta",
      "bolt/gamma",
      "acme/alpha",
      "bolt/delta",
      "corp/epsilon"
    ],
    ["latency-low-to-high", "bolt/gamma", "acme/alpha", "acme/beta", "bolt/delta", "corp/epsilon"],
    ["coding-high-to-low", "bolt/gamma", "acme/beta", "acme/alpha", "bolt/delta", "corp/epsilon"],
    ["agentic-high-to-low", "acme/alpha", "bolt/gamma", "acme/beta", "bolt/delta", "corp/epsilon"],
    [
      "design-arena-elo-high-to-low",
      "acme/beta",
      "bolt/gamma",
      "acme/alpha",
      "bolt/delta",
      "corp/epsilon"
    ]
  ],
  q: [
    ["gamma", "bolt/gamma"],
    ["ONE acme/al", "acme/alpha"]
  ],
  context: [[32_000, "acme/beta", "bolt/gamma"]],
  minPrice: [[2, "acme/beta", "bolt/delta"]],
  maxPrice: [
    [1, "acme/alpha", "bolt/gamma"],
    [0, "bolt/gamma"]
  ],
  minOutputPrice: [[4, "acme/alpha", "bolt/delta"]],
  maxOutputPrice: [[2, "acme/beta", "bolt/gamma"]],
  arch: [
    ["GPT", "acme/alpha", "bolt/gamma"],
    ["sage", "acme/alpha", "acme/beta"]
  ],
  modelAuthors: [["bolt,corp", "bolt/gamma", "bolt/delta", "corp/epsilon"]],
  providers: [
    ["First", "acme/alpha", "bolt/gamma"],
    ["Second House, first/eu", "acme/alpha", "acme/beta", "bolt/gamma"]
  ],
  distillable: [
    ["true", "acme/alpha", "bolt/gamma"],
    ["false", "acme/beta", "bolt/delta", "corp/epsilon"]
  ],
  zdr: [["true", "acme/alpha", "bolt/delta"]],
  region: [
    ["eu", "bolt/gamma"],
    ["us", "acme/alpha", "bolt/delta"]
  ],
  minAgeDays: [[25, "bolt/gamma", "bolt/delta", "corp/epsilon"]],
  maxAgeDays: [[25, "acme/alpha", "acme/beta"]],
  minIntelligenceIndex: [[50, "acme/alpha", "acme/beta"]],
  maxIntelligenceIndex: [[50, "acme/beta", "bolt/gamma"]],
  minCodingIndex: [[20.6, "acme/beta", "bolt/gamma"]],
  maxCodingIndex: [[20.5, "acme/alpha"]],
  minAgenticIndex: [[25, "acme/alpha", "bolt/gamma"]],
  maxAgenticIndex: [[25, "acme/beta", "bolt/gamma"]],
  minToolSuccessRate: [[0.9, "acme/alpha", "acme/beta"]],
  maxToolSuccessRate: [[0.9, "acme/beta", "bolt/gamma"]]
}

const cases = Object.entries(parameterCases).flatMap(([parameter, rows]) =>
  rows.map(([value, ...ids]) => ({ parameter, value, ids }))
)

const toQueryName = (parameter: string): string =>
  parameter.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const toIds = (models: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  models.map(({ id }) => id)

const decisionQuestions = { questions: { ok: { type: "noul", instructions: "Is it?" } } } as const

describe.each(hosts)("the catalog in the reference client, against $name", (host) => {
  test("applies every filter", async () => {
    await using server = await CatalogTestServer.start({ host })
    const sent: Array<URL> = []
    const { models } = makeClient(server, catalogKeys.member, (url) => sent.push(url))
    expect(toIds((await models.list()).result.data)).toEqual(textModels)
    expect(sent.pop()?.search).toBe("")
    for (const { ids, parameter, value } of cases) {
      const { result } = await models.list({ [parameter]: value })
      const asked = sent.pop()?.searchParams.get(toQueryName(parameter))
      expect({ parameter, asked, ids: toIds(result.data) }).toEqual({
        parameter,
        asked: String(value),
        ids
      })
      expect(ids).not.toEqual(textModels)
      expect(result.totalCount).toBe(
        parameter === "offset" || parameter === "limit" ? textModels.length : ids.length
      )
    }
  })

  test("combines filters, and returns an empty list when nothing matches", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { models } = makeClient(server, catalogKeys.member)
    const both = await models.list({ arch: "GPT", maxPrice: 1, sort: "pricing-low-to-high" })
    expect(toIds(both.result.data)).toEqual(["bolt/gamma", "acme/alpha"])
    const none = await models.list({ category: "legal", region: "eu" })
    expect(none.result).toEqual({ data: [], totalCount: 0, links: { next: null } })
  })

  test("sorts by measured performance once there are measurements", async () => {
    await using server = await CatalogTestServer.start({ host })
    for (const state of ["x".repeat(2_000), "x"]) {
      const model = state === "x" ? "corp/epsilon" : "bolt/delta"
      await server.instance.decide({ model, state, ...decisionQuestions })
    }
    const { models } = makeClient(server, catalogKeys.member)
    for (const sort of ["most-popular", "top-weekly"] as const) {
      expect(toIds((await models.list({ sort })).result.data)).toEqual([
        "bolt/delta",
        "corp/epsilon",
        "acme/alpha",
        "acme/beta",
        "bolt/gamma"
      ])
    }
    const newest = await models.list({ sort: "newest" })
    expect(toIds(newest.result.data)).toEqual(textModels)
    const cleverest = await models.list({ sort: "intelligence-high-to-low" })
    expect(toIds(cleverest.result.data)).toEqual(textModels)
  })

  test("pages through the whole list, with each model once and in order", async () => {
    await using server = await CatalogTestServer.start({ host })
    const sent: Array<URL> = []
    const { models } = makeClient(server, catalogKeys.member, (url) => sent.push(url))
    const read = async (request: GetModelsRequest) => {
      const pages: Array<ReadonlyArray<string>> = []
      for await (const { result } of await models.list(request)) {
        pages.push(toIds(result.data))
        expect(result.totalCount).toBe(
          request.outputModalities === "all" ? textModels.length + 3 : textModels.length
        )
      }
      return pages
    }
    expect(await read({ limit: 2 })).toEqual([
      textModels.slice(0, 2),
      textModels.slice(2, 4),
      textModels.slice(4)
    ])
    expect(sent.map(({ searchParams }) => searchParams.get("offset"))).toEqual(["0", "2", "4"])
    // After a full last page, the client requests one more.
    const all = await read({ limit: 4, outputModalities: "all" })
    expect(all.flat()).toEqual([...textModels, ...otherModels])
    expect(await read({ limit: 1_000 })).toEqual([textModels])
  })

  test.each([
    [
      "/models",
      "limit=1&providers=First%2C+Third&zdr=true&output_modalities=all",
      [["acme/alpha"], ["bolt/delta"], ["acme/judge"]]
    ],
    ["/models", "limit=3", [textModels.slice(0, 3), textModels.slice(3)]],
    ["/models", "offset=1&limit=4", [textModels.slice(1)]],
    ["/models", "offset=2", [textModels.slice(2)]],
    ["/models", "offset=9&limit=1", [[]]],
    [
      "/models/user",
      "limit=4&output_modalities=text%2Cimage",
      [textModels.slice(0, 4), ["corp/epsilon", "acme/picture"]]
    ]
  ])(
    "returns the path of the next page of %s?%s until the last page",
    async (path, query, pages) => {
      await using server = await CatalogTestServer.start({ host })
      const root = `${server.mount}/api/v1`
      const walked: Array<ReadonlyArray<string>> = []
      let next: string | null = `${root}${path}?${query}`
      while (next !== null) {
        expect(next.startsWith(`${root}${path}?`)).toBe(true)
        const { body } = await server.ask(next.slice(root.length))
        walked.push(toIds(getProperty(body, "data") as ReadonlyArray<{ readonly id: string }>))
        next = getProperty(getProperty(body, "links"), "next") as string | null
      }
      expect(walked).toEqual(pages)
    }
  )

  test("counts models", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { models } = makeClient(server, catalogKeys.member)
    expect((await models.count()).data.count).toBe(5)
    expect((await models.count({ outputModalities: "image,decisions" })).data.count).toBe(2)
    expect((await models.count({ outputModalities: "all" })).data.count).toBe(8)
  })

  test.each([
    ["its slug", "acme", "alpha", "acme/alpha"],
    ["its slug with a suffix", "acme", "alpha:nitro", "acme/alpha"],
    ["its canonical slug", "acme", "alpha-20260101", "acme/alpha"],
    ["its alias", "~acme", "sage-latest", "~acme/sage-latest"],
    ["its alias with a suffix", "~acme", "sage-latest:floor", "~acme/sage-latest"],
    ["the slug of its variant, hidden as it is", "bolt", "gamma:free", "bolt/gamma:free"]
  ])("returns a model by %s", async (_, author, slug, id) => {
    await using server = await CatalogTestServer.start({ host })
    const sent: Array<URL> = []
    const client = makeClient(server, catalogKeys.member, (url) => sent.push(url))
    const { data } = await client.models.get({ author, slug })
    expect(data.id).toBe(id)
    expect(sent[0]?.pathname.includes("%3A")).toBe(slug.includes(":"))
    const asIs = await server.ask(`/model/${author}/${slug}`)
    expect(getProperty(getProperty(asIs.body, "data"), "id")).toBe(id)
    expect(data.aliasTarget).toEqual(
      author === "~acme" ? { name: "Alpha One", slug: "acme/alpha" } : undefined
    )
    const endpoints = await client.endpoints.list({ author, slug })
    const providersOfAlpha = ["First", "Second House"]
    expect(endpoints.data.endpoints.map(({ providerName }) => providerName)).toEqual(
      author === "bolt" ? ["Third"] : providersOfAlpha
    )
    const details = await server.ask(data.links.details.replace(`${server.mount}/api/v1`, ""))
    expect(details.status).toBe(200)
  })

  test("returns a typed error for an unknown model", async () => {
    await using server = await CatalogTestServer.start({ host })
    const client = makeClient(server, catalogKeys.member)
    for (const [author, slug] of [
      ["acme", "omega"],
      ["acme", "alpha:turbo"],
      ["~acme", "alpha-latest"],
      ["Acme", "alpha"],
      ["__proto__", "constructor"]
    ] as const) {
      for (const failing of [
        client.models.get({ author, slug }),
        client.endpoints.list({ author, slug })
      ]) {
        const failed: unknown = await failing.catch((error: unknown) => error)
        expect(failed).toBeInstanceOf(errors.NotFoundResponseError)
        expect(getProperty(getProperty(failed, "error"), "code")).toBe(404)
        expect(getProperty(getProperty(failed, "error"), "message")).toContain(`${author}/${slug}`)
      }
    }
  })

  test("lists only the models that a caller may use", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { models } = makeClient(server, "")
    const of = async (bearer: string, request = {}) => {
      const { result } = await models.listForUser({ bearer }, request)
      return [result.totalCount, ...toIds(result.data)]
    }
    expect(await of(catalogKeys.member)).toEqual([5, ...textModels])
    expect(await of(catalogKeys.narrow)).toEqual([2, "acme/alpha", "bolt/gamma"])
    expect(await of(catalogKeys.strict)).toEqual([2, "acme/alpha", "bolt/delta"])
    expect(await of(catalogKeys.strict, { outputModalities: "decisions" })).toEqual([
      1,
      "acme/judge"
    ])
    const pages: Array<string> = []
    for await (const { result } of await models.listForUser(
      { bearer: catalogKeys.narrow },
      { limit: 1 }
    )) {
      pages.push(...toIds(result.data))
    }
    expect(pages).toEqual(["acme/alpha", "bolt/gamma"])
    const failed: unknown = await of("sk-nobody").catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(errors.UnauthorizedResponseError)
  })

  test("lists the endpoints of a model with their prices", async () => {
    await using server = await CatalogTestServer.start({ host })
    const client = makeClient(server, catalogKeys.member)
    const { data } = await client.endpoints.list({ author: "acme", slug: "alpha" })
    expect(data).toMatchObject({ id: "acme/alpha", name: "Alpha One" })
    expect(data.endpoints).toMatchObject([
      {
        name: "First | acme/alpha",
        tag: "first",
        quantization: "fp8",
        contextLength: 8_000,
        maxPromptTokens: 7_000,
        maxCompletionTokens: 1_000,
        supportsImplicitCaching: true,
        supportedParameters: ["tools", "tool_choice", "parallel_tool_calls", "temperature"],
        pricing: { prompt: "0.000001", completion: "0.000004", inputCacheRead: "0.0000001" },
        status: 0,
        uptimeLast5m: null
      },
      { tag: "second/flex", pricing: { prompt: "0.0000005" } }
    ])
  })

  test("lists the endpoints with zero data retention", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { data } = await makeClient(server, catalogKeys.member).endpoints.listZdrEndpoints()
    expect(data.map(({ modelId, tag }) => [modelId, tag])).toEqual([
      ["acme/alpha", "first"],
      ["bolt/delta", "third"],
      ["acme/judge", "first"]
    ])
  })

  test("lists the providers", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { data } = await makeClient(server, catalogKeys.member).providers.list()
    expect(data.map(({ name, slug }) => [name, slug])).toEqual([
      ["First", "first"],
      ["Second House", "second"],
      ["Third", "third"]
    ])
    expect(data[0]).toMatchObject({
      privacyPolicyUrl: "https://first.example/privacy",
      statusPageUrl: "https://first.example/status",
      headquarters: "CH",
      datacenters: ["CH", "DE"]
    })
    expect(data[1]).toMatchObject({ privacyPolicyUrl: null, headquarters: null, datacenters: null })
  })

  test("lists the video models", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { data } = await makeClient(server, catalogKeys.member).videoGeneration.listVideosModels()
    expect(data).toMatchObject([
      {
        id: "bolt/film",
        name: "Film",
        supportedDurations: [4, 8],
        upscaleFactor: { min: 1, max: 4 },
        allowedPassthroughParameters: ["style"],
        pricingSkus: { per_video_second: "0.1" }
      }
    ])
  })

  test("requires a key", async () => {
    await using server = await CatalogTestServer.start({ host })
    const client = makeClient(server, "sk-nobody")
    const asked = [
      client.models.list(),
      client.models.count(),
      client.models.get({ author: "acme", slug: "alpha" }),
      client.endpoints.list({ author: "acme", slug: "alpha" }),
      client.endpoints.listZdrEndpoints(),
      client.providers.list(),
      client.videoGeneration.listVideosModels()
    ]
    for (const settled of await Promise.allSettled<unknown>(asked)) {
      expect(settled.status).toBe("rejected")
      expect(getProperty(settled, "reason")).toHaveProperty("statusCode", 401)
    }
  })
})

describe("a catalog with more models than fit on a page", () => {
  const models = Array.from({ length: 1_203 }, (_, place) => ({
    id: `acme/model-${place}`,
    created: 1_790_000_000 - place,
    endpoints: [{ provider: "first", price: {} }]
  }))
  const ids = models.map(({ id }) => id)

  test("is listed whole, or in pages of 500 when a client sets no limit", async () => {
    await using server = await CatalogTestServer.start({ models })
    const sizes: Array<number> = []
    const client = makeClient(server, catalogKeys.member).models
    expect(toIds((await client.list()).result.data)).toEqual(ids)
    const read: Array<string> = []
    for await (const { result } of await client.list({ offset: 0 })) {
      sizes.push(result.data.length)
      read.push(...toIds(result.data))
    }
    expect(sizes).toEqual([500, 500, 203])
    expect(read).toEqual(ids)
    expect(await server.listIds("/models?offset=200")).toEqual(ids.slice(200, 700))
    expect(await server.listIds("/models?limit=1000")).toEqual(ids.slice(0, 1_000))
  })
})

describeWithReference("a catalog imported from the public model list", (pathOf) => {
  test("is read completely by the reference client", async () => {
    const listed: unknown = JSON.parse(readFileSync(pathOf("data/models-snapshot.json"), "utf8"))
    const models = parseModelList(listed, { servedBy: { provider: "first" } })
    await using server = await CatalogTestServer.start({ models })
    const client = makeClient(server, catalogKeys.member)
    const read: Array<string> = []
    for await (const { result } of await client.models.list({
      outputModalities: "all",
      limit: 50
    })) {
      read.push(...toIds(result.data))
    }
    expect(read).toEqual(toIds(models))
    expect(read.length).toBeGreaterThan(300)
  })
})
