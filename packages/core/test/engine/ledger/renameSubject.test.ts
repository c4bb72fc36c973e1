import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { type Limit, toCounterKey } from "../../../src/engine/ledger/Limit.ts"
import * as Subject from "../../../src/engine/ledger/Subject.ts"
import { renameCounterKey, renameSubject } from "../../../src/engine/ledger/Subject.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"

const name = fc.constantFrom("ada", "bob", '","', "user", "member", "[", "é\\")
const toSpender = (account: string, workspace: string) => ({
  account: AccountId.make(account),
  workspace: WorkspaceId.make(workspace)
})

const toLimit = (account: string, subject: Subject.Subject): Limit => ({
  kind: "guardrail",
  id: JSON.stringify([account, "guardrail", subject]),
  subject,
  interval: "daily",
  window: "2026-11-01",
  endsAt: 1,
  cap: NanoUsd.zero,
  countsByok: false
})

/** The counter of the place of a value. */
const toKey = (account: string, user: string | null, tag: string) =>
  `budget daily 2026-11-01 all ${JSON.stringify([
    account,
    "budget",
    "place",
    JSON.stringify(["value", account, user, ["ada", tag]])
  ])}`

describe("subjects and counters of a renamed user", () => {
  it("are those that the next name has, and all others stay", () => {
    fc.assert(
      fc.property(name, name, name, name, name, (account, workspace, user, of, owner) => {
        const renaming = {
          account: AccountId.make(owner),
          kind: "user",
          name: of,
          pseudonym: "erased-1"
        } as const
        const spender = toSpender(account, workspace)
        const isTheirs = account === owner && user === of
        const next = UserId.make(isTheirs ? "erased-1" : user)
        for (const [before, after] of [
          [Subject.fromMember(spender, UserId.make(user)), Subject.fromMember(spender, next)],
          [Subject.fromUser(spender, UserId.make(user)), Subject.fromUser(spender, next)],
          [Subject.fromWorkspace(spender), Subject.fromWorkspace(spender)],
          [Subject.fromHost(spender), Subject.fromHost(spender)],
          [
            Subject.fromKey(KeyHash.make("a".repeat(64))),
            Subject.fromKey(KeyHash.make("a".repeat(64)))
          ]
        ] as const) {
          assert.strictEqual(renameSubject(before, renaming), after)
          assert.strictEqual(
            renameCounterKey(toCounterKey(toLimit(account, before)), renaming),
            toCounterKey(toLimit(account, after))
          )
        }
      })
    )
  })

  it("rename the values that a budget counts by themselves, of the account alone", () => {
    const renaming = { account: AccountId.make("a"), name: "ada", pseudonym: "b" }
    const asUser = { ...renaming, kind: "user" } as const
    const asExternal = { ...renaming, kind: "external_user" } as const
    assert.strictEqual(renameCounterKey(toKey("a", "ada", "ada"), asUser), toKey("a", "ada", "b"))
    assert.strictEqual(renameCounterKey(toKey("a", "ada", "ada"), asExternal), toKey("a", "b", "b"))
    for (const key of [toKey("a", null, "eve"), toKey("other", "ada", "ada")]) {
      assert.strictEqual(renameCounterKey(key, asExternal), key)
    }
  })

  it("leave keys of counters without a subject as they are", () => {
    const renaming = {
      account: AccountId.make("a"),
      kind: "user",
      name: "ada",
      pseudonym: "b"
    } as const
    for (const key of ["credits lifetime lifetime credits a", "key x", ""]) {
      assert.strictEqual(renameCounterKey(key, renaming), key)
    }
  })
})
