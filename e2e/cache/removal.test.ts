/** Cached answers are sealed where they are kept, and gone with what they belong to: keys, persons and workspaces. */
import { reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { RecordingCache } from "./RecordingCache.ts"
import { askingForCache as on, startCacheServer } from "./startCacheServer.ts"

const start = async () => {
  const cache = new RecordingCache()
  const started = await startCacheServer({ responseCache: { store: cache.store } })
  const listOwners = () => Array.from(cache.answers.values(), ({ owner }) => owner)
  const { manage } = started
  const makeKey = async (fields: object = {}) => {
    const { body, status } = await manage("/keys", { name: "for a while", ...fields })
    expect(status).toBe(201)
    const { data, key } = body as {
      readonly data: { readonly hash: string }
      readonly key: string
    }
    return { hash: data.hash, key }
  }
  return { ...started, cache, listOwners, makeKey }
}

test("what is asked and answered is not in the store, nor who asks", async () => {
  const { ask, cache, first } = await start()
  first.always(reply.chat("a planted answer"))
  for (const stream of [false, true]) {
    await ask({ stream, messages: [{ role: "user", content: "a planted question" }] })
  }
  expect(cache.answers.size).toBe(2)
  for (const { key, text } of cache.answers.values()) {
    expect(key).toMatch(/^[\w-]{32,}$/)
    expect(key + text).not.toMatch(/planted|proof|first/)
    expect(Buffer.from(text, "base64").toString("latin1")).not.toContain("planted")
  }
})

test("the answers of a key are gone when it is rotated and when it is removed", async () => {
  const { ask, listOwners, makeKey, manage } = await start()
  await ask()
  const { hash, key } = await makeKey()
  const ofKey = () => listOwners().filter(({ keyHash }) => keyHash === hash)
  await ask({ seed: 1 }, on, key)
  expect(ofKey()).toHaveLength(1)
  const rotated = await manage(`/signalbox/keys/${hash}/rotate`, { grace_seconds: 60 })
  expect(rotated.status).toBe(200)
  expect(ofKey()).toHaveLength(0)
  expect((await ask({ seed: 1 }, on, key)).cache).toBe("MISS")
  expect(listOwners()).toHaveLength(2)
  expect((await manage(`/keys/${hash}`, undefined, "DELETE")).status).toBe(200)
  expect(listOwners()).toHaveLength(1)
  expect((await ask()).cache).toBe("HIT")
})

test("the answers of a person are gone with the acting user and with the external one", async () => {
  const { ask, instance, listOwners } = await start()
  await ask({}, on, "sk-one")
  await ask({ seed: 1, user: "ada" }, on, "sk-two")
  await ask({ seed: 2, user: "bea" }, on, "sk-two")
  await instance.people.erase({ external_user: "ada" })
  expect(listOwners().map(({ externalUser, user }) => [user, externalUser])).toEqual([
    ["mem-1", undefined],
    ["mem-2", "bea"]
  ])
  await instance.people.erase({ user: "mem-2" })
  expect(listOwners().map(({ user }) => user)).toEqual(["mem-1"])
})

test("the answers of a workspace are gone with it", async () => {
  const { ask, listOwners, makeKey, manage } = await start()
  await ask()
  const made = await manage("/workspaces", { name: "Short-lived", slug: "short-lived" })
  const { data } = made.body as { readonly data: { readonly id: string } }
  const { key } = await makeKey({ workspace_id: data.id })
  await ask({}, on, key)
  expect(listOwners().map(({ workspace }) => workspace)).toContain(data.id)
  const removed = await manage(`/workspaces/${data.id}`, undefined, "DELETE")
  expect(removed.status).toBe(200)
  expect(listOwners().map(({ workspace }) => workspace)).not.toContain(data.id)
  expect((await ask()).cache).toBe("HIT")
})
