/** Declares what a caller who leaves must come to, whatever was asked. */
import { fault, pace } from "@signalbox/testing"
import { expect, test } from "vitest"
import type { Sending } from "./send.ts"
import type { Stage } from "./Stage.ts"

interface Leaving {
  readonly open: () => Promise<Stage>
  /** Asks the first provider, and then the second. */
  readonly ask: (stage: Stage, sending: Sending) => Promise<unknown>
  /** Succeeds once what was set aside is given back. */
  readonly settled?: (stage: Stage) => Promise<void>
}

export const callerGone = ({ ask, open, settled = async () => {} }: Leaving): void => {
  /** Leaves as soon as `asked` has received it. */
  const leave = async (stage: Stage, asked: Stage["upstreams"]["first"]) => {
    asked.always(pace.hold(asked.gate()))
    const leaving = new AbortController()
    const gone = ask(stage, { signal: leaving.signal }).catch(() => "gone")
    await asked.received(1)
    leaving.abort()
    expect(await gone).toBe("gone")
    await asked.aborted(1)
    await settled(stage)
  }

  test("16. caller gone: the provider is hung up on, nobody else is asked or blamed", async () => {
    await using stage = await open()
    const { first, second } = stage.upstreams
    await leave(stage, first)
    expect(stage.calls).toEqual({ first: 1, second: 0 })
    expect((await stage.box.health()).endpoints).toEqual({})
    expect(second.connections).toBe(0)
    expect(stage.logs).toEqual([])
  })

  test("16. caller gone during a fallback: only the failure counts", async () => {
    await using stage = await open()
    const { first, second } = stage.upstreams
    first.always(fault.status(500))
    await leave(stage, second)
    expect(stage.calls).toEqual({ first: 1, second: 1 })
    expect(Object.keys((await stage.box.health()).endpoints)).toEqual(["proof/model@first"])
    expect(stage.logs).toEqual([])
  })
}
