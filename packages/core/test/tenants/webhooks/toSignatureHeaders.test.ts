import * as Mac from "effect/crypto/Mac"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { createHmac, randomBytes } from "node:crypto"
import { Webhook } from "standardwebhooks"
import { assert, describe, it } from "vitest"
import { toSignatureHeaders } from "../../../src/tenants/webhooks/DeliverySender.ts"

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`

const body = JSON.stringify({ type: "video.generation.completed", data: { prompt: "日本 — 🚂" } })
const id = "gen-vid-1-abc-completed"

const sign = (secrets: ReadonlyArray<string>, timestamp = Math.floor(Date.now() / 1000)) =>
  Effect.runPromise(
    toSignatureHeaders({
      id,
      body,
      timestamp,
      secrets: secrets.map((each) => Redacted.make(each))
    }).pipe(Effect.provide(Mac.layerWebCrypto.pipe(Layer.provide(SecureRandom.layerWebCrypto))))
  )

/** Verifies like a receiver of the reference implementation. */
const toHex = (secret: string, timestamp: string): string =>
  createHmac("sha256", secret).update(`${timestamp},${body}`).digest("hex")

describe("toSignatureHeaders", () => {
  it("are accepted by a Standard Webhooks receiver with the secret, and by no other", async () => {
    const secret = newSecret()
    const headers = await sign([secret])
    assert.deepStrictEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
    assert.throws(() => new Webhook(newSecret()).verify(body, headers))
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
    assert.throws(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "other" }))
  })

  it("match those of the reference implementation", async () => {
    const secret = newSecret()
    const headers = await sign([secret], 1_767_225_600)
    assert.strictEqual(
      headers["x-openrouter-signature"],
      `t=1767225600,v1=${toHex(secret, "1767225600")}`
    )
    assert.strictEqual(headers["x-openrouter-idempotency-key"], id)
    assert.strictEqual(headers["webhook-id"], id)
    assert.strictEqual(headers["webhook-timestamp"], "1767225600")
  })

  it("are accepted with either secret during a rotation", async () => {
    const [before, after] = [newSecret(), newSecret()]
    const headers = await sign([before, after])
    for (const secret of [before, after]) {
      assert.deepStrictEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
      assert.include(
        headers["x-openrouter-signature"] ?? "",
        `,v1=${toHex(secret, headers["webhook-timestamp"] ?? "")}`
      )
    }
  })

  it("are absent without a secret", async () => {
    assert.deepStrictEqual(Object.keys(await sign([])), [
      "webhook-id",
      "webhook-timestamp",
      "x-openrouter-idempotency-key"
    ])
  })
})
