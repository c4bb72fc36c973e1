import * as Headers from "effect/http/Headers"
import { assert, describe, it } from "vitest"
import { findHostname } from "../../../src/api/server/IncomingRequest.ts"

describe("findHostname", () => {
  it.each([
    ["example.com", "example.com"],
    ["EXAMPLE.com", "example.com"],
    ["example.com:443", "example.com"],
    ["example.com.:443", "example.com"],
    ["example.com:", "example.com"],
    [" example.com ", "example.com"],
    ["[::1]:3000", "[::1]"],
    ["[::1]", "[::1]"],
    ["", ""]
  ])("reads %s as %s", (host, name) => {
    const headers = Headers.fromInput({ host })
    assert.strictEqual(findHostname({ headers, originalUrl: "/" }), name)
  })

  it("reads the :authority header of HTTP/2", () => {
    const headers = Headers.fromInput({ ":authority": "Example.com:8443" })
    assert.strictEqual(findHostname({ headers, originalUrl: "/" }), "example.com")
  })

  it("falls back to the URL of a request without either header", () => {
    const headers = Headers.empty
    assert.strictEqual(
      findHostname({ headers, originalUrl: "https://Example.com:8443/api?x=http://other" }),
      "example.com"
    )
    assert.isUndefined(findHostname({ headers, originalUrl: "/api?x=http://other" }))
  })
})
