import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { expect, it } from "vitest"
import { makeReferencePage } from "../../../src/http/reference/makeReferencePage.ts"

const renderPage = (mount: string): Promise<string> =>
  Effect.runPromise(
    makeReferencePage.pipe(
      Effect.flatMap((respond) => respond(mount)),
      Effect.flatMap((response) => Effect.promise(() => HttpServerResponse.toWeb(response).text()))
    )
  )

const countScriptTags = (page: string) => page.match(/<\/?script/gi)?.length

it("the reference page escapes the mount, so that it is never markup or code", async () => {
  const plain = await renderPage("/ai")
  for (const mount of [
    "/a</script><script>alert(1)</script>",
    '/"+alert(1)+"',
    "/a\\",
    "/<!--",
    "/'x'",
    "/a\u2028b",
    "/&quot;"
  ]) {
    const page = await renderPage(mount)
    expect(countScriptTags(page)).toBe(countScriptTags(plain))
    const [start = "", end = ""] = plain.split('"/ai"')
    const written = page.slice(start.length, page.length - end.length)
    expect(JSON.parse(written)).toBe(mount)
    expect(written).not.toMatch(/[<>&'\u2028]/)
  }
})
