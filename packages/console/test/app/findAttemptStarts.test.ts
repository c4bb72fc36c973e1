import { expect, it } from "vitest"
import { findAttemptStarts } from "../../app/pages/requests/findAttemptStarts.ts"

type Attempts = Parameters<typeof findAttemptStarts>[0]
type Attempt = Attempts[number]

const attempt = (latency: number, rest: Partial<Attempt> = {}): Attempt => ({
  latency,
  connection_wait: 0,
  queue_wait: 0,
  hedge: false,
  lost: false,
  time_to_first_token: null,
  ...rest
})

it("starts each attempt when the one before it has ended", () => {
  expect(findAttemptStarts([attempt(100), attempt(50), attempt(20)])).toEqual([0, 100, 150])
})

it("starts an attempt when its endpoint has room", () => {
  const waited = attempt(50, { queue_wait: 300, connection_wait: 40 })
  expect(findAttemptStarts([attempt(100), waited, attempt(20)])).toEqual([0, 440, 490])
})

it("starts an attempt when it has its connection", () => {
  expect(findAttemptStarts([attempt(100, { connection_wait: 40 }), attempt(50)])).toEqual([40, 140])
})

it.each<readonly [string, Attempts, ReadonlyArray<number | undefined>]>([
  ["its whole answer", [attempt(900, { lost: true }), attempt(300, { hedge: true })], [0, 600]],
  [
    "its first event",
    [attempt(900, { lost: true }), attempt(2_000, { hedge: true, time_to_first_token: 300 })],
    [0, 600]
  ],
  [
    "a first attempt that answers after all",
    [attempt(400, { hedge: true, lost: true }), attempt(900)],
    [500, 0]
  ]
])("starts a second attempt beside the late one: %s", (_, attempts, starts) => {
  expect(findAttemptStarts(attempts)).toEqual(starts)
})

it("follows two attempts side by side with the next one", () => {
  expect(
    findAttemptStarts([
      attempt(100),
      attempt(400, { hedge: true, lost: true }),
      attempt(900),
      attempt(50)
    ])
  ).toEqual([0, 600, 100, 1_000])
})

it("does not know when a second attempt began that failed in its own time", () => {
  expect(findAttemptStarts([attempt(500), attempt(200, { hedge: true })])).toEqual([0, undefined])
})
