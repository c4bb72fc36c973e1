import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { renameScopeName } from "../../../src/domains/people/renameBounds.ts"
import { AccountId } from "../../../src/values/ids/Ids.ts"

const renaming = { account: AccountId.make("a"), pseudonym: "erased-1" } as const

describe("the name of a budget that is called after its scope", () => {
  it.each([
    ["external user ada", "external user erased-1"],
    [
      "customer=ada, model a/b, external user ada",
      "customer=erased-1, model a/b, external user erased-1"
    ],
    ["external user adamant", "external user adamant"],
    ["customer=adamant", "customer=adamant"],
    ["model ada", "model ada"],
    ["Budget of ada", "Budget of ada"]
  ])("names an external user no more: %s", (text, renamed) =>
    assert.strictEqual(
      renameScopeName(text, { ...renaming, kind: "external_user", name: "ada" }),
      renamed
    )
  )

  it("names a user in tags alone", () =>
    assert.strictEqual(
      renameScopeName("customer=ada, external user ada", {
        ...renaming,
        kind: "user",
        name: "ada"
      }),
      "customer=erased-1, external user ada"
    ))

  it("is renamed whatever the name is", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (name) =>
        assert.strictEqual(
          renameScopeName(`a=b, external user ${name}`, {
            ...renaming,
            kind: "external_user",
            name
          }),
          name === "b" ? "a=erased-1, external user erased-1" : "a=b, external user erased-1"
        )
      )
    )
  })
})
