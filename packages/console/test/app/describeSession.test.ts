import { assert, describe, it } from "vitest"
import {
  describeSession,
  joinNames,
  type SessionSummary
} from "../../app/pages/sessions/describeSession.ts"

const session: SessionSummary = {
  id: "s",
  workspace_id: "w",
  first_request_at: "2026-11-01T10:00:00.000Z",
  last_request_at: "2026-11-01T10:04:10.000Z",
  requests: 12,
  failed_requests: 1,
  cost: 0.0123,
  tokens: 3_400,
  models: ["demo/model"],
  model_count: 1,
  users: ["ada"],
  user_count: 1,
  external_users: ["of the request"],
  external_user_count: 1
}

describe("the sentence of a session", () => {
  it("says how many requests it had, in which time, what failed, and for whom", () => {
    assert.strictEqual(
      describeSession(session),
      "12 requests in 4 min 10 s, 1 of them failed: $0.0123 and 3,400 tokens, by demo/model, for ada."
    )
  })

  it("names the users of the requests where no user acted", () => {
    const sentence = describeSession({ ...session, failed_requests: 0, users: [], user_count: 0 })
    assert.match(sentence, /^12 requests in 4 min 10 s: .*, for of the request\.$/)
    const nobody = { users: [], user_count: 0, external_users: [], external_user_count: 0 }
    assert.match(describeSession({ ...session, ...nobody }), /by demo\/model\.$/)
  })

  it("is about one request, or about requests that all failed", () => {
    const one = { ...session, requests: 1, last_request_at: session.first_request_at }
    assert.match(describeSession({ ...one, failed_requests: 0 }), /^1 request: /)
    assert.match(describeSession(one), /^1 request, which failed: /)
    assert.match(describeSession({ ...session, failed_requests: 12 }), /, all of which failed: /)
  })

  it("has the first names, and how many others there are", () => {
    assert.strictEqual(joinNames(["a", "b", "c"], 3), "a, b and c")
    assert.strictEqual(joinNames(["a", "b", "c", "d"], 14), "a, b and 12 others")
    assert.strictEqual(joinNames([], 0), "")
  })
})
