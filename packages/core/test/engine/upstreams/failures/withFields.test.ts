import { expect, it } from "vitest"
import {
  UpstreamFailure,
  withFields
} from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"

const facts = {
  kind: "credential_refused",
  status: 401,
  phase: "headers",
  retryAfterMillis: 1_500,
  isCredentialRenewed: true,
  detail: "expired",
  usage: { inputTokens: 2, outputTokens: 0 }
} as const

it("keeps every other field", () => {
  expect(withFields(new UpstreamFailure(facts), { detail: "redacted" })).toStrictEqual(
    new UpstreamFailure({ ...facts, detail: "redacted" })
  )
})

it("adds no field that neither has", () => {
  const changed = withFields(new UpstreamFailure({ kind: "timeout" }), { phase: "total" })
  expect(Object.keys(changed)).toStrictEqual(["_tag", "kind", "phase"])
})
