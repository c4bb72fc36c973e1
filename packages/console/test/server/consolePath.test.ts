import { describe, expect, it } from "vitest"
import { findSlashRedirect, parseConsolePath } from "../../src/consolePath.ts"

describe("a path of the console", () => {
  it.each([
    ["GET", "/", "page"],
    ["HEAD", "?a=b", "page"],
    ["GET", "/session", "session"],
    ["GET", "/assets/a.js", "asset"],
    ["DELETE", "/api/v1/keys/x?y", "api"],
    ["GET", "/api/v1", "api"]
  ])("%s %s is %s", (method, path, part) => {
    expect(parseConsolePath(method, path)?.part).toBe(part)
  })

  it.each([
    ["POST", "/"],
    ["OPTIONS", "/api/v1/keys"],
    ["GET", "/api/v10"],
    ["GET", "/assets/"],
    ["GET", "/assets/../session"],
    ["GET", "/other"]
  ])("%s %s is left to the host", (method, path) => {
    expect(parseConsolePath(method, path)).toBeUndefined()
  })
})

it.each([
  ["/ai/console", "http://h/ai/console", "./console/"],
  ["/a:b", "/a:b?x=y", "./a:b/?x=y"],
  ["/console", "/console/", undefined],
  ["", "/", undefined]
])(
  "a page mounted at %j and requested as %s is redirected to %s",
  (mount, originalUrl, expected) => {
    expect(findSlashRedirect({ mount, originalUrl })).toBe(expected)
  }
)
