import { assert, describe, it } from "vitest"
import { parseBearerToken } from "../../../src/tenants/auth/AuthenticationRequest.ts"

describe("parseBearerToken", () => {
  it.each([
    ["Bearer sk-one", "sk-one"],
    ["bearer sk-one", "sk-one"],
    ["BEARER   sk-one  ", "sk-one"],
    ["Bearer a.b/c+d=~_-", "a.b/c+d=~_-"]
  ])('of "%s" is "%s"', (header, token) => {
    assert.strictEqual(parseBearerToken(header), token)
  })

  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "sk-one",
    "Basic c2stb25l",
    " Bearer sk-one",
    "Bearer sk one",
    "Bearer sk-one, Bearer sk-two",
    "Bearersk-one"
  ])('of "%s" is none', (header) => {
    assert.isUndefined(parseBearerToken(header))
  })
})
