/** Declares what a caller who leaves must come to, whatever was asked. */
import { fault, pace } from "@signalbox/testing"
import { expect, test } from "vitest"
import type { SendOptions } from "./send.ts"
import type { TestServer } from "./TestServer.ts"

interface DisconnectCase {
  readonly open: () => Promise<TestServer>
  /** Asks the first provider, and then the second. */
  readonly request: (server: TestServer, sending: SendOptions) => Promise<unknown>
  /** Succeeds once what was set aside is given back. */
  readonly settled?: (server: TestServer) => Promise<void>
}

export const testClientDisconnect = ({
  request,
  open,
  settled = async () => {}
}: DisconnectCase): void => {
  /** Leaves as soon as `asked` has received it. */
  const leave = async (server: TestServer, requested: TestServer["upstreams"]["first"]) => {
    requested.always(pace.hold(requested.gate()))
    const controller = new AbortController()
    const gone = request(server, { signal: controller.signal }).catch(() => "gone")
    await requested.waitForRequests(1)
    controller.abort()
    expect(await gone).toBe("gone")
    await requested.waitForAborts(1)
    await settled(server)
  }

  test("16. client disconnect: the call is closed, without a fallback and without counting against the provider", async () => {
    await using server = await open()
    const { first, second } = server.upstreams
    await leave(server, first)
    expect(server.calls).toEqual({ first: 1, second: 0 })
    expect((await server.instance.health()).endpoints).toEqual({})
    expect(second.connections).toBe(0)
    expect(server.logs).toEqual([])
  })

  test("16. caller gone during a fallback: only the failure counts", async () => {
    await using server = await open()
    const { first, second } = server.upstreams
    first.always(fault.status(500))
    await leave(server, second)
    expect(server.calls).toEqual({ first: 1, second: 1 })
    expect(Object.keys((await server.instance.health()).endpoints)).toEqual(["proof/model@first"])
    expect(server.logs).toEqual([])
  })
}
