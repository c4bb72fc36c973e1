/** A test suite for implementations of `FailedRequestStore`. */
import {
  type AccountId,
  defaultWorkspaceId,
  type FailedRequest,
  FailedRequestStore,
  UserId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const makeFailed = (account: AccountId | undefined, requestId: string): FailedRequest => ({
  requestId,
  at: 1_700_000_000_123,
  ...(account === undefined
    ? undefined
    : {
        caller: {
          account,
          workspace: defaultWorkspaceId,
          keyHash: fresh.makeKeyHash(),
          user: UserId.make("user_ä😀")
        }
      }),
  method: "POST",
  operation: "keys.create",
  path: "/api/v1/keys",
  status: 400,
  type: "invalid_request",
  reason: "unknown_field",
  message: "limt: is not a field \u0000 ä😀",
  userAgent: "probe/1.0"
})
const makeRequestId = () => `req-${crypto.randomUUID()}`

/**
 * Declares the tests in a vitest file: `FailedRequestStoreContract("postgres", layer)`. A store may bound what it keeps, but
 * must keep the latest 20 of an account, and the latest 20 that were not authenticated.
 */
export const FailedRequestStoreContract = (
  implementation: string,
  layer: Layer.Layer<FailedRequestStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`FailedRequestStore: ${implementation}`, () => {
    it("lists a request exactly as it was recorded, with and without optional fields", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FailedRequestStore
          const account = fresh.makeAccountId()
          const full = makeFailed(account, makeRequestId())
          const { caller, requestId } = makeFailed(account, makeRequestId())
          const least = {
            requestId,
            caller: caller!,
            at: 1,
            method: "GET",
            status: 401,
            message: ""
          }
          yield* store.record(full)
          yield* store.record(least)
          const filter = { account, includesUnauthenticated: false }
          assert.deepStrictEqual(yield* store.list(filter, 10), [least, full])
          assert.deepStrictEqual(yield* store.list(filter, 1), [least])
          assert.deepStrictEqual(yield* store.list({ ...filter, status: 400 }, 10), [full])
          assert.deepStrictEqual(yield* store.list({ ...filter, requestId }, 10), [least])
        })
      ))

    it("keeps all that share a request id, the latest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FailedRequestStore
          const account = fresh.makeAccountId()
          const requestId = makeRequestId()
          const rows = Array.from({ length: 5 }, () => makeFailed(account, requestId))
          yield* Effect.forEach(rows, store.record)
          const found = yield* store.list(
            { account, includesUnauthenticated: false, requestId },
            10
          )
          assert.deepStrictEqual(found, rows.toReversed())
        })
      ))

    it("lists an account's requests to that account only, and those without an account on demand", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FailedRequestStore
          const account = fresh.makeAccountId()
          const requestId = makeRequestId()
          const own = makeFailed(account, requestId)
          const stranger = makeFailed(undefined, requestId)
          yield* store.record(own)
          yield* store.record(makeFailed(fresh.makeAccountId(), requestId))
          yield* store.record(stranger)
          const filter = { account, requestId }
          const list = (includesUnauthenticated: boolean) =>
            store.list({ ...filter, includesUnauthenticated }, 10)
          assert.deepStrictEqual(yield* list(false), [own])
          assert.deepStrictEqual(yield* list(true), [stranger, own])
        })
      ))
  })
}
