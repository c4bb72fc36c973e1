/** Completes a request to an upstream by the headers of its signer. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Redactor } from "../../secrets/Redactor.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { runSigner, type Signature } from "./Signer.ts"
import { getRedactor, toLowerCase, type UpstreamRequest } from "./UpstreamRequest.ts"
import type { TransportRequest } from "./UpstreamTransport.ts"
import * as Step from "../../../values/Step.ts"

export interface SignedRequest {
  readonly signed: TransportRequest
  /** Redacts the secrets of the request and of its signature. */
  readonly redactor: Redactor
  /** Absent: the request has no signer. */
  readonly signature?: Signature
}

/** Signs at once, unless the signer or the bytes of a form have to be waited for. */
export const signRequest = (
  request: UpstreamRequest,
  unsigned: TransportRequest,
  { headersTimeoutMillis }: Pick<SettingsShape, "headersTimeoutMillis">,
  clock: Clock.Clock
): Effect.Effect<SignedRequest, UpstreamFailure> => {
  const { apiKey, signer } = request
  if (signer === undefined) {
    return Effect.succeed({ signed: unsigned, redactor: getRedactor(request) })
  }
  return Step.flatMap(toBytes(unsigned), (final) => {
    const { body, headers, method, url } = final
    return Step.map(
      runSigner(
        signer,
        { method, url, headers, body, nowMillis: clock.currentTimeMillisUnsafe() },
        { apiKey, timeoutMillis: headersTimeoutMillis }
      ),
      (signature) => ({
        signature,
        signed: { ...final, headers: { ...headers, ...toFields(signature) } },
        redactor: getRedactor(request, signature)
      })
    )
  })
}

const toFields = ({ headers, nonSecretHeaders = {} }: Signature) => ({
  ...toLowerCase(nonSecretHeaders),
  ...toLowerCase(headers)
})

type FinalRequest = TransportRequest & { readonly body: Uint8Array }

const toBytes = (request: TransportRequest): Effect.Effect<FinalRequest> => {
  const { body = noBytes } = request
  if (typeof body === "string") return Effect.succeed({ ...request, body: encoder.encode(body) })
  if (body instanceof Uint8Array) return Effect.succeed({ ...request, body })
  return Effect.promise(async () => {
    const form = new Response(body)
    const headers = {
      ...request.headers,
      "content-type": form.headers.get("content-type") ?? "multipart/form-data"
    }
    return { ...request, headers, body: new Uint8Array(await form.arrayBuffer()) }
  })
}

const encoder = new TextEncoder()
const noBytes = new Uint8Array()
