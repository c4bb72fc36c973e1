/** Caching and revalidation of the catalog with entity tags. */
import { describe, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { CatalogTestServer, catalogKeys } from "./CatalogTestServer.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { catalogFixture } from "./catalogFixture.ts"

const hosts = pickHosts(import.meta.filename)

const operations = [
  "/models",
  "/models?limit=2&sort=pricing-low-to-high",
  "/models?use_rss=true",
  "/models/count",
  "/models/user",
  "/model/acme/alpha",
  "/model/~acme/sage-latest",
  "/models/acme/alpha/endpoints",
  "/endpoints/zdr",
  "/providers",
  "/videos/models"
]

/** Paths outside the catalog that also answer GET. */
const otherOperations = ["/openapi.json", "/docs"]

const errorRequests = [
  ["/models?limit=0", catalogKeys.member, 400],
  ["/models", "sk-nobody", 401],
  ["/model/acme/omega", catalogKeys.member, 404]
] as const

/** The headers that do not vary with the connection, the time or the request. */
const omitVolatileHeaders = (headers: Readonly<Record<string, string>>) => {
  const { connection: _, date: __, "keep-alive": ___, "x-request-id": ____, ...rest } = headers
  return rest
}

/** An unknown entity tag. */
const unknownETag = '"another"'

describe.each(hosts)("the catalog of $name", (host) => {
  test("answers HEAD like GET, without the body", async () => {
    await using server = await CatalogTestServer.start({ host })
    for (const path of [...operations, ...otherOperations]) {
      const get = await server.ask(path)
      const head = await server.ask(path, { method: "HEAD" })
      expect(get.status).toBe(200)
      expect({ path, status: head.status, headers: omitVolatileHeaders(head.headers) }).toEqual({
        path,
        status: 200,
        headers: omitVolatileHeaders(get.headers)
      })
      expect(get.headers["content-length"]).toBe(String(Buffer.byteLength(get.text)))
      expect(get.text).not.toBe("")
      expect(head.text).toBe("")
    }
  })

  test("answers HEAD like GET when it rejects the request", async () => {
    await using server = await CatalogTestServer.start({ host })
    for (const [path, key, status] of errorRequests) {
      const get = await server.ask(path, { key })
      const head = await server.ask(path, { key, method: "HEAD" })
      expect(get.status).toBe(status)
      expect(head.status).toBe(status)
      expect(omitVolatileHeaders(head.headers)).toEqual(omitVolatileHeaders(get.headers))
      expect(head.text).toBe("")
      expect(get.headers).not.toHaveProperty("etag")
    }
  })

  test("answers 304 when the entity tag matches, and the whole list otherwise", async () => {
    await using server = await CatalogTestServer.start({ host })
    for (const path of operations) {
      const first = await server.ask(path)
      const etag = first.headers["etag"] ?? ""
      expect(etag).toMatch(/^"[^"]{20,}"$/)
      expect(first.headers["cache-control"]?.split(/, */)).toContain("private")
      for (const method of ["GET", "HEAD"]) {
        for (const same of [
          etag,
          `W/${etag}`,
          "*",
          `${unknownETag}, ${etag}`,
          `${unknownETag},W/${etag}`
        ]) {
          const response = await server.ask(path, { method, headers: { "if-none-match": same } })
          expect({ path, same, status: response.status }).toEqual({ path, same, status: 304 })
          expect(response.text).toBe("")
          expect(response.headers["etag"]).toBe(etag)
          expect(response.headers["cache-control"]).toBe(first.headers["cache-control"])
          expect(response.headers["vary"]).toBe(first.headers["vary"])
          expect(response.headers).not.toHaveProperty("content-type")
        }
      }
      for (const different of [unknownETag, etag.slice(1, -1), `${etag.slice(0, -1)}x"`, ""]) {
        const whole = await server.ask(path, { headers: { "if-none-match": different } })
        expect(whole.status).toBe(200)
        expect(whole.text).toBe(first.text)
      }
    }
  })

  test("rejects an unauthenticated client before it compares entity tags", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { headers } = await server.ask("/models")
    for (const tag of [headers["etag"] ?? "", "*"]) {
      const answer = await server.ask("/models", {
        key: "sk-nobody",
        headers: { "if-none-match": tag }
      })
      expect(parseErrorEnvelope(answer).code).toBe(401)
    }
  })

  test("gives equal content the same entity tag across instances and restarts", async () => {
    await using one = await CatalogTestServer.start({ host })
    await using other = await CatalogTestServer.start({ host })
    const tagsOf = async (server: CatalogTestServer) => {
      const answers = await Promise.all(operations.map((path) => server.ask(path)))
      return answers.map(({ headers }) => headers["etag"])
    }
    const tags = await tagsOf(one)
    expect(await tagsOf(other)).toEqual(tags)
    // An unrestricted caller gets the same list from both paths.
    expect(new Set(tags).size).toBe(operations.length - 1)
    await one.instance.replace({ models: [...catalogFixture] })
    expect(await tagsOf(one)).toEqual(tags)
  })

  test("returns a new entity tag and list as soon as the catalog is replaced", async () => {
    await using server = await CatalogTestServer.start({ host })
    const before = await server.ask("/models?sort=newest")
    const had = { headers: { "if-none-match": before.headers["etag"] ?? "" } }
    await server.instance.replace({ models: catalogFixture.filter(({ id }) => id !== "acme/beta") })
    const after = await server.ask("/models?sort=newest", had)
    expect(after.status).toBe(200)
    expect(after.headers["etag"]).not.toBe(before.headers["etag"])
    expect(before.text).toContain('"id":"acme/beta"')
    expect(after.text).not.toContain('"id":"acme/beta"')
    await server.instance.replace({ models: catalogFixture })
    expect((await server.ask("/models?sort=newest", had)).status).toBe(304)
  })

  test("gives accounts with different restrictions different entity tags", async () => {
    await using server = await CatalogTestServer.start({ host })
    const { headers, text } = await server.ask("/models/user")
    const narrow = await server.ask("/models/user", {
      key: catalogKeys.narrow,
      headers: { "if-none-match": headers["etag"] ?? "" }
    })
    expect(narrow.status).toBe(200)
    expect(narrow.headers["etag"]).not.toBe(headers["etag"])
    expect(narrow.text.length).toBeLessThan(text.length)
  })
})
