/** Declares what a caller who leaves must come to, whatever was asked. */
import { fault, pace } from "@signalbox/testing"
import { expect, test } from "vitest"
import type { SendOptions } from "./send.ts"
import type { TestServer } from "./TestServer.ts"

interface DisconnectCase {
  readonly open: () => Promise<TestServer>
  /** Asks the first provider, and then the second. */
  readonly request: (stage: TestServer, sending: SendOptions) => Promise<unknown>
  /** Succeeds once what was set aside is given back. */
  readonly settled?: (stage: TestServer) => Promise<void>
}

export const testClientDisconnect = ({
  request,
  open,
  settled = async () => {}
}: DisconnectCase): void => {
  /** Leaves as soon as `asked` has received it. */
  const leave = async (stage: TestServer, requested: TestServer["upstreams"]["first"]) => {
    requested.always(pace.hold(requested.gate()))
    const controller = new AbortController()
    const gone = request(stage, { signal: controller.signal }).catch(() => "gone")
    await requested.waitForRequests(1)
    controller.abort()
    expect(await gone).toBe("gone")
    await requested.waitForAborts(1)
    await settled(stage)
  }

  test("16. caller gone: the provider is hung up on, nobody else is asked or blamed", async () => {
    await using stage = await open()
    const { first, second } = stage.upstreams
    await leave(stage, first)
    expect(stage.calls).toEqual({ first: 1, second: 0 })
    expect((await stage.instance.health()).endpoints).toEqual({})
    expect(second.connections).toBe(0)
    expect(stage.logs).toEqual([])
  })

  test("16. caller gone during a fallback: only the failure counts", async () => {
    await using stage = await open()
    const { first, second } = stage.upstreams
    first.always(fault.status(500))
    await leave(stage, second)
    expect(stage.calls).toEqual({ first: 1, second: 1 })
    expect(Object.keys((await stage.instance.health()).endpoints)).toEqual(["proof/model@first"])
    expect(stage.logs).toEqual([])
  })
}
