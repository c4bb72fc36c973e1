import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { findCallback, PkceFields } from "../../../src/domains/pkce/PkceOptions.ts"

const listed = [
  "https://app.example/callback?from=signalbox",
  "http://127.0.0.1/callback",
  "http://[::1]",
  "http://localhost:1234/done?x=1",
  "com.example.app:/callback"
]

describe("a callback address", () => {
  for (const [requested, place] of [
    ["https://app.example/callback?from=signalbox", 1],
    ["http://127.0.0.1/callback", 2],
    ["http://127.0.0.1:51004/callback", 2],
    ["http://[::1]:80", 3],
    ["http://[::1]:80/", 3],
    ["http://localhost:9/done?x=1", 4],
    ["com.example.app:/callback", 5],
    ["https://app.example:443/callback?from=signalbox", undefined],
    ["https://app.example/callback", undefined],
    ["https://app.example/callback?from=signalbox&x=1", undefined],
    ["https://APP.example/callback?from=signalbox", undefined],
    ["https://app.example/callback/../callback?from=signalbox", undefined],
    ["https://app.example.evil.example/callback?from=signalbox", undefined],
    ["http://127.0.0.1:51004/callback/", undefined],
    ["http://127.0.0.1:51004/callback?x=1", undefined],
    ["http://127.0.0.1:0/callback", undefined],
    ["http://127.0.0.1:65536/callback", undefined],
    ["http://127.0.0.1:80@evil.example/callback", undefined],
    ["http://127.0.0.1.evil.example/callback", undefined],
    ["http://127.0.0.1:8080#/callback", undefined],
    ["http://localhost/callback", undefined],
    ["http://localhost\\@evil.example/done?x=1", undefined],
    ["https://127.0.0.1/callback", undefined],
    ["https://app.example\uff0fcallback?from=signalbox", undefined],
    ["https://\u0430pp.example/callback?from=signalbox", undefined],
    ["https://xn--pp-6kc.example/callback?from=signalbox", undefined],
    ["https://app.example%2eevil.example/callback?from=signalbox", undefined],
    ["https://app.example/callback?from=signalbox#x", undefined],
    ["https://ada@app.example/callback?from=signalbox", undefined],
    [" https://app.example/callback?from=signalbox", undefined],
    ["http://127.0.0.1:80\n/callback", undefined],
    ["http://127.0.0.1:\uff18\uff10/callback", undefined],
    ["http://127.0.0.1:8080/callback#x", undefined],
    ["http://127.1/callback", undefined],
    ["http://2130706433/callback", undefined],
    ["http://[::ffff:127.0.0.1]/callback", undefined],
    ["com.example.app:/callback/../other", undefined],
    ["com.example.app://evil.example/callback", undefined],
    ["", undefined]
  ] as const) {
    it(`${requested} is ${place === undefined ? "refused" : `number ${place}`}`, () => {
      assert.strictEqual(findCallback(listed, requested), place)
    })
  }

  const decode = Schema.decodeUnknownResult(PkceFields)
  for (const [address, isRight] of [
    ["https://app.example", true],
    ["http://localhost", true],
    ["com.example.app:/oauth2redirect/example-provider", true],
    ["http://app.example/callback", false],
    ["http://localhost.example/callback", false],
    ["https://app.example/#here", false],
    ["https://user:word@app.example/", false],
    ["https://user@app.example/", false],
    ["javascript:alert(1)", false],
    ["JavaScript:alert(1)", false],
    ["data:text/html,hello", false],
    ["/callback", false],
    ["https://app.example/a b", false]
  ] as const) {
    it(`${address} ${isRight ? "may" : "may not"} be listed`, () => {
      assert.strictEqual(decode({ callbackUrls: [address] })._tag === "Success", isRight)
    })
  }
})
