import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { expect, it } from "vitest"
import { contractOperations } from "../../../src/api/contractOperations.ts"
import { makeReferencePage } from "../../../src/api/reference/makeReferencePage.ts"

const getPage = (mount: string): Promise<Response> =>
  Effect.runPromise(
    makeReferencePage.pipe(
      Effect.flatMap((respond) => respond(mount)),
      Effect.map((response) => HttpServerResponse.toWeb(response))
    )
  )

const renderPage = async (mount: string): Promise<string> => (await getPage(mount)).text()

it("the reference page has neither scripts nor files, is small and may be cached", async () => {
  const response = await getPage("/ai")
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(response.headers.get("cache-control")).toBe("private, max-age=300")
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
  const page = await response.text()
  expect(page).not.toMatch(/<(?:script|link|img|iframe|object|form)\b|\son\w+=|javascript:/i)
  expect(Buffer.byteLength(page)).toBeLessThan(600_000)
})

it("the reference page has every operation with its path, parameters, statuses and an example", async () => {
  const page = await renderPage("/ai")
  for (const operation of contractOperations) {
    const path = `/ai${operation.path.replaceAll(/:(\w+)/g, "{$1}")}`
    expect(page).toContain(`<b>${operation.method}</b> <code>${path}</code>`)
  }
  const [, keys = ""] = page.split('<details id="keys.list">')
  const [list = ""] = keys.split("</details>")
  expect(list).toContain("<td><code>include_disabled</code><td>query<td>boolean")
  expect(list).toContain("integer (1 to 100)")
  for (const status of [200, 401, 500]) expect(list).toContain(`<h4>${status}</h4>`)
  expect(list).toContain(
    "curl &quot;$SIGNALBOX_URL&quot;&#39;/ai/api/v1/keys&#39; \\\n  -H &quot;authorization: Bearer"
  )
})

it("the links of the reference page lead to a place in it", async () => {
  const page = await renderPage("")
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter((link) => !ids.has(link))).toEqual([])
})

const countTags = (page: string) => page.match(/<\/?[a-z]/gi)?.length

it("the reference page escapes the mount, so that it is never markup or part of a command", async () => {
  const plain = await renderPage("/ai")
  for (const mount of [
    "/a</script><script>alert(1)</script>",
    '/"+alert(1)+"',
    "/a\\",
    "/<!--",
    "/'; rm x; '",
    "/&quot;"
  ]) {
    const page = await renderPage(mount)
    expect(countTags(page)).toBe(countTags(plain))
    expect(page).not.toContain("; rm x; &#39;")
    const link = / href="([^"]*)\/api\/v1\/openapi.json"/.exec(page)?.[1]
    expect(link).not.toMatch(/[<>"']/)
  }
})
