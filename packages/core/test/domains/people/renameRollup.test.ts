import { assert, describe, it } from "@effect/vitest"
import { mayNamePerson, renameRollup } from "../../../src/domains/people/renameRollup.ts"
import { empty } from "../../../src/engine/observability/rollups/Measures.ts"
import { toPairValue } from "../../../src/values/Dimension.ts"

const toRollup = (...values: ReadonlyArray<string>) => ({
  values: new Map(values.map((value) => [value, empty]))
})

describe("renameRollup", () => {
  it("renames the user of a workspace, and not a workspace of that name", () => {
    const renaming = { name: "ada", pseudonym: "erased-1" }
    const rollup = toRollup(
      toPairValue("acme", "ada"),
      toPairValue("ada", "ben"),
      toPairValue("acme", "adam")
    )
    const renamed = renameRollup(rollup, "workspace,user", renaming)
    assert.deepStrictEqual(
      [...renamed.values.keys()],
      [toPairValue("acme", "erased-1"), toPairValue("ada", "ben"), toPairValue("acme", "adam")]
    )
    assert.strictEqual(renameRollup(renamed, "workspace,user", renaming), renamed)
  })

  it("is for figures of users in workspaces when the person is a user", () => {
    assert.isTrue(mayNamePerson("workspace,user", { kind: "user" }))
    assert.isFalse(mayNamePerson("workspace,user", { kind: "external_user" }))
  })
})
