/** The command line against a running instance. */
import { describe, expect, test } from "vitest"
import { runCli } from "../../packages/cli/test/runCli.ts"
import { AccountTestServer, accountKeys } from "../support/AccountTestServer.ts"

describe("signalbox simulate", () => {
  test("takes traffic, endpoints and prices from a running instance", async () => {
    await using server = await AccountTestServer.start()
    for (let request = 0; request < 30; request++) {
      await server.decide({ state: request % 10 === 0 ? "fail" : "well" })
    }
    const run = (...args: ReadonlyArray<string>) =>
      runCli(["simulate", "--url", server.root, "--json", ...args], {
        env: { SIGNALBOX_API_KEY: accountKeys.management }
      })
    const { code, stderr, stdout } = await run("--strategy", "balanced", "--window", "3600")
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({
      recorded: { requests: 30, failures: 3 },
      runs: [{ name: "balanced", requests: 30, shares: { "proof/model@first": 1 }, unrecorded: [] }]
    })
    await server.instance.replace({
      models: [{ id: "proof/other", endpoints: [{ provider: "first", price: { prompt: "2e-6" } }] }]
    })
    expect((await run()).stderr).toContain("nothing to replay")
    const empty = await run("--since", "2999-01-01")
    expect([empty.code, empty.stderr]).toEqual([
      1,
      expect.stringContaining("The recording is empty")
    ])
  })

  test("is refused with a key that may not export traffic", async () => {
    await using server = await AccountTestServer.start()
    const { code, stderr } = await runCli(["simulate", "--url", server.root], {
      env: { SIGNALBOX_API_KEY: accountKeys.foreign }
    })
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("use a management key of the host's account")
    ])
  })
})
