/** The OpenAPI document has the names, required fields and statuses of OpenRouter's API. */
import { readFileSync } from "node:fs"
import { assert, expect, it } from "vitest"
import { makeOpenApiDocument } from "../../../src/api/reference/makeOpenApiDocument.ts"
import { describeWithReference } from "../../reference.ts"

interface JsonSchema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly enum?: ReadonlyArray<string>
  readonly const?: string
}
interface Content {
  readonly content: Readonly<Record<"application/json", { readonly schema: JsonSchema }>>
}
interface Read {
  readonly parameters?: ReadonlyArray<{ readonly name?: string; readonly in?: string }>
  readonly responses: Readonly<Record<string, Content>>
}
/** Every operation may return these statuses. */
const commonStatuses = ["408", "409", "415", "429"]

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly get: Read
        readonly post: {
          readonly requestBody: Content
          readonly responses: Readonly<Record<string, Content>>
          readonly "x-spec-error-statuses"?: ReadonlyArray<number>
        }
      }
    >
  >
}

/** Lists the fields of a schema as paths such as `questions.*<noul>.criteria?.true`; `?` marks optional fields. */
const listFields = (
  document: Document,
  schema: JsonSchema,
  path = "",
  outer: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const { $ref } = schema
  if ($ref !== undefined) {
    // A schema that contains itself is listed once.
    if (outer.includes($ref)) return []
    const target = document.components.schemas[$ref.replace("#/components/schemas/", "")]
    return target === undefined
      ? [`${path} has no schema`]
      : listFields(document, target, path, [...outer, $ref])
  }
  const members = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  const each = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {}
  const kind = schema.properties?.["type"]
  const name = kind?.const ?? kind?.enum?.[0]
  const here = name === undefined ? path : `${path}<${name}>`
  return [
    ...members.flatMap((member) => listFields(document, member, path, outer)),
    ...(schema.items === undefined ? [] : listFields(document, schema.items, `${path}[]`, outer)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
      const field = `${here}.${key}${schema.required?.includes(key) === true ? "" : "?"}`
      return [field, ...listFields(document, property, field, outer)]
    }),
    ...(Object.keys(each).length === 0 ? [] : listFields(document, each, `${path}.*`, outer))
  ]
}

const sorted = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(lines)].toSorted()

/** What only this API has: each is optional. */
const isAdded = (field: string): boolean =>
  /^\.(?:calibration|escalate|models|provider\?\.hedge)\?/.test(field) ||
  field.endsWith(".prediction_set?") ||
  /\.prediction_set\?\[\]/.test(field)

describeWithReference("the OpenAPI document, compared with OpenRouter's", (path) => {
  const read = (): readonly [reference: Document, ours: Document] => [
    JSON.parse(readFileSync(path("wire/openapi.json"), "utf8")),
    JSON.parse(JSON.stringify(makeOpenApiDocument("")))
  ]
  const decisions = "/api/alpha/decisions"
  const requestOf = (document: Document): ReadonlyArray<string> =>
    sorted(
      listFields(
        document,
        document.paths[decisions]?.post.requestBody.content["application/json"].schema ?? {}
      )
    )
  const answerOf = (document: Document, status: string): ReadonlyArray<string> =>
    sorted(
      listFields(
        document,
        document.paths[decisions]?.post.responses[status]?.content["application/json"].schema ?? {}
      )
    )

  it("has the same request of a Decision, plus what is optional", () => {
    const [reference, ours] = read()
    const fields = requestOf(ours)
    expect(fields.filter((field) => !isAdded(field))).toEqual(requestOf(reference))
    expect(fields).toEqual(expect.arrayContaining([".calibration?", ".escalate?", ".models?"]))
    expect(requestOf(ours)).toContain(".questions.*<noul>.criteria?.true")
  })

  it("has the same response of a Decision, plus the metadata requested by header", () => {
    const [reference, ours] = read()
    const onRequest = [".openrouter_metadata?", ".service_metadata?"]
    const fields = answerOf(ours, "200")
    expect(fields.filter((field) => !isAdded(field))).toEqual(
      sorted([...answerOf(reference, "200"), ...onRequest])
    )
    expect(fields.filter(isAdded)).toHaveLength(3)
    expect(answerOf(ours, "200")).toContain(".answers.*<score>.legend?")
  })

  it("has the same error statuses and envelopes of a Decision", () => {
    const [reference, ours] = read()
    const statuses = reference.paths[decisions]?.post["x-spec-error-statuses"] ?? []
    expect(statuses).toHaveLength(12)
    expect(Object.keys(ours.paths[decisions]?.post.responses ?? {})).toEqual(
      sorted(["200", ...statuses.map(String), ...commonStatuses])
    )
    for (const status of statuses) {
      expect(answerOf(reference, String(status))).toEqual(
        expect.arrayContaining([...answerOf(ours, String(status))])
      )
    }
  })

  /** Parameters that the compared document lacks. */
  const feeds = ["use_rss", "use_rss_chat_links"]

  it.each([
    ["/models", feeds],
    ["/models/count", []],
    ["/models/user", []],
    ["/model/{author}/{slug}", []],
    ["/models/{author}/{slug}/endpoints", []],
    ["/endpoints/zdr", []],
    ["/providers", []],
    ["/videos/models", []],
    ["/key", []]
  ])("has the parameters, statuses and response of GET %s", (path, more) => {
    const [reference, ours] = read()
    const theirs = reference.paths[path]!.get
    const own = ours.paths[`/api/v1${path}`]!.get
    const namesIn = ({ parameters = [] }: Read, where: string): ReadonlyArray<string> =>
      sorted(
        parameters.flatMap(({ in: location, name = "" }) => (location === where ? [name] : []))
      )
    assert.deepStrictEqual(namesIn(own, "path"), namesIn(theirs, "path"))
    assert.deepStrictEqual(namesIn(own, "query"), sorted([...namesIn(theirs, "query"), ...more]))

    // Every operation authenticates, checks permissions and limits rates.
    const always = new Set(["401", "403", ...commonStatuses])
    const missing = Object.keys(theirs.responses).filter((status) => !(status in own.responses))
    // A list of the caller's models always exists, and a list without parameters has no invalid request.
    assert.deepStrictEqual(missing, unreachable[path] ?? [])
    const added = Object.keys(own.responses).filter((status) => !(status in theirs.responses))
    assert.deepStrictEqual(
      added.filter((status) => !always.has(status)),
      path === "/models/user" ? ["400"] : []
    )

    const answer = (document: Document, { responses }: Read): ReadonlyArray<string> =>
      sorted(listFields(document, responses["200"]!.content["application/json"].schema))
    const [had, has] = [
      answer(reference, theirs),
      new Set(answer(ours, own).map(stripOptionalMark))
    ]
    const required = had.filter((field) => !field.includes("?"))
    assert.isNotEmpty(required)
    assert.deepStrictEqual(
      required.filter((field) => !has.has(field)),
      []
    )
  })

  it("has the request fields and error statuses of POST /videos", () => {
    const [reference, ours] = read()
    const theirs = reference.paths["/videos"]!.post
    const own = ours.paths["/api/v1/videos"]!.post
    const listBodyFields = (document: Document, { requestBody }: typeof own) =>
      listFields(document, requestBody.content["application/json"].schema).map((field) =>
        stripOptionalMark(field).replaceAll(/<\w+>/g, "")
      )
    assert.includeMembers([...listBodyFields(ours, own)], [...listBodyFields(reference, theirs)])
    assert.deepStrictEqual(
      Object.keys(own.responses),
      sorted(["202", ...(theirs["x-spec-error-statuses"] ?? []).map(String), ...commonStatuses])
    )
  })

  it.each([
    ["", []],
    ["/content", ["416"]]
  ])("has the statuses of GET /videos/{jobId}%s", (below, more) => {
    const [reference, ours] = read()
    const theirs = Object.keys(reference.paths[`/videos/{jobId}${below}`]!.get.responses)
    const own = Object.keys(ours.paths[`/api/v1/videos/{jobId}${below}`]!.get.responses)
    assert.deepStrictEqual(own, sorted([...theirs, ...more, ...commonStatuses]))
  })

  it.each([
    ["post", "/interns", "201"],
    ["get", "/interns", "200"],
    ["get", "/interns/{internId}", "200"],
    ["patch", "/interns/{internId}", "200"],
    ["delete", "/interns/{internId}", "202"],
    ["post", "/interns/{internId}/provision", "202"],
    ["post", "/interns/{internId}/suspend", "200"]
  ] as const)("has the request, responses and statuses of %s %s", (method, path, status) => {
    const [reference, ours] = read()
    const [theirs, own] = [
      findOperation(reference, path, method),
      findOperation(ours, `/api/v1${path}`, method)
    ]
    for (const where of ["path", "query"]) {
      assert.deepStrictEqual(listParameterNames(own, where), listParameterNames(theirs, where))
    }
    assert.deepStrictEqual(
      listParameterNames(own, "header"),
      listParameterNames(theirs, "header").map((name) => name.toLowerCase())
    )
    assert.deepStrictEqual(listRequestFields(ours, own), listRequestFields(reference, theirs))
    assert.deepStrictEqual(
      sorted(Object.keys(own.responses)),
      sorted([...Object.keys(theirs.responses), ...commonStatuses])
    )
    for (const each of [status, ...Object.keys(theirs.responses)]) {
      const listBodyFields = (document: Document, { responses }: Operation) =>
        sorted(listFields(document, responses[each]!.content["application/json"].schema))
      assert.isNotEmpty(listBodyFields(ours, own))
      assert.deepStrictEqual(listBodyFields(ours, own), listBodyFields(reference, theirs))
    }
  })

  it.each(["/generation", "/credits"])("has every required response field of GET %s", (path) => {
    const [reference, ours] = read()
    const required = listResponseFields(reference, path).filter((field) => !field.includes("?"))
    assert.isNotEmpty(required)
    assert.includeMembers([...listResponseFields(ours, `/api/v1${path}`)], [...required])
  })
})

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name?: string; readonly in?: string }>
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

const listParameterNames = ({ parameters = [] }: Operation, where: string): ReadonlyArray<string> =>
  sorted(parameters.flatMap(({ in: place, name = "" }) => (place === where ? [name] : [])))

const listRequestFields = (document: Document, { requestBody }: Operation): ReadonlyArray<string> =>
  requestBody === undefined
    ? []
    : sorted(listFields(document, requestBody.content["application/json"].schema))

const findOperation = (document: Document, path: string, method: string): Operation => {
  const operations: Readonly<Record<string, Operation>> = document.paths[path]!
  return operations[method]!
}

const listResponseFields = (document: Document, at: string): ReadonlyArray<string> =>
  listFields(document, document.paths[at]!.get.responses["200"]!.content["application/json"].schema)

const stripOptionalMark = (field: string): string => field.replaceAll("?", "")

const unreachable: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/models/user": ["404"],
  "/videos/models": ["400"]
}
