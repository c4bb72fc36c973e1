import { assert, describe, it } from "@effect/vitest"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { Sealer, type SealingKeys } from "../../../src/engine/secrets/Sealer.ts"
import {
  AccountId,
  KeyHash,
  UserId,
  WorkspaceId,
  defaultAccountId,
  defaultWorkspaceId
} from "../../../src/values/ids/Ids.ts"
import type { VaultId } from "../../../src/domains/vaults/VaultId.ts"
import * as Ids from "../../../src/domains/vaults/VaultId.ts"
import { type VaultCaller, Vaults } from "../../../src/domains/vaults/Vaults.ts"
import { VaultStore } from "../../../src/domains/vaults/VaultStore.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryVaultStore } from "../../../src/memory/memoryVaultStore.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const first = { current: "k1", keys: { k1: "1".repeat(32) } } satisfies SealingKeys
const second: SealingKeys = { current: "k2", keys: { ...first.keys, k2: "2".repeat(32) } }
const secondAlone: SealingKeys = { current: "k2", keys: { k2: "2".repeat(32) } }

const stores = Layer.mergeAll(
  memoryTransaction,
  memoryAuditLog,
  memoryVaultStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

/** Uses existing stores, like a restarted instance. */
const makeInstance = (sealing: SealingKeys | undefined) =>
  Vaults.layer.pipe(
    Layer.provideMerge(Workspaces.layer),
    Layer.provide(Audit.layer),
    Layer.provide(Sealer.layer(sealing)),
    Layer.provide(Digest.layerWebCrypto)
  )

const withInstance = <A, E>(
  effect: Effect.Effect<A, E, Vaults | Workspaces | VaultStore>,
  sealing: SealingKeys | "none" = first
) => Effect.provide(effect, makeInstance(sealing === "none" ? undefined : sealing), { local: true })

const caller: VaultCaller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  user: UserId.make("user-1"),
  keyHash: KeyHash.make("a".repeat(64))
}
const strangers: ReadonlyArray<VaultCaller> = [
  { ...caller, account: AccountId.make("other") },
  { ...caller, workspace: WorkspaceId.make("elsewhere") }
]
const all = { offset: 0, limit: 100 }

const makeSecret = (text: string, ...hosts: ReadonlyArray<string>) => ({
  value: Redacted.make(text),
  hosts: hosts.length === 0 ? ["api.example.com"] : hosts
})

/** The vault of the workspace, and the vaults of two interns in it. */
const openVault = Effect.gen(function* () {
  const vaults = yield* Vaults
  return {
    vaults,
    shared: yield* vaults.ofWorkspace(caller),
    own: (yield* vaults.openForIntern(caller, "intern-1")).id,
    lent: (yield* vaults.openForIntern(caller, "intern-2")).id
  }
})

const releaseValues = (ids: ReadonlyArray<VaultId>, host: string) =>
  Effect.flatMap(Vaults, ({ release }) =>
    Effect.map(release(ids, host), (secrets) =>
      Object.fromEntries(secrets.map(({ name, value }) => [name, Redacted.value(value)]))
    )
  )

const makeSecrets = (names: ReadonlyArray<string>, text: string) =>
  Object.fromEntries(names.map((name) => [name, text]))

const putShared = (name: string) =>
  Effect.flatMap(openVault, ({ shared, vaults }) =>
    Effect.as(vaults.put(caller, shared, name, makeSecret("planted")), shared)
  )

const listAuditEntries = Effect.flatMap(AuditLog, ({ list }) =>
  Effect.map(list(defaultAccountId, { limit: 100 }), ({ rows }) => rows)
)

const label = fc.string({ unit: fc.constantFrom("a", "b", "c", "1"), minLength: 1, maxLength: 3 })
const hostname = fc
  .array(
    label.map((text) => `h${text}`),
    { minLength: 1, maxLength: 4 }
  )
  .map((labels) => labels.join("."))

/** Hosts that look like this one but differ. */
const nearMisses = (host: string): ReadonlyArray<string> => [
  `a.${host}`,
  `www.${host}`,
  `a${host}`,
  `${host}a`,
  `${host}.evil.example`,
  `${host}-evil.example`,
  `evil-${host}`,
  host.slice(1),
  host.slice(0, -1),
  host.split(".").slice(1).join("."),
  host.split(".").slice(0, -1).join("."),
  host.replaceAll(".", ""),
  host.replaceAll(".", "-"),
  `*.${host}`,
  `${host}:443`,
  `${host}:80`,
  `${host}/`,
  `https://${host}`,
  `https://${host}/`,
  `user@${host}`,
  `${host}@evil.example`,
  `${host}#@evil.example`,
  ` ${host}`,
  `${host} `,
  `${host}\0`,
  `${host}..`,
  `.${host}`,
  `${host}%00`,
  `%68${host.slice(1)}`,
  `${host}\u200B`,
  host.replace("h", "\uFF48"),
  ""
]

describe("Vaults", () => {
  it.effect("store, list, replace and remove a secret, and never return its value", () =>
    withInstance(
      Effect.gen(function* () {
        const { shared, vaults } = yield* openVault
        assert.deepStrictEqual(yield* vaults.list(caller, shared, all), {
          rows: [],
          hasMore: false
        })
        yield* TestClock.setTime(1_000)
        const one = yield* vaults.put(
          caller,
          shared,
          "one",
          makeSecret("planted-1", "B.example.", "a.example", "b.EXAMPLE")
        )
        assert.match(one.fingerprint ?? "", /^[0-9a-f]{64}$/)
        assert.deepInclude(one, {
          name: "one",
          hosts: ["b.example", "a.example"],
          created_at: "1970-01-01T00:00:01.000Z"
        })
        yield* TestClock.setTime(2_000)
        const two = yield* vaults.put(caller, shared, "two", makeSecret("planted-1"))
        const three = yield* vaults.put(caller, shared, "three", makeSecret("planted-3"))
        // Comparable within a vault.
        assert.strictEqual(two.fingerprint, one.fingerprint)
        assert.notStrictEqual(three.fingerprint, one.fingerprint)
        const again = yield* vaults.put(caller, shared, "one", makeSecret("planted-3"))
        assert.deepStrictEqual(again, {
          ...one,
          hosts: ["api.example.com"],
          fingerprint: three.fingerprint
        })
        assert.deepStrictEqual(yield* vaults.list(caller, shared, { offset: 0, limit: 2 }), {
          rows: [again, three],
          hasMore: true
        })
        yield* vaults.remove(caller, shared, "two")
        assert.deepStrictEqual((yield* vaults.list(caller, shared, all)).rows, [again, three])
        const error = yield* Effect.flip(vaults.remove(caller, shared, "two"))
        assert.deepInclude(error, { _tag: "ResourceNotFound", resource: "secret" })
        const store = yield* VaultStore
        const kept = yield* store.list(shared, all)
        assert.notInclude(JSON.stringify([kept, one, again]), "planted")
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("have a different fingerprint in each vault", () =>
    withInstance(
      Effect.gen(function* () {
        const { lent, own, shared, vaults } = yield* openVault
        assert.deepStrictEqual([shared, own, lent, "none", ""].map(Ids.is), [
          true,
          true,
          true,
          false,
          false
        ])
        const made = yield* Effect.forEach([shared, own, lent], (id) =>
          vaults.put(caller, id, "one", makeSecret("planted"))
        )
        assert.strictEqual(new Set(made.map(({ fingerprint }) => fingerprint)).size, 3)
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("belong to a workspace, and do not exist for other callers", () =>
    withInstance(
      Effect.gen(function* () {
        const { own, shared, vaults } = yield* openVault
        for (const id of [own, shared]) yield* vaults.put(caller, id, "one", makeSecret("planted"))
        for (const stranger of strangers) {
          assert.notStrictEqual(yield* vaults.ofWorkspace(stranger), shared)
          for (const id of [own, shared, yield* Ids.next]) {
            const tags = yield* Effect.forEach(
              [
                Effect.asVoid(vaults.list(stranger, id, all)),
                Effect.asVoid(vaults.put(stranger, id, "two", makeSecret("x"))),
                vaults.remove(stranger, id, "one"),
                Effect.asVoid(vaults.copy(stranger, id, id, ["one"]))
              ],
              (ask) => Effect.map(Effect.flip(ask), ({ _tag }) => _tag)
            )
            assert.deepStrictEqual(tags, [
              "ResourceNotFound",
              "VaultClosed",
              "ResourceNotFound",
              "ResourceNotFound"
            ])
            yield* vaults.close(stranger, id)
          }
        }
        const left = yield* Effect.forEach([own, shared], (id) => vaults.list(caller, id, all))
        assert.deepStrictEqual(
          left.map(({ rows }) => rows.map(({ name }) => name)),
          [["one"], ["one"]]
        )
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect.each([
    ["an invalid name", "Not a name", makeSecret("x"), ["name"]],
    ["an empty value", "one", makeSecret(""), ["value"]],
    ["a value that is too long", "one", makeSecret("x".repeat(65_537)), ["value"]],
    ["half a character", "one", makeSecret("x\uD800"), ["value"]],
    ["no host", "one", { value: Redacted.make("x"), hosts: [] }, ["hosts"]],
    [
      "too many hosts",
      "one",
      makeSecret("x", ...Array.from({ length: 101 }, () => "a.example")),
      ["hosts"]
    ],
    ["an invalid host", "one", makeSecret("x", "a.example", "*.b.example"), ["hosts", 1]]
  ] as const)("reject %s", ([, name, secret, path]) =>
    withInstance(
      Effect.gen(function* () {
        const { shared, vaults } = yield* openVault
        const error = yield* Effect.flip(vaults.put(caller, shared, name, secret))
        assert.deepInclude(error, { _tag: "InvalidRequest", path })
        assert.deepStrictEqual((yield* vaults.list(caller, shared, all)).rows, [])
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("accept a value of 65,536 characters for 100 hosts", () =>
    withInstance(
      Effect.gen(function* () {
        const { own, vaults } = yield* openVault
        const hosts = Array.from({ length: 100 }, (_, n) => `host-${n}.example`)
        const value = "é".repeat(65_536)
        yield* vaults.put(caller, own, "one", makeSecret(value, ...hosts))
        assert.deepStrictEqual(yield* releaseValues([own], "host-99.example"), { one: value })
      })
    ).pipe(Effect.provide(stores))
  )

  it("release a secret to exactly the hosts it is for", async () => {
    const world = Layer.provideMerge(makeInstance(first), stores)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hostname, { minLength: 1, maxLength: 3 }),
        fc.array(fc.boolean(), { maxLength: 20 }),
        (hosts, upper) =>
          Effect.gen(function* () {
            const { own, vaults } = yield* openVault
            yield* vaults.put(caller, own, "one", makeSecret("planted", ...hosts))
            for (const host of hosts) {
              const spelt = Array.from(host, (char, at) =>
                upper[at] === true ? char.toUpperCase() : char
              ).join("")
              for (const same of [host, `${host}.`, spelt, `${spelt}.`]) {
                assert.deepStrictEqual(yield* releaseValues([own], same), { one: "planted" })
              }
              for (const other of nearMisses(host)) {
                if (hosts.includes(other)) continue
                assert.deepStrictEqual([other, yield* releaseValues([own], other)], [other, {}])
              }
            }
          }).pipe(Effect.provide(world), Effect.runPromise)
      ),
      { numRuns: scaleRuns(60) }
    )
  })

  it("prefer the vault that is named first, and release from named ones only", async () => {
    const world = Layer.provideMerge(makeInstance(first), stores)
    const held = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"))
    await fc.assert(
      fc.asyncProperty(held, held, held, (mine, borrowed, others) =>
        Effect.gen(function* () {
          const { lent, own, vaults } = yield* openVault
          const { id: another } = yield* vaults.openForIntern(caller, "intern-3")
          for (const [id, names, text] of [
            [own, mine, "own"],
            [lent, borrowed, "lent"],
            [another, others, "another"]
          ] as const) {
            for (const name of names) yield* vaults.put(caller, id, name, makeSecret(text))
          }
          const host = "api.example.com"
          assert.deepStrictEqual(yield* releaseValues([own, lent], host), {
            ...makeSecrets(borrowed, "lent"),
            ...makeSecrets(mine, "own")
          })
          assert.deepStrictEqual(yield* releaseValues([own], host), makeSecrets(mine, "own"))
          assert.deepStrictEqual(yield* releaseValues([], host), {})
          yield* vaults.close(caller, lent)
          assert.deepStrictEqual(yield* releaseValues([own, lent], host), makeSecrets(mine, "own"))
        }).pipe(Effect.provide(world), Effect.runPromise)
      ),
      { numRuns: scaleRuns(60) }
    )
  })

  it.effect("name the missing secret of a copy", () =>
    withInstance(
      Effect.gen(function* () {
        const { own, shared, vaults } = yield* openVault
        yield* vaults.put(caller, shared, "one", makeSecret("planted-1", "a.example"))
        const missing = yield* Effect.flip(
          vaults.copy(caller, shared, own, ["one", "github_token"])
        )
        assert.propertyVal(missing, "_tag", "ResourceNotFound")
        assert.propertyVal(missing, "resource", "secret as github_token")
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("copy all named secrets or none into a vault, which reseals them", () =>
    withInstance(
      Effect.gen(function* () {
        const { own, shared, vaults } = yield* openVault
        const one = yield* vaults.put(caller, shared, "one", makeSecret("planted-1", "a.example"))
        const two = yield* vaults.put(caller, shared, "two", makeSecret("planted-2", "a.example"))
        yield* vaults.put(caller, shared, "bare", { value: Redacted.make("x"), hosts: null })
        const before = yield* vaults.put(caller, own, "two", makeSecret("planted-0"))
        const tried = yield* Effect.forEach(
          [
            ["one", "none"],
            ["one", "bare"],
            ["bare", "none"]
          ],
          (names) =>
            Effect.map(Effect.flip(vaults.copy(caller, shared, own, names)), ({ _tag }) => _tag)
        )
        assert.deepStrictEqual(tried, ["ResourceNotFound", "SecretUnbound", "ResourceNotFound"])
        assert.deepStrictEqual((yield* vaults.list(caller, own, all)).rows, [before])
        yield* TestClock.setTime(5_000)
        const copied = yield* vaults.copy(caller, shared, own, ["two", "one"])
        assert.deepStrictEqual(
          copied.map(({ created_at, hosts, name }) => [name, hosts, created_at]),
          [
            ["two", ["a.example"], before.created_at],
            ["one", ["a.example"], "1970-01-01T00:00:05.000Z"]
          ]
        )
        assert.notIncludeMembers(
          copied.map(({ fingerprint }) => fingerprint),
          [one.fingerprint, two.fingerprint]
        )
        assert.deepStrictEqual(yield* releaseValues([own], "a.example"), {
          one: "planted-1",
          two: "planted-2"
        })
        // The copies are independent from then on.
        yield* vaults.remove(caller, shared, "one")
        assert.strictEqual((yield* releaseValues([own], "a.example"))["one"], "planted-1")
        yield* vaults.close(caller, own)
        const error = yield* Effect.flip(vaults.copy(caller, shared, own, ["two"]))
        assert.strictEqual(error._tag, "VaultClosed")
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("record every change in the audit log, without values", () =>
    Effect.gen(function* () {
      const { own, shared } = yield* withInstance(
        Effect.gen(function* () {
          const { vaults, ...ids } = yield* openVault
          yield* vaults.put(caller, ids.shared, "one", makeSecret("planted-1"))
          yield* vaults.put(caller, ids.shared, "one", makeSecret("planted-1"))
          yield* vaults.put(caller, ids.shared, "one", makeSecret("planted-2"))
          yield* vaults.copy(caller, ids.shared, ids.own, ["one"])
          yield* vaults.remove(caller, ids.shared, "one")
          yield* Effect.flip(vaults.remove(caller, ids.shared, "one"))
          yield* Effect.flip(vaults.copy(caller, ids.shared, ids.own, ["one"]))
          yield* vaults.close(caller, ids.own)
          yield* vaults.close(caller, ids.own)
          return ids
        })
      )
      const rows = yield* listAuditEntries
      assert.deepStrictEqual(
        rows.map(({ action, target }) => [action, target]),
        [
          ["vault.close", own],
          ["vault.secret.delete", shared],
          ["vault.secret.copy", own],
          ["vault.secret.put", shared],
          ["vault.secret.put", shared]
        ]
      )
      assert.strictEqual(rows[0]?.actor.keyHash, caller.keyHash)
      const text = JSON.stringify(rows)
      assert.include(text, '"name":"one"')
      assert.notInclude(text, "planted")
      assert.notInclude(text, "sealed")
    }).pipe(Effect.provide(stores))
  )

  it.effect("are removed with their workspace, and store nothing in a removed one", () =>
    withInstance(
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const { id } = yield* workspaces.create(caller, { name: "Lab", slug: "lab" })
        const there = { ...caller, workspace: WorkspaceId.make(id) }
        const vaults = yield* Vaults
        const store = yield* VaultStore
        const own = (yield* vaults.openForIntern(there, "intern-1")).id
        const shared = yield* vaults.ofWorkspace(there)
        for (const vault of [own, shared]) {
          yield* vaults.put(there, vault, "one", makeSecret("planted"))
        }
        yield* workspaces.remove(caller, id)
        assert.deepStrictEqual(yield* store.listByWorkspace(defaultAccountId, there.workspace), [])
        assert.deepStrictEqual(yield* releaseValues([own, shared], "api.example.com"), {})
        const tags = yield* Effect.forEach([own, shared], (vault) =>
          Effect.map(
            Effect.flip(vaults.put(there, vault, "one", makeSecret("planted"))),
            ({ _tag }) => _tag
          )
        )
        assert.deepStrictEqual(tags, ["VaultClosed", "ResourceNotFound"])
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("store nothing without a sealing key, and name the option to set", () =>
    Effect.gen(function* () {
      const { shared, vaults } = yield* openVault
      const error = yield* Effect.flip(vaults.put(caller, shared, "one", makeSecret("planted")))
      assert.include(JSON.stringify(error), "`sealing`")
      assert.deepStrictEqual((yield* vaults.list(caller, shared, all)).rows, [])
      assert.strictEqual(yield* vaults.reseal, 0)
    }).pipe((effect) => withInstance(effect, "none"), Effect.provide(stores))
  )

  it.effect("move to a new sealing key without downtime, and then work without the old one", () =>
    Effect.gen(function* () {
      const host = "api.example.com"
      const reseal = Effect.flatMap(Vaults, ({ reseal }) => reseal)
      const shared = yield* withInstance(putShared("one"))
      const prints = Effect.flatMap(Vaults, ({ list }) =>
        Effect.map(list(caller, shared, all), ({ rows }) =>
          rows.map(({ fingerprint }) => fingerprint)
        )
      )
      assert.deepStrictEqual(yield* withInstance(releaseValues([shared], host), second), {
        one: "planted"
      })
      yield* withInstance(putShared("two"), second)
      // With the vault's own key, which outlives the host's key.
      assert.strictEqual(new Set(yield* withInstance(prints)).size, 1)
      assert.strictEqual(yield* withInstance(reseal, second), 2)
      assert.strictEqual(yield* withInstance(reseal, second), 0)
      yield* withInstance(putShared("three"), secondAlone)
      yield* withInstance(putShared("one"), secondAlone)
      assert.strictEqual(new Set(yield* withInstance(prints)).size, 1)
      const both = makeSecrets(["one", "three", "two"], "planted")
      assert.deepStrictEqual(yield* withInstance(releaseValues([shared], host), secondAlone), both)
      const resealed = (yield* listAuditEntries).find(
        ({ action }) => action === "vault.secret.reseal"
      )
      assert.deepInclude(resealed, { action: "vault.secret.reseal", target: shared })
    }).pipe(Effect.provide(stores))
  )

  it.effect("are resealed in pages", () =>
    Effect.gen(function* () {
      const vaults = yield* VaultStore
      let most = 0
      const watched = VaultStore.of({
        ...vaults,
        listToReseal: (...asked) =>
          Effect.tap(vaults.listToReseal(...asked), ({ length }) =>
            Effect.sync(() => (most = Math.max(most, length)))
          )
      })
      const names = Array.from({ length: 250 }, (_, n) => `name_${n}`)
      yield* withInstance(Effect.forEach(names, (name) => putShared(name)))
      const reseal = withInstance(
        Effect.flatMap(Vaults, ({ reseal }) => reseal),
        second
      )
      // Including the key of the vault.
      assert.strictEqual(yield* Effect.provideService(reseal, VaultStore, watched), 251)
      assert.strictEqual(yield* reseal, 0)
      assert.isAtMost(most, 100)
    }).pipe(Effect.provide(stores))
  )

  it.effect("create one fingerprint key per vault, even under concurrent writes", () =>
    withInstance(
      Effect.gen(function* () {
        const { shared, vaults } = yield* openVault
        const made = yield* Effect.forEach(
          Array.from({ length: 10 }, (_, n) => `secret_${n}`),
          (name) => vaults.put(caller, shared, name, makeSecret("planted")),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(made.map(({ fingerprint }) => fingerprint)).size, 1)
      })
    ).pipe(Effect.provide(stores))
  )

  it.effect("accept new secrets when the key of the old ones is lost", () =>
    Effect.gen(function* () {
      const shared = yield* withInstance(putShared("one"))
      yield* withInstance(putShared("two"), secondAlone)
      yield* withInstance(putShared("one"), secondAlone)
      assert.deepStrictEqual(
        yield* withInstance(releaseValues([shared], "api.example.com"), secondAlone),
        makeSecrets(["one", "two"], "planted")
      )
    }).pipe(Effect.provide(stores))
  )

  it.effect("unseal no secret without its key, and none that was moved, renamed or rebound", () =>
    Effect.gen(function* () {
      const store = yield* VaultStore
      const host = "api.example.com"
      const { lent, own } = yield* withInstance(
        Effect.gen(function* () {
          const { vaults, ...ids } = yield* openVault
          yield* vaults.put(caller, ids.own, "one", makeSecret("planted"))
          return ids
        })
      )
      const gone = yield* Effect.flip(withInstance(releaseValues([own], host), secondAlone))
      assert.deepInclude(gone, { _tag: "SecretUnreadable", name: "one", sealedUnder: "k1" })
      const [kept] = (yield* store.list(own, all)).rows
      for (const [id, changes] of [
        [lent, {}],
        [own, { name: "two" }],
        [own, { name: "three", hosts: [host, "thief.example"] }]
      ] as const) {
        yield* store.put(id, [{ ...kept!, ...changes }])
      }
      const tags = yield* Effect.forEach(
        [
          releaseValues([lent], host),
          releaseValues([own], "thief.example"),
          releaseValues([own], host)
        ],
        (ask) => Effect.map(Effect.flip(withInstance(ask)), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, ["SecretUnreadable", "SecretUnreadable", "SecretUnreadable"])
    }).pipe(Effect.provide(stores))
  )
})
