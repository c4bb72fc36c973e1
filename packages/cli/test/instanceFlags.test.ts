/** How commands name a running instance. */
import { expect, test } from "vitest"
import { runCli } from "./runCli.ts"

const withPassword = "http://ada:hunter2@127.0.0.1:1/ai"

test.each([
  ["--url", ["--url", withPassword], {}],
  ["SIGNALBOX_URL", [], { SIGNALBOX_URL: withPassword }]
])("the password in the address of %s was printed with the error", async (_, args, env) => {
  const { code, stderr, stdout } = await runCli(["keys", "list", ...args], {
    env: { SIGNALBOX_API_KEY: "sk-of-the-test", ...env }
  })
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toContain("Put no user or password into --url")
  expect(stderr).not.toContain("hunter2")
})
