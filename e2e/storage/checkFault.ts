/** Checks what callers, probes and the log see while a fault lasts, and that it ends without a restart. */
import { expect } from "vitest"
import { decide, manage, toErrorSummary, unavailable } from "../crash/crashRequests.ts"
import { crashKeys } from "../crash/makeCrashInstance.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"

interface Running {
  readonly isReady: () => Promise<number>
  readonly lines: Array<string>
  readonly origin: string
  readonly readStorage: () => Promise<unknown>
}

export interface Fault<Instance> {
  readonly fail: (running: Instance) => Promise<unknown>
  readonly recover: (running: Instance) => Promise<unknown>
  /** Why the instance is not ready; undefined: it stays ready. */
  readonly reason?: string
  /** What fails meanwhile; default: everything. */
  readonly fails?: ReadonlyArray<RequestName>
}

type RequestName = "chat" | "decision" | "management"

let created = 0
export const requests: Readonly<Record<RequestName, (origin: string) => Promise<HttpResponse>>> = {
  chat: (origin) =>
    send(`${origin}/api/v1/chat/completions`, {
      body: JSON.stringify({
        model: "proof/model",
        messages: [{ role: "user", content: "Hello?" }]
      }),
      headers: { authorization: `Bearer ${crashKeys.rich}`, "content-type": "application/json" }
    }),
  decision: (origin) => decide(origin, crashKeys.rich),
  management: (origin) => manage(origin, "POST", "/keys", { name: `key-${created++}` })
}
const succeeded = { chat: 200, decision: 200, management: 201 }
const names = ["chat", "decision", "management"] as const

/** The start of an outage, and each kind of failure once a minute; sessions that end are one more. */
export const maxLines = 5

/** Returns how many lines the log has of the fault. */
export const checkFault = async <Instance extends Running>(
  running: Instance,
  { fail, fails = names, reason, recover }: Fault<Instance>
): Promise<number> => {
  const { isReady, lines, origin, readStorage } = running
  for (const name of names) {
    expect((await requests[name](origin)).status).toBe(succeeded[name])
  }
  lines.length = 0
  await fail(running)
  const send = () => Promise.all(fails.map((name) => requests[name](origin)))
  await expect
    .poll(async () => (await send()).map(({ status }) => status), { timeout: 240_000 })
    .toEqual(fails.map(() => 503))
  if (reason !== undefined) await expect.poll(isReady, { timeout: 240_000 }).toBe(503)
  for (let n = 0; n < 10; n++) {
    expect((await send()).map(toErrorSummary)).toEqual(fails.map(() => unavailable))
  }
  expect(await isReady()).toBe(reason === undefined ? 200 : 503)
  if (reason !== undefined) {
    // Without any session, callers cannot be authenticated, and only the log says why.
    const said = async () => [getProperty(await readStorage(), "reason"), ...lines].join("\n")
    await expect.poll(said, { timeout: 240_000 }).toContain(reason)
  }
  const lineCount = lines.length

  await recover(running)
  await expect.poll(isReady, { timeout: 240_000 }).toBe(200)
  for (const name of names) {
    await expect
      .poll(async () => (await requests[name](origin)).status, { timeout: 240_000 })
      .toBe(succeeded[name])
  }
  return lineCount
}
