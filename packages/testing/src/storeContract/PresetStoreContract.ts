/** A test suite for implementations of `PresetStore`. */
import { PresetStore, type StoredPreset, type Transaction } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"
import { testQuotas } from "./testQuotas.ts"

/** A preset with a value in every field, in its first version, which `creator` made. */
export const makePreset = (
  changes: Partial<StoredPreset> = {},
  creator = "a user"
): StoredPreset => {
  const id = crypto.randomUUID()
  return withVersion(
    {
      id,
      workspace_id: "one",
      slug: "a-preset",
      name: "a preset",
      description: "what it is for",
      status: "active",
      status_updated_at: "2026-01-01T00:00:00.000Z",
      creator_user_id: creator,
      designated_version_id: null,
      designated_version: null,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
      ...changes
    },
    { creator, version: 1 }
  )
}

const withVersion = (
  preset: StoredPreset,
  { creator, version }: { readonly creator: string; readonly version: number }
): StoredPreset => ({
  ...preset,
  designated_version_id: `${preset.id}-${version}`,
  designated_version: {
    id: `${preset.id}-${version}`,
    preset_id: preset.id,
    version,
    config: JSON.parse(`{"model":"a/b","temperature":0.${version},"__proto__":{"n":[1,null]}}`),
    system_prompt: version === 1 ? null : `Version ${version} — ü`,
    creator_id: creator,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z"
  }
})

/** The preset with another version, which `creator` made. */
export const addVersion = (preset: StoredPreset, creator = "a user"): StoredPreset =>
  withVersion(preset, { creator, version: (preset.designated_version?.version ?? 0) + 1 })

const firstPage = { offset: 0, limit: 100 }

/** A new account with these presets. */
const makeAccount = Effect.fnUntraced(function* (...presets: ReadonlyArray<StoredPreset>) {
  const store = yield* PresetStore
  const account = fresh.makeAccountId()
  for (const each of presets) yield* store.insert(account, each)
  return { account, store }
})

/** Declares the tests in a vitest file: `PresetStoreContract("postgres", layer)`. */
export const PresetStoreContract = (
  implementation: string,
  layer: Layer.Layer<PresetStore | Transaction, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`PresetStore: ${implementation}`, () => {
    testQuotas(
      run,
      "presets",
      PresetStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace_id) => store.insert(account, makePreset({ workspace_id }))
      }))
    )

    it("keeps presets of accounts and workspaces apart, and adds each once", () =>
      run(
        Effect.gen(function* () {
          const [one, other] = [makePreset(), makePreset({ workspace_id: "two" })]
          const { account, store } = yield* makeAccount(one, other)
          const stranger = yield* makeAccount()
          assert.isFalse(yield* store.insert(account, { ...one, name: "again" }))
          assert.deepStrictEqual(yield* store.find(account, one.id), one)
          assert.isUndefined(yield* store.find(stranger.account, one.id))
          assert.deepStrictEqual(yield* store.list(account, "one", firstPage), {
            rows: [one],
            total: 1
          })
          const none = { rows: [], total: 0 }
          assert.deepStrictEqual(yield* store.list(stranger.account, "one", firstPage), none)
          assert.deepStrictEqual(
            yield* store.listVersions(stranger.account, one.id, firstPage),
            none
          )
          assert.isUndefined(yield* store.findVersion(stranger.account, one.id, 1))
          assert.isUndefined(yield* store.remove(stranger.account, one.id))
          assert.isUndefined(yield* store.update(stranger.account, one.id, addVersion))
        })
      ))

    it("lists the preset that changed last first, page by page", () =>
      run(
        Effect.gen(function* () {
          const [one, two, three] = [makePreset(), makePreset(), makePreset()]
          const { account, store } = yield* makeAccount(one, two, three)
          yield* store.update(account, one.id, (before) => ({ ...before, name: "changed" }))
          const listIds = (offset: number, limit: number) =>
            Effect.map(store.list(account, "one", { offset, limit }), ({ rows, total }) => {
              assert.strictEqual(total, 3)
              return rows.map(({ id }) => id)
            })
          assert.deepStrictEqual(yield* listIds(0, 100), [one.id, three.id, two.id])
          assert.deepStrictEqual(yield* listIds(1, 1), [three.id])
          assert.deepStrictEqual(yield* listIds(3, 1), [])
        })
      ))

    it("keeps every version of concurrent updates, oldest first", () =>
      run(
        Effect.gen(function* () {
          const preset = makePreset()
          const { account, store } = yield* makeAccount(preset)
          yield* Effect.forEach(
            Array.from({ length: 11 }),
            () => store.update(account, preset.id, addVersion),
            { concurrency: "unbounded" }
          )
          const { rows, total } = yield* store.listVersions(account, preset.id, firstPage)
          assert.strictEqual(total, 12)
          assert.deepStrictEqual(
            rows.map(({ version }) => version),
            Array.from({ length: 12 }, (_, at) => at + 1)
          )
          assert.deepStrictEqual(rows[0], preset.designated_version)
          const latest = yield* store.find(account, preset.id)
          assert.deepStrictEqual(rows[11], latest?.designated_version)
          const page = yield* store.listVersions(account, preset.id, { offset: 10, limit: 1 })
          assert.deepStrictEqual(
            page.rows.map(({ version }) => version),
            [11]
          )
          assert.deepStrictEqual(yield* store.findVersion(account, preset.id, 12), rows[11])
          assert.isUndefined(yield* store.findVersion(account, preset.id, 13))
        })
      ))

    it("adds no version by a change that has none, and nothing when the change throws", () =>
      run(
        Effect.gen(function* () {
          const preset = makePreset()
          const { account, store } = yield* makeAccount(preset)
          yield* store.update(account, preset.id, (before) => ({ ...before, status: "disabled" }))
          const failed = yield* Effect.exit(
            store.update(account, preset.id, () => {
              throw new Error("refused")
            })
          )
          assert.strictEqual(failed._tag, "Failure")
          const { total } = yield* store.listVersions(account, preset.id, firstPage)
          assert.strictEqual(total, 1)
          assert.strictEqual((yield* store.find(account, preset.id))?.status, "disabled")
        })
      ))

    it("removes a preset with its versions, so that a new one has none of them", () =>
      run(
        Effect.gen(function* () {
          const preset = makePreset()
          const kept = makePreset()
          const { account, store } = yield* makeAccount(preset, kept)
          yield* store.update(account, preset.id, addVersion)
          const removed = yield* store.remove(account, preset.id)
          assert.strictEqual(removed?.designated_version?.version, 2)
          assert.isUndefined(yield* store.remove(account, preset.id))
          yield* store.insert(account, preset)
          const { rows } = yield* store.listVersions(account, preset.id, firstPage)
          assert.strictEqual(rows.length, 1)
          assert.deepStrictEqual(rows[0], preset.designated_version)
          assert.strictEqual((yield* store.listVersions(account, kept.id, firstPage)).total, 1)
        })
      ))
  })
}
