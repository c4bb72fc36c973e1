import { setImmediate } from "node:timers/promises"
import { expect, it, vi } from "vitest"
import { atTurnEnd, type TurnWorkKind } from "../src/atTurnEnd.ts"

const record = (seen: Array<string>, kind: TurnWorkKind, name: string, also?: () => void) =>
  atTurnEnd(kind, {
    onTurnEnd: () => {
      seen.push(name)
      also?.()
    }
  })

it("does the work of a turn together, one kind after the other", async () => {
  const seen: Array<string> = []
  for (const request of [1, 2]) {
    record(seen, "response", `response ${request}`)
    record(seen, "answer", `answer ${request}`)
    record(seen, "body", `body ${request}`)
  }
  expect(seen).toEqual([])
  await setImmediate()
  expect(seen).toEqual(["body 1", "body 2", "answer 1", "answer 2", "response 1", "response 2"])
})

it("writes the response of a body that needs no provider in the same turn, and reads the next body in the next one", async () => {
  const seen: Array<string> = []
  record(seen, "body", "body", () =>
    record(seen, "response", "response", () => record(seen, "body", "next body"))
  )
  await setImmediate()
  expect(seen).toEqual(["body", "response"])
  await setImmediate()
  expect(seen).toEqual(["body", "response", "next body"])
})

it("goes on after work that throws, whose error is that of a listener", async () => {
  const seen: Array<string> = []
  const nextTick = vi.spyOn(process, "nextTick").mockImplementation(() => undefined)
  record(seen, "body", "broken", () => {
    throw new Error("a defect")
  })
  record(seen, "body", "other")
  await setImmediate()
  const [rethrow] = nextTick.mock.calls.at(-1) ?? []
  nextTick.mockRestore()
  expect(seen).toEqual(["broken", "other"])
  expect(rethrow).toThrow("a defect")
})
