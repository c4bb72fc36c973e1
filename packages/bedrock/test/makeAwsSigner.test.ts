import type { Signature, Signer, UnsignedRequest } from "@signalbox/core/upstream"
import { assert, describe, it } from "vitest"
import { type AwsCredentials, makeAwsSigner } from "../src/makeAwsSigner.ts"

const credentials: AwsCredentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
}
const scope = { region: "us-east-1", service: "service" }
const at = Date.UTC(2015, 7, 30, 12, 36)

const makeRequest = (rest: Partial<UnsignedRequest> = {}): UnsignedRequest => ({
  method: "GET",
  url: "https://example.amazonaws.com/",
  headers: {},
  body: new Uint8Array(),
  nowMillis: at,
  ...rest
})

const signWith = async (signer: Signer, rest?: Partial<UnsignedRequest>): Promise<Signature> => {
  const signature = signer(makeRequest(rest))
  return "then" in signature ? signature : assert.fail()
}
const readSignature = ({ headers }: Signature): string =>
  headers["authorization"]?.split("Signature=")[1] ?? ""

const refuse = (signer: Signer, signature: Signature, body: string, nowMillis = at) =>
  signer.renew?.({ signature, status: 403, body, nowMillis })

describe("makeAwsSigner", () => {
  it("signs as AWS's own test suite says (get-vanilla)", async () => {
    const signature = await signWith(makeAwsSigner({ ...scope, credentials }))
    assert.deepStrictEqual(signature, {
      headers: {
        authorization:
          "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
      },
      nonSecretHeaders: { "x-amz-date": "20150830T123600Z" }
    })
  })

  it("signs the body, the path and the time, but no header that a proxy may change", async () => {
    const signer = makeAwsSigner({ ...scope, credentials })
    const all: ReadonlyArray<Partial<UnsignedRequest>> = [
      {},
      { method: "POST" },
      { body: Buffer.from("x") },
      { url: "https://example.amazonaws.com/model/a:b" },
      { nowMillis: at + 1_000 }
    ]
    const signatures = await Promise.all(all.map((rest) => signWith(signer, rest)))
    assert.strictEqual(new Set(signatures.map(readSignature)).size, all.length)
    const other = await signWith(signer, { headers: { "user-agent": "x", traceparent: "y" } })
    assert.strictEqual(readSignature(other), readSignature(signatures[0]!))
  })

  it("sends the session token of temporary keys, which are fetched once", async () => {
    let fetches = 0
    const signer = makeAwsSigner({
      ...scope,
      credentials: async () => {
        fetches++
        return { ...credentials, sessionToken: "session", expiration: new Date(at + 3_600_000) }
      }
    })
    const [signature] = await Promise.all([signWith(signer), signWith(signer), signWith(signer)])
    assert.strictEqual(signature.headers["x-amz-security-token"], "session")
    assert.include(signature.headers["authorization"], "host;x-amz-date;x-amz-security-token")
    assert.strictEqual(fetches, 1)
    await signWith(signer, { nowMillis: at + 3_600_000 })
    assert.strictEqual(fetches, 2)
  })

  it("renews a signature that is too old, and keys that expired, but no others", async () => {
    let fetches = 0
    const provided = makeAwsSigner({
      ...scope,
      credentials: async () => ({ ...credentials, accessKeyId: `AK${++fetches}` })
    })
    const fixed = makeAwsSigner({ ...scope, credentials })
    const later = at + 60_000
    for (const signer of [provided, fixed]) {
      const signature = await signWith(signer)
      assert.isTrue(refuse(signer, signature, '{"message":"Signature expired: 2015 is earlier"}'))
      assert.isFalse(refuse(signer, signature, '{"Message":"not authorized to invoke"}', later))
      assert.isFalse(refuse(signer, signature, "", later))
    }
    const expired = '{"message":"The security token included in the request is expired"}'
    const signature = await signWith(provided)
    assert.isFalse(refuse(provided, signature, expired), "it was fetched only just now")
    assert.isTrue(refuse(provided, signature, expired, later))
    const next = await signWith(provided, { nowMillis: later })
    assert.include(next.headers["authorization"], "Credential=AK2/")
    const same = await signWith(fixed)
    assert.isFalse(refuse(fixed, same, expired, later), "the same keys would be refused again")
  })
})
