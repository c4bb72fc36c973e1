import { assert, describe, it } from "vitest"
import { isServedPath, matchRoute, operations } from "../../../src/api/server/routeTable.ts"

describe("matchRoute", () => {
  it.each(["/api/v1/%zz", "/api/v1/videos/%", "/api/v1/videos/%E0%A4%A", "/api/v1/videos/a%2"])(
    "matches no operation for the invalid percent-encoding %s",
    (path) => {
      assert.isUndefined(matchRoute("GET", path))
      assert.isTrue(isServedPath("GET", path))
    }
  )

  it("matches a path without a query like the same path with an empty one", () => {
    for (const { method, path } of operations) {
      for (const asked of [method, "HEAD", "PUT"]) {
        for (const each of [path, path.replaceAll(/:\w+/g, "some-id"), `${path}/`, `${path}x`]) {
          const plain = matchRoute(asked, each)
          const queried = matchRoute(asked, `${each}?`)
          assert.strictEqual(plain?.operation, queried?.operation)
          assert.deepEqual({ ...plain?.params }, { ...queried?.params })
          assert.deepEqual({ ...plain?.searchParams }, { ...queried?.searchParams })
        }
      }
    }
  })
})

describe("isServedPath", () => {
  it.each([
    ["GET", "/api/v1/models", true],
    ["GET", "/api/v1/nothing", true],
    ["DELETE", "/api/v1/models", true],
    ["GET", "/api/v1", true],
    ["GET", "/api/v1/", true],
    ["GET", "/api/v1?x=/", true],
    ["GET", "/api/v1/models;x=1", true],
    ["GET", "/api/alpha/nothing", true],
    // The host answers CORS preflights.
    ["OPTIONS", "/api/v1/models", false],
    ["GET", "/api/v10/models", false],
    ["GET", "/api/v2/models", false],
    ["GET", "/API/v1/models", false],
    ["GET", "/api//v1/models", false],
    ["GET", "/own?path=/api/v1/models", false],
    ["GET", "/", false]
  ] as const)("%s %s: %s", (method, path, expected) => {
    assert.strictEqual(isServedPath(method, path), expected)
  })
})
