/** Declares the tests for callers who disconnect, for any operation. */
import { fault, pace } from "@signalbox/testing"
import { expect, test } from "vitest"
import type { SendOptions } from "./send.ts"
import type { TestServer } from "./TestServer.ts"

interface DisconnectCase {
  readonly open: () => Promise<TestServer>
  /** Sends a request that prefers the first provider to the second. */
  readonly request: (server: TestServer, sending: SendOptions) => Promise<unknown>
  /** Resolves once the reservation is released. */
  readonly settled?: (server: TestServer) => Promise<void>
}

export const testClientDisconnect = ({
  request,
  open,
  settled = async () => {}
}: DisconnectCase): void => {
  /** Disconnects once the provider has received the request. */
  const disconnect = async (server: TestServer, requested: TestServer["upstreams"]["first"]) => {
    requested.always(pace.hold(requested.gate()))
    const controller = new AbortController()
    const gone = request(server, { signal: controller.signal }).catch(() => "gone")
    await requested.waitForRequests(1)
    controller.abort()
    expect(await gone).toBe("gone")
    await requested.waitForAborts(1)
    await settled(server)
  }

  test("16. a client disconnect aborts the call without a fallback and does not count against the provider", async () => {
    await using server = await open()
    const { first, second } = server.upstreams
    await disconnect(server, first)
    expect(server.calls).toEqual({ first: 1, second: 0 })
    expect((await server.instance.health()).endpoints).toEqual({})
    expect(second.connections).toBe(0)
    expect(server.logs).toEqual([])
  })

  test("16. a client disconnect during a fallback counts only the previous failure", async () => {
    await using server = await open()
    const { first, second } = server.upstreams
    first.always(fault.status(500))
    await disconnect(server, second)
    expect(server.calls).toEqual({ first: 1, second: 1 })
    expect(Object.keys((await server.instance.health()).endpoints)).toEqual(["proof/model@first"])
    expect(server.logs).toEqual([])
  })
}
