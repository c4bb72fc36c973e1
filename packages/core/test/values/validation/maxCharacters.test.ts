import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { NewKey } from "../../../src/tenants/auth/keys/ApiKey.ts"
import { NewIntern } from "../../../src/domains/interns/InternRequest.ts"
import { hasAtMostCharacters } from "../../../src/values/validation/text.ts"
import { EndUser, SessionId, UserId } from "../../../src/values/ids/Ids.ts"
import { SecretWriteRequest } from "../../../src/domains/vaults/Secret.ts"
import { WorkspacePatch } from "../../../src/tenants/workspaces/WorkspaceFields.ts"

describe("hasAtMostCharacters", () => {
  it("counts code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(30), (text, most) => {
        assert.strictEqual(hasAtMostCharacters(text, most), Array.from(text).length <= most)
      })
    )
  })
})

const accepts = (schema: Schema.ConstraintDecoder<unknown>, value: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(value))

const intern = { name: "ada", workspace_id: "w" }

describe("a limit in characters", () => {
  it.each([
    ["session_id", 256, (text: string) => accepts(SessionId, text)],
    ["user", 256, (text: string) => accepts(EndUser, text)],
    ["user id", 256, (text: string) => accepts(UserId, text)],
    ["name of a key", 200, (name: string) => accepts(NewKey, { name })],
    [
      "description of a workspace",
      4_096,
      (description: string) => accepts(WorkspacePatch, { description })
    ],
    [
      "description of an intern",
      2_000,
      (description: string) => accepts(NewIntern, { ...intern, description })
    ],
    [
      "instructions of an intern",
      100_000,
      (instructions: string) => accepts(NewIntern, { ...intern, instructions })
    ],
    [
      "value in a vault",
      65_536,
      (value: string) => accepts(SecretWriteRequest, { value, hosts: ["a.example"] })
    ]
  ] as const)("counts an emoji of a %s once, up to %i", (_, most, isAccepted) => {
    assert.isTrue(isAccepted("🐂".repeat(most)))
    assert.isFalse(isAccepted("🐂".repeat(most + 1)))
    assert.isFalse(isAccepted("x".repeat(most + 1)))
  })
})
